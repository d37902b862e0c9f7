/** Says on every page but its own that a payment waits, and what became of it since. */
import { isUnderWay, type Status } from "medusa-merchant-payments-checkout"
import { useMerchantPayment } from "medusa-merchant-payments-checkout/react"
import { Link, usePlace } from "../router"
import { useShop } from "../shop"
import { words } from "../words"

export function PaymentBanner() {
  const { checkout } = useShop()
  const { path } = usePlace()
  const remembered = path.startsWith("/payment/") ? null : checkout.remembered()
  return remembered && <Waiting key={remembered.sessionId} sessionId={remembered.sessionId} />
}

function Waiting({ sessionId }: { sessionId: string }) {
  const { status } = useMerchantPayment(sessionId)
  if (status === null || !isUnderWay(status)) return null
  return (
    <div className="notice notice-information banner" role="status" data-testid="payment-waits">
      {sentence(status)} <Link to={`/payment/${sessionId}`}>{words.payment.show}</Link>
    </div>
  )
}

function sentence({ state, flow }: Status): string {
  if (state === "paid") return words.payment.arrived
  if (state === "under_review") return words.payment.review
  const isAsked = state === "waiting_for_payer" && flow === "push"
  return isAsked ? words.payment.waits : words.payment.goingOn
}
