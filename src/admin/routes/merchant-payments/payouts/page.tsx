/** Money that goes out: what was sent, and the form that sends. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Button, Container } from "@medusajs/ui"
import { useState } from "react"
import { OperationsTable } from "../../../components/operations-table"
import { PayoutForm } from "../../../components/payout-form"
import { useWords } from "../../../lib/words"

const MONEY_OUT = { type: "PAYOUT,TRANSFER" }

const Payouts = () => {
  const { say } = useWords()
  const [isSending, setSending] = useState(false)
  return (
    <div className="flex flex-col gap-y-3">
      <div className="flex justify-end">
        <Button size="small" onClick={() => setSending(true)}>
          {say("payouts.send")}
        </Button>
      </div>
      <Container className="p-0">
        <OperationsTable
          heading={say("payouts.title")}
          subHeading={say("payouts.subtitle")}
          also={MONEY_OUT}
          empty={{ heading: say("payouts.empty"), description: say("payouts.emptyText") }}
        />
      </Container>
      {isSending && <PayoutForm onClose={() => setSending(false)} />}
    </div>
  )
}

export const config = defineRouteConfig({
  label: "menu.payouts",
  translationNs: "merchantPayments",
  rank: 2,
})

export default Payouts
