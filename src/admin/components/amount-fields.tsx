import { useWords } from "../lib/words"
import { ChoiceField, TextField } from "./fields"

const CURRENCIES = ["LRD", "USD", "RWF"]

/** An amount and its currency. */
export function AmountFields(props: {
  readonly form: { readonly amount: string; readonly currency: string }
  readonly change: (field: "amount" | "currency") => (value: string) => void
}) {
  const { form, change } = props
  const { say } = useWords()
  return (
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
  )
}
