/**
 * Sends money from one of the merchant's wallets to a counterparty's, on the platform. The gateway
 * asks for no passcode, so the confirmation names both sides.
 */
import { NO_TRANSFER, sendTransfer, type TransferForm as Form } from "../lib/money-out"
import { useWords } from "../lib/words"
import { TextField } from "./fields"
import {
  AmountFields,
  amountOf,
  amountProblem,
  SendForm,
  useSending,
  type Unanswered,
} from "./send-form"

const unanswered: Unanswered<Form> = {}

export function TransferForm({ onClose }: { readonly onClose: () => void }) {
  const { say, exact } = useWords()
  const { form, of, frame } = useSending<Form>({
    empty: NO_TRANSFER,
    unanswered,
    problems: (typed, isTried) => {
      const number = (value: string) => {
        if (value.trim() === "") return isTried ? say("payouts.needed") : undefined
        return isNumber(value) ? undefined : say("transfers.notNumber")
      }
      const amount = amountProblem(say, typed, isTried)
      return { amount, from: number(typed.from), to: number(typed.to) }
    },
    send: async (typed, key) =>
      (await sendTransfer({ ...typed, amount: amountOf(typed) }, key)).transfer,
    withoutSecret: (before) => before,
    onClose,
  })
  return (
    <SendForm
      title={say("transfers.sendTitle")}
      confirm={{
        title: say("payouts.confirmTitle", {
          amount: exact(amountOf(form), form.currency),
        }),
        text: say("transfers.confirmText", { from: form.from.trim(), to: form.to.trim() }),
      }}
      frame={frame}
    >
      <AmountFields of={of} />
      <TextField
        {...of("from")}
        label={say("transfers.from")}
        hint={say("transfers.fromHint")}
        isRequired
      />
      <TextField
        {...of("to")}
        label={say("transfers.to")}
        hint={say("transfers.toHint")}
        isRequired
      />
      <TextField {...of("note")} label={say("payouts.note")} hint={say("payouts.noteHint")} />
    </SendForm>
  )
}

/** The form of the gateway's numbers of wallets and counterparties. */
const isNumber = (value: string) => /^[1-9]\d{0,14}$/.test(value.trim())
