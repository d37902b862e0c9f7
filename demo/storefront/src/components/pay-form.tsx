/** The kit's form, and where the shopper goes from it. */
import type { Payment } from "medusa-merchant-payments-checkout"
import { PaymentForm } from "medusa-merchant-payments-checkout/react"
import type { Cart } from "../api/store"
import { useCart } from "../hooks/use-cart"
import { navigate } from "../router"
import { RETURN_TO } from "../shop"

export function PayForm({ cart }: { cart: Cart }) {
  const { refresh } = useCart()
  return (
    <div className="pay-form">
      <PaymentForm
        cart={cart}
        returnTo={RETURN_TO}
        onStarted={showPayment}
        onRefused={() => void refresh().catch(() => undefined)}
      />
    </div>
  )
}

/**
 * The payment stands behind the payment page, so that Back from there shows it and not the form.
 */
export function showPayment(payment: Payment): void {
  const { sessionId, phase, status } = payment.getView()
  const isLeaving = phase === "page" && status?.url != null
  navigate(`/payment/${sessionId}`, { replace: isLeaving })
  if (isLeaving) window.location.assign(status.url ?? "")
}
