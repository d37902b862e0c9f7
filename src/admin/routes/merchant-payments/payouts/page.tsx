/** Outgoing money: payouts and transfers, and the forms that send them. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container } from "@medusajs/ui"
import { Suspense, lazy, useState } from "react"
import { fitted } from "../../../components/fitted"
import { useWords } from "../../../lib/words"
import { NO_TRANSFER, sendTransfer, type TransferForm as Form } from "../../../lib/money-out"
import { OperationsTable } from "../../../components/operations-table"
import { Button, Hint } from "../../../components/parts"
import { Requests } from "../../../components/requests"
import { TextField } from "../../../components/fields"
import {
  AmountFields,
  SendForm,
  amountOf,
  amountProblem,
  useSending,
  type Unanswered,
} from "../../../components/send-form"

/** Loaded only when it is opened: its rules of phone numbers are larger than the whole page. */
const PayoutForm = lazy(() => import("../../../components/payout-form"))

const MONEY_OUT = { type: "PAYOUT,TRANSFER" }

const Payouts = () => {
  const { say } = useWords()
  const [form, setForm] = useState<"payout" | "transfer" | null>(null)
  const close = () => setForm(null)
  return (
    <div className="flex flex-col gap-y-3">
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => setForm("transfer")}>{say("transfers.open")}</Button>
        <Button variant="primary" onClick={() => setForm("payout")}>
          {say("payouts.send")}
        </Button>
      </div>
      <Container className="divide-y p-0">
        <Requests of={({ kind }) => kind === "PAYOUT" || kind === "TRANSFER"} />
        {/* Its parts have no lines between them. */}
        <div>
          <OperationsTable
            heading={say("payouts.title")}
            subHeading={say("payouts.subtitle")}
            also={MONEY_OUT}
            isMoneyOut
            empty={{ heading: say("payouts.empty"), description: say("payouts.emptyText") }}
          />
        </div>
      </Container>
      {form === "payout" && (
        <Suspense>
          <PayoutForm onClose={close} />
        </Suspense>
      )}
      {form === "transfer" && <TransferForm onClose={close} />}
    </div>
  )
}

const unanswered: Unanswered<Form> = {}

/**
 * Sends money from one of the merchant's wallets to a counterparty's, on the platform. The gateway
 * asks for no passcode, so the confirmation names both sides.
 */
function TransferForm({ onClose }: { readonly onClose: () => void }) {
  const { say, field } = useWords()
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
      confirm={say("transfers.confirmText", { from: form.from.trim(), to: form.to.trim() })}
      frame={frame}
    >
      <Hint>{say("payouts.balance")}</Hint>
      <AmountFields of={of} />
      <TextField {...of("from")} {...field("transfers.from")} isRequired />
      <TextField {...of("to")} {...field("transfers.to")} isRequired />
      <TextField {...of("note")} {...field("payouts.note")} />
    </SendForm>
  )
}

/** Whether a text can be the gateway's number of a wallet or a counterparty. */
const isNumber = (value: string) => /^[1-9]\d{0,14}$/.test(value.trim())

export const config = defineRouteConfig({
  label: "menu.payouts",
  translationNs: "merchantPayments",
  rank: 4,
})

export default fitted(Payouts)
