/** Outgoing money: payouts and transfers, and the forms that send them. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container } from "@medusajs/ui"
import { lazy, Suspense, useState } from "react"
import { OperationsTable } from "../../../components/operations-table"
import { TransferForm } from "../../../components/transfer-form"
import { useWords } from "../../../lib/words"
import { Button } from "../../../components/parts"

/** It has the rules of phone numbers with it, which weigh more than the page. */
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
      <Container className="p-0">
        <OperationsTable
          heading={say("payouts.title")}
          subHeading={say("payouts.subtitle")}
          also={MONEY_OUT}
          hidesOrder
          empty={{ heading: say("payouts.empty"), description: say("payouts.emptyText") }}
        />
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

export const config = defineRouteConfig({
  label: "menu.payouts",
  translationNs: "merchantPayments",
  rank: 2,
})

export default Payouts
