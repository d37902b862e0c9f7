/** The payment intent id that a refund needs. An admin copies it from the merchant portal. */
import { useState, type FormEvent } from "react"
import type { Flow } from "../../core/operation"
import type { WordKey } from "../i18n/words"
import type { OperationDetail } from "../lib/responses"
import { act, useAct } from "../lib/queries"
import { useWords } from "../lib/words"
import { TextField } from "./fields"
import { Button, Copyable, Hint, Problem, Section } from "./parts"

export function needsIntent({ payment_intent_id: id, actions }: OperationDetail): boolean {
  return id === null && actions.some((one) => one.action === "payment_intent" && one.is_possible)
}

/** Where the merchant finds the id: of a payment on a page, the plugin has made no execution. */
const HINTS: Readonly<Record<Flow, WordKey>> = {
  push: "intent.push",
  card: "intent.push",
  hosted: "intent.page",
  link: "intent.page",
}

export function PaymentIntent({ operation }: { readonly operation: OperationDetail }) {
  const { say } = useWords()
  const [typed, setTyped] = useState("")
  const [isWrong, setWrong] = useState(false)
  const enter = useAct((id: number) => act.paymentIntent(operation.id, id), "intent.saved")
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const id = Number(typed.trim())
    const isRight = /^\d+$/.test(typed.trim()) && Number.isSafeInteger(id) && id > 0
    setWrong(!isRight)
    if (isRight) enter.mutate(id)
  }
  const shown = operation.reference ?? operation.source_number
  return (
    <Section title={say("intent.title")}>
      <form className="flex flex-col gap-y-3 px-6 py-4" onSubmit={submit} noValidate>
        <Hint>{say(HINTS[operation.flow])}</Hint>
        <Hint>
          {say("intent.copy")}
          {operation.portal_url && (
            <>
              {" "}
              <a
                className="text-ui-fg-interactive"
                href={operation.portal_url}
                target="_blank"
                rel="noreferrer"
                data-testid="portal"
              >
                {say("intent.portal")}
              </a>
            </>
          )}
        </Hint>
        {shown && (
          <span data-testid="reference">
            <Copyable text={shown} />
          </span>
        )}
        <div className="flex flex-wrap items-end gap-2">
          <TextField
            label={say("intent.label")}
            error={isWrong ? say("intent.wrong") : undefined}
            value={typed}
            onChange={setTyped}
            inputMode="numeric"
          />
          <Button type="submit" isLoading={enter.isPending}>
            {say("intent.enter")}
          </Button>
        </div>
        <Problem error={enter.error} />
      </form>
    </Section>
  )
}
