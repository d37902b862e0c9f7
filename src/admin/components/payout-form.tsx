/**
 * Money goes out to a wallet. One form is one movement of money: its key stays the same until the store
 * names the payout that ended without money, also when the form is closed and opened again after a try
 * that was not answered. The passcode is forgotten with every answer.
 */
import { Alert, Button, Drawer, toast, usePrompt } from "@medusajs/ui"
import { useState, type FormEvent } from "react"
import { useNavigate } from "react-router-dom"
import {
  hasEnded,
  isAnswered,
  isOtherKey,
  newKey,
  sendPayout,
  type PayoutForm as Form,
} from "../lib/money-out"
import { useAct } from "../lib/queries"
import { useWords } from "../lib/words"
import { ChoiceField, TextField } from "./fields"
import { Problem } from "./parts"

const EMPTY: Form = {
  amount: "",
  currency: "LRD",
  name: "",
  phone: "",
  note: "",
  passcode: "",
  passcode_phone: "",
}
const CURRENCIES = ["LRD", "USD", "RWF"]

/** What was sent, and nobody knows whether it arrived. */
let unanswered: { readonly form: Form; readonly key: string } | undefined

export function PayoutForm({ onClose }: { readonly onClose: () => void }) {
  const { say } = useWords()
  const navigate = useNavigate()
  const prompt = usePrompt()
  const [form, setForm] = useState(unanswered?.form ?? EMPTY)
  const [key, setKey] = useState(() => unanswered?.key ?? newKey())
  const [isMissing, setMissing] = useState(false)
  const change = (field: keyof Form) => (value: string) =>
    setForm((before) => ({ ...before, [field]: value }))
  const send = useAct(
    async (given: Form) => {
      try {
        const answer = await sendPayout(given, key)
        unanswered = undefined
        return answer
      } catch (error) {
        if (!isAnswered(error)) unanswered = { form: { ...given, passcode: "" }, key }
        if (hasEnded(error) || isOtherKey(error)) unanswered = undefined
        if (hasEnded(error)) setKey(newKey())
        throw error
      } finally {
        setForm((before) => ({ ...before, passcode: "" }))
      }
    },
    ({ payout }) => {
      // The same key again answers what became of it, and that may be nothing.
      const isOver = payout.state === "failed" || payout.state === "expired"
      const isTaken = payout.state === "in_flight" || payout.state === "completed"
      if (isOver) toast.warning(say("payouts.ended"))
      else if (isTaken) toast.success(say("payouts.sent"))
      else toast.warning(say("payouts.unclear"))
      onClose()
      void navigate(`/merchant-payments/${payout.id}`)
    },
  )
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const isComplete = [form.amount, form.name, form.phone, form.passcode].every(
      (value) => value.trim() !== "",
    )
    setMissing(!isComplete)
    if (!isComplete) return
    const isSure = await prompt({
      title: say("payouts.confirmTitle", { amount: `${form.currency} ${form.amount.trim()}` }),
      description: say("payouts.confirmText", { name: form.name.trim(), phone: form.phone.trim() }),
      confirmText: say("payouts.sendNow"),
      cancelText: say("general.cancel"),
      variant: "confirmation",
    })
    if (isSure) send.mutate(form)
  }
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title>{say("payouts.sendTitle")}</Drawer.Title>
        </Drawer.Header>
        <form
          onSubmit={(event) => void submit(event)}
          className="flex min-h-0 flex-1 flex-col"
          noValidate
        >
          <Drawer.Body className="flex flex-1 flex-col gap-y-4 overflow-y-auto">
            <div className="grid grid-cols-2 gap-4">
              <TextField
                label={say("payouts.amount")}
                value={form.amount}
                onChange={change("amount")}
                isRequired
              />
              <ChoiceField
                label={say("payouts.currency")}
                value={form.currency}
                onChange={change("currency")}
                options={CURRENCIES.map((value) => ({ value, label: value }))}
              />
            </div>
            <TextField
              label={say("payouts.name")}
              value={form.name}
              onChange={change("name")}
              isRequired
            />
            <TextField
              label={say("payouts.phone")}
              hint={say("payouts.phoneHint")}
              type="tel"
              value={form.phone}
              onChange={change("phone")}
              isRequired
            />
            <TextField
              label={say("payouts.note")}
              hint={say("payouts.noteHint")}
              value={form.note}
              onChange={change("note")}
            />
            <TextField
              label={say("payouts.passcode")}
              hint={say("payouts.passcodeHint")}
              type="password"
              value={form.passcode}
              onChange={change("passcode")}
              isRequired
            />
            <TextField
              label={say("payouts.passcodePhone")}
              hint={say("payouts.passcodePhoneHint")}
              type="tel"
              value={form.passcode_phone}
              onChange={change("passcode_phone")}
            />
          </Drawer.Body>
          <Drawer.Footer className="flex-col items-stretch gap-y-3">
            {isMissing && <Alert variant="warning">{say("payouts.missing")}</Alert>}
            <Problem error={send.error} />
            {send.error && !isAnswered(send.error) && (
              <Alert variant="warning">{say("payouts.keyKept")}</Alert>
            )}
            <div className="flex justify-end gap-x-2">
              <Button size="small" type="button" variant="secondary" onClick={onClose}>
                {say("general.cancel")}
              </Button>
              <Button size="small" type="submit" isLoading={send.isPending}>
                {say("payouts.send")}
              </Button>
            </div>
          </Drawer.Footer>
        </form>
      </Drawer.Content>
    </Drawer>
  )
}
