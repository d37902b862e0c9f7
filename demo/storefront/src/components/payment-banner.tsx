/** Leads back to a payment that is still going on, from wherever the shopper wandered off to. */
import { useEffect, useState } from "react"
import { isInFlight, type PaymentStatus } from "../api/payment-status"
import { rememberedPayment } from "../memory"
import { Link, Redirect } from "../router"
import { useShop } from "../shop"

/** The payment started last, if the shopper should be looking at it; undefined until known. */
export function usePaymentInFlight(): PaymentStatus | null | undefined {
  const { payments } = useShop()
  const [payment, setPayment] = useState<PaymentStatus | null | undefined>(() =>
    rememberedPayment.read() === null ? null : undefined,
  )
  useEffect(() => {
    let dropped = false
    const id = rememberedPayment.read()
    if (id === null) return
    payments.status(id).then(
      (status) => !dropped && setPayment(isInFlight(status) ? status : null),
      () => !dropped && setPayment(null),
    )
    return () => {
      dropped = true
    }
  }, [payments])
  return payment
}

export function PaymentBanner() {
  const payment = usePaymentInFlight()
  if (!payment) return null
  return (
    <div className="notice notice-information" role="status">
      A payment is still going on. <Link to={`/payment/${payment.id}`}>Show it</Link>
    </div>
  )
}

/** For the pages that must not show a cart that is being paid. */
export function ToPaymentInFlight() {
  const payment = usePaymentInFlight()
  return payment ? <Redirect to={`/payment/${payment.id}`} /> : null
}
