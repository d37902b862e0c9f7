/**
 * Sends money from one of the merchant's wallets to a counterparty's, on the platform. The gateway
 * asks for no passcode, so the confirmation names both sides.
 */
import { sendTransfer, type TransferForm as Form } from "../lib/money-out"
import { useWords } from "../lib/words"
import { AmountFields } from "./amount-fields"
import { TextField } from "./fields"
import { SendForm, useSending, type Unanswered } from "./send-form"

const EMPTY: Form = { amount: "", currency: "LRD", from: "", to: "", note: "" }

const unanswered: Unanswered<Form> = {}

export function TransferForm({ onClose }: { readonly onClose: () => void }) {
  const { say } = useWords()
  const { form, change, act } = useSending<Form>({
    empty: EMPTY,
    unanswered,
    send: async (asked, key) => (await sendTransfer(asked, key)).transfer,
    withoutSecret: (before) => before,
    onClose,
  })
  const unread = (value: string) => value.trim() !== "" && !isNumber(value)
  return (
    <SendForm
      title={say("transfers.sendTitle")}
      isComplete={form.amount.trim() !== "" && isNumber(form.from) && isNumber(form.to)}
      missing={say("transfers.missing")}
      confirm={{
        title: say("payouts.confirmTitle", { amount: `${form.currency} ${form.amount.trim()}` }),
        text: say("transfers.confirmText", { from: form.from.trim(), to: form.to.trim() }),
      }}
      act={act}
      onSend={() => act.mutate(form)}
      onClose={onClose}
    >
      <AmountFields form={form} change={change} />
      <TextField
        label={say("transfers.from")}
        hint={say("transfers.fromHint")}
        error={unread(form.from) ? say("transfers.notNumber") : undefined}
        value={form.from}
        onChange={change("from")}
        isRequired
      />
      <TextField
        label={say("transfers.to")}
        hint={say("transfers.toHint")}
        error={unread(form.to) ? say("transfers.notNumber") : undefined}
        value={form.to}
        onChange={change("to")}
        isRequired
      />
      <TextField
        label={say("payouts.note")}
        hint={say("payouts.noteHint")}
        value={form.note}
        onChange={change("note")}
      />
    </SendForm>
  )
}

/** The form of the gateway's numbers of wallets and counterparties. */
const isNumber = (value: string) => /^[1-9]\d{0,14}$/.test(value.trim())
