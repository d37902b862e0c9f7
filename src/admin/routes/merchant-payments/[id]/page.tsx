/** One payment, refund or payout: its facts, the decision, its events. */
import { TriangleRightMini } from "@medusajs/icons"
import { Container } from "@medusajs/ui"
import { useState } from "react"
import { Link, useParams } from "react-router-dom"
import { fitted, Nothing } from "../../../components/fitted"
import type { GatewayReading, OperationResponse } from "../../../lib/responses"
import { LIST } from "../../../lib/filters"
import { useOperation } from "../../../lib/queries"
import { signedAmount } from "../../../lib/operation-state"
import { useWords } from "../../../lib/words"
import { Review } from "../../../components/review"
import { Amounts, Lines, Payer, payerName } from "../../../components/operation-facts"
import { OperationHead } from "../../../components/operation-head"
import { Problem, Waiting } from "../../../components/parts"
import { needsIntent, PaymentIntent } from "../../../components/payment-intent"
import { Doubt, Refunds, Retry } from "../../../components/refunds"
import { StrayOrders } from "../../../components/stray-orders"
import { Technical } from "../../../components/technical"

const Payment = () => {
  const { id = "" } = useParams()
  return <PaymentOf key={id} id={id} />
}

function PaymentOf({ id }: { readonly id: string }) {
  const { data, error, refetch } = useOperation(id)
  const [reading, setReading] = useState<GatewayReading | null>(null)
  if (!data) {
    if (!error) return <Waiting rows={8} />
    return (
      <Container className="p-6">
        <Problem error={error} again={() => void refetch()} />
      </Container>
    )
  }
  const { operation } = data
  const keep = ({ gateway }: OperationResponse) => setReading(gateway)
  return (
    <div className="flex flex-col gap-3 xl:flex-row xl:items-start">
      <div className="flex min-w-0 flex-1 flex-col gap-y-3">
        <Problem error={error} />
        <OperationHead operation={operation} onAnswer={keep} />
        {operation.state === "review" && (
          <Review operation={operation} reading={reading} onAnswer={keep} />
        )}
        {needsIntent(operation) && <PaymentIntent operation={operation} />}
        <Retry operation={operation} />
        <Doubt operation={operation} />
        <StrayOrders operation={operation} />
        <Lines operation={operation} />
        <Refunds operation={operation} />
        <Technical operation={operation} />
      </div>
      <div className="flex w-full min-w-0 flex-col gap-y-3 xl:max-w-[440px]">
        <Payer operation={operation} />
        <Amounts operation={operation} />
      </div>
    </div>
  )
}

export const handle = { breadcrumb: () => <FittedCrumb /> }

function PaymentCrumb() {
  const { id = "" } = useParams()
  const { say, money } = useWords()
  const { data } = useOperation(id)
  const operation = data?.operation
  const about = operation && [
    payerName(operation),
    money(signedAmount(operation), operation.currency),
  ]
  return (
    <span className="flex items-center gap-x-2">
      <Link to={LIST} className="transition-fg hover:text-ui-fg-subtle">
        {say("menu.payments")}
      </Link>
      <TriangleRightMini />
      <span>{about?.filter(Boolean).join(" · ") ?? say("type.COLLECTION")}</span>
    </span>
  )
}

const FittedCrumb = fitted(PaymentCrumb, Nothing)

export default fitted(Payment)
