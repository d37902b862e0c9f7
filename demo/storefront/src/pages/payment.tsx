/**
 * One payment, from "approve on your phone" to its end. The address holds the payment session, so a
 * reload, the Back button and a second tab all show the same thing. Nothing here can charge twice:
 * this page only asks, and paying again goes through the same door as paying.
 */
import { useCallback, useEffect } from "react"
import { isInFlight, type PaymentStatus } from "../api/payment-status"
import { Notice } from "../components/notice"
import { Page, Spinner } from "../components/page"
import { ApproveOnPhone } from "../components/payment/approve-on-phone"
import { OnPaymentPage } from "../components/payment/on-payment-page"
import { PayAgain } from "../components/payment/pay-again"
import { useCart } from "../hooks/use-cart"
import { usePaymentStatus } from "../hooks/use-payment-status"
import { rememberedPayment, rememberedPaymentCart } from "../memory"
import { Link, navigate, Redirect } from "../router"

type PaymentPageProps = { sessionId: string; isBackFromCancel: boolean }

export function PaymentPage({ sessionId, isBackFromCancel }: PaymentPageProps) {
  const { status, trouble, isGone, show } = usePaymentStatus(sessionId)
  const { refresh } = useCart()

  // Order first empties the cart when paying starts, pay first when the money is there.
  const state = status?.state
  useEffect(() => {
    refresh().catch(() => undefined)
  }, [refresh, state])

  const currentId = status?.id
  useEffect(() => {
    if (currentId === undefined || currentId === sessionId) return
    navigate(`/payment/${currentId}`, { replace: true })
  }, [currentId, sessionId])

  const started = useCallback(
    (next: PaymentStatus) => {
      if (next.id === sessionId) show(next)
      else navigate(`/payment/${next.id}`, { replace: true })
    },
    [sessionId, show],
  )

  if (isGone) return <UnknownPayment />
  if (status === null) {
    return (
      <Page title="Your payment" className="narrow">
        <Spinner label="Looking up your payment…" />
        {trouble && <Notice tone="problem">{trouble}</Notice>}
      </Page>
    )
  }
  if (status.state === "paid" && status.orderId !== null) return <Paid orderId={status.orderId} />
  return (
    <>
      <Screen status={status} isBackFromCancel={isBackFromCancel} started={started} />
      {trouble && isInFlight(status) && (
        <div className="page narrow">
          <Notice tone="information">{trouble} Your payment goes on meanwhile.</Notice>
        </div>
      )}
    </>
  )
}

type ScreenProps = {
  status: PaymentStatus
  isBackFromCancel: boolean
  started(status: PaymentStatus): void
}

function Screen({ status, isBackFromCancel, started }: ScreenProps) {
  switch (status.state) {
    case "waiting_for_payer":
      if (status.flow === "push") return <ApproveOnPhone status={status} />
      return <OnPaymentPage status={status} isBackFromCancel={isBackFromCancel} changed={started} />
    case "action_required":
      return (
        <Page title="One more step" className="narrow">
          <p>Your bank asks you to confirm this payment. Follow what it shows you.</p>
        </Page>
      )
    case "processing":
    case "paid":
      return (
        <Page title="Payment received" className="narrow">
          <Spinner label="We have your payment and are making your order…" />
        </Page>
      )
    case "under_review":
      return <UnderReview />
    case "ready":
    case "failed":
    case "expired":
      return <PayAgain key={status.state} status={status} started={started} />
  }
}

function UnderReview() {
  return (
    <Page title="We have your payment" className="narrow">
      <div className="panel centred" data-testid="under-review">
        <p>
          <strong>Do not pay again.</strong> Somebody here looks at your payment and writes to you
          by e-mail.
        </p>
      </div>
      <Link to="/">Back to the shop</Link>
    </Page>
  )
}

function UnknownPayment() {
  useEffect(forgetPayment, [])
  return (
    <Page title="No payment here" className="narrow">
      <p>We do not know this payment. Nothing was charged through it.</p>
      <Link to="/cart" className="button">
        Go to the cart
      </Link>
    </Page>
  )
}

function Paid({ orderId }: { orderId: string }) {
  const { forget } = useCart()
  useEffect(() => {
    forgetPayment()
    forget()
  }, [forget])
  return <Redirect to={`/order/${orderId}`} />
}

function forgetPayment(): void {
  rememberedPayment.write(null)
  rememberedPaymentCart.write(null)
}
