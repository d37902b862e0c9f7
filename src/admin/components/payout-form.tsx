/** Sends money to a mobile wallet, with the merchant's passcode, which is typed each time. */
import { sendPayout, type PayoutForm as Form } from "../lib/money-out"
import { useWords } from "../lib/words"
import { AmountFields } from "./amount-fields"
import { TextField } from "./fields"
import { SendForm, useSending, type Unanswered } from "./send-form"

const EMPTY: Form = {
  amount: "",
  currency: "LRD",
  name: "",
  phone: "",
  note: "",
  passcode: "",
  passcode_phone: "",
}

const unanswered: Unanswered<Form> = {}

export function PayoutForm({ onClose }: { readonly onClose: () => void }) {
  const { say } = useWords()
  const { form, change, act } = useSending<Form>({
    empty: EMPTY,
    unanswered,
    send: async (asked, key) => (await sendPayout(asked, key)).payout,
    withoutSecret: (before) => ({ ...before, passcode: "" }),
    onClose,
  })
  return (
    <SendForm
      title={say("payouts.sendTitle")}
      isComplete={[form.amount, form.name, form.phone, form.passcode].every(isGiven)}
      missing={say("payouts.missing")}
      confirm={{
        title: say("payouts.confirmTitle", { amount: `${form.currency} ${form.amount.trim()}` }),
        text: say("payouts.confirmText", { name: form.name.trim(), phone: form.phone.trim() }),
      }}
      act={act}
      onSend={() => act.mutate(form)}
      onClose={onClose}
    >
      <AmountFields form={form} change={change} />
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
    </SendForm>
  )
}

const isGiven = (value: string) => value.trim() !== ""
