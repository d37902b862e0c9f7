/** One payment, refund or payout: its facts, the decision, its events. */
import { TriangleRightMini } from "@medusajs/icons"
import { Container } from "@medusajs/ui"
import { useState } from "react"
import { Link, useParams } from "react-router-dom"
import type { GatewayReading } from "../../../lib/responses"
import { Review } from "../../../components/review"
import { Amounts, Ids, Lines, Times } from "../../../components/operation-facts"
import { OperationHead } from "../../../components/operation-head"
import { Problem, TwoColumns, Waiting } from "../../../components/parts"
import { needsIntent, PaymentIntent } from "../../../components/payment-intent"
import { Refunds, Retry } from "../../../components/refunds"
import { Timeline } from "../../../components/timeline"
import { useOperation } from "../../../lib/queries"
import { useWords } from "../../../lib/words"

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
  const isForReview = operation.state === "review"
  return (
    <TwoColumns
      main={
        <>
          {error && <Problem error={error} />}
          <OperationHead operation={operation} onAnswer={({ gateway }) => setReading(gateway)} />
          {isForReview && (
            <Review
              operation={operation}
              reading={reading}
              onAnswer={({ gateway }) => setReading(gateway)}
            />
          )}
          {needsIntent(operation) && <PaymentIntent operation={operation} />}
          <Retry operation={operation} />
          <Refunds operation={operation} />
          <Timeline operation={operation} />
        </>
      }
      side={
        <>
          <Amounts operation={operation} />
          <Lines operation={operation} />
          <Ids operation={operation} />
          <Times operation={operation} />
        </>
      }
    />
  )
}

export const handle = { breadcrumb: () => <PaymentCrumb /> }

function PaymentCrumb() {
  const { id = "" } = useParams()
  const { say } = useWords()
  return (
    <span className="flex items-center gap-x-2">
      <Link to="/merchant-payments" className="transition-fg hover:text-ui-fg-subtle">
        {say("menu.payments")}
      </Link>
      <TriangleRightMini />
      <span>{id}</span>
    </span>
  )
}

export default Payment
