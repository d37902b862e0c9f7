/**
 * What the forms that send money share. One form is one payout: its key stays the same until the
 * store names the payout that ended without money, also if the form is closed and opened after an
 * unanswered try. Each answer clears the form's secret.
 */
import { Alert, Button, Drawer, toast, usePrompt } from "@medusajs/ui"
import { useState, type FormEvent, type ReactNode } from "react"
import { useNavigate } from "react-router-dom"
import type { AdminPayout } from "../lib/responses"
import { hasEnded, isAnswered, isOtherKey, newKey } from "../lib/money-out"
import { useAct } from "../lib/queries"
import { useWords } from "../lib/words"
import { Problem } from "./parts"

/** A form that was sent without an answer; kept while the page is open. */
export type Unanswered<Form> = { current?: { readonly form: Form; readonly key: string } }

type Given<Form> = {
  readonly empty: Form
  readonly unanswered: Unanswered<Form>
  readonly send: (form: Form, key: string) => Promise<AdminPayout>
  /** The form without its secret, to be kept. */
  readonly withoutSecret: (form: Form) => Form
  readonly onClose: () => void
}

export function useSending<Form extends Readonly<Record<string, string>>>(given: Given<Form>) {
  const { unanswered, withoutSecret, onClose } = given
  const { say } = useWords()
  const navigate = useNavigate()
  const [form, setForm] = useState(unanswered.current?.form ?? given.empty)
  const [key, setKey] = useState(() => unanswered.current?.key ?? newKey())
  const change = (field: keyof Form) => (value: string) =>
    setForm((before) => ({ ...before, [field]: value }))
  const act = useAct(
    async (asked: Form) => {
      try {
        const answer = await given.send(asked, key)
        delete unanswered.current
        return answer
      } catch (error) {
        if (!isAnswered(error)) unanswered.current = { form: withoutSecret(asked), key }
        if (hasEnded(error) || isOtherKey(error)) delete unanswered.current
        if (hasEnded(error)) setKey(newKey())
        throw error
      } finally {
        setForm(withoutSecret)
      }
    },
    (sent) => {
      // A repeated key returns the earlier payout, which may have failed.
      const isOver = sent.state === "failed" || sent.state === "expired"
      const isTaken = sent.state === "in_flight" || sent.state === "completed"
      if (isOver) toast.warning(say("payouts.ended"))
      else if (isTaken) toast.success(say("payouts.sent"))
      else toast.warning(say("payouts.unclear"))
      onClose()
      void navigate(`/merchant-payments/${sent.id}`)
    },
  )
  return { form, change, act }
}

/** The frame of a form: reports missing fields, asks for confirmation, then sends. */
export function SendForm(props: {
  readonly title: string
  readonly isComplete: boolean
  readonly missing: string
  readonly confirm: { readonly title: string; readonly text: string }
  readonly act: { readonly error: Error | null; readonly isPending: boolean }
  readonly onSend: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const { act, onClose } = props
  const { say } = useWords()
  const prompt = usePrompt()
  const [isTried, setTried] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(!props.isComplete)
    if (!props.isComplete) return
    const isSure = await prompt({
      title: props.confirm.title,
      description: props.confirm.text,
      confirmText: say("payouts.sendNow"),
      cancelText: say("general.cancel"),
      variant: "confirmation",
    })
    if (isSure) props.onSend()
  }
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title>{props.title}</Drawer.Title>
        </Drawer.Header>
        <form
          onSubmit={(event) => void submit(event)}
          className="flex min-h-0 flex-1 flex-col"
          noValidate
        >
          <Drawer.Body className="flex flex-1 flex-col gap-y-4 overflow-y-auto">
            {props.children}
          </Drawer.Body>
          <Drawer.Footer className="flex-col items-stretch gap-y-3">
            {isTried && !props.isComplete && <Alert variant="warning">{props.missing}</Alert>}
            <Problem error={act.error} />
            {act.error && !isAnswered(act.error) && (
              <Alert variant="warning">{say("payouts.keyKept")}</Alert>
            )}
            <div className="flex justify-end gap-x-2">
              <Button size="small" type="button" variant="secondary" onClick={onClose}>
                {say("general.cancel")}
              </Button>
              <Button size="small" type="submit" isLoading={act.isPending}>
                {say("payouts.send")}
              </Button>
            </div>
          </Drawer.Footer>
        </form>
      </Drawer.Content>
    </Drawer>
  )
}
