/**
 * One payment, from "approve on your phone" to its end, as the kit shows it. The address holds the
 * payment session, so a reload, the Back button and a second tab all show the same thing.
 */
import type { PaymentView, Phase } from "medusa-merchant-payments-checkout"
import { MerchantPayment } from "medusa-merchant-payments-checkout/react"
import { useCallback, useState } from "react"
import { CART_FIELDS } from "../api/store"
import { Page } from "../components/page"
import { useCart } from "../hooks/use-cart"
import { useLoaded } from "../hooks/use-loaded"
import { rememberedCart, rememberedOrder } from "../memory"
import { Link, navigate, Redirect } from "../router"
import { RETURN_TO, useShop } from "../shop"
import { words } from "../words"

type PaymentPageProps = { sessionId: string; isBackFromCancel: boolean }

export function PaymentPage({ sessionId, isBackFromCancel }: PaymentPageProps) {
  const { store, checkout, config } = useShop()
  const { refresh, forget } = useCart()
  const [paid, setPaid] = useState<PaymentView | null>(null)
  const load = useCallback(async () => {
    // Another payment's cart is not to be paid here.
    const remembered = checkout.remembered()
    const id = remembered?.sessionId === sessionId ? remembered.cartId : rememberedCart.read()
    const cart = id === null ? null : (await store.cart.retrieve(id, CART_FIELDS)).cart
    const sessions = cart?.payment_collection?.payment_sessions ?? []
    const isOfPayment = id === remembered?.cartId || sessions.some((one) => one.id === sessionId)
    return isOfPayment ? cart : null
  }, [store, checkout, sessionId])
  const [cart] = useLoaded(load)
  // Order first empties the cart when paying starts, pay first when the money is there.
  const onPhase = useCallback(
    (phase: Phase) => {
      if (phase !== "loading") refresh().catch(() => undefined)
    },
    [refresh],
  )
  const onPaid = useCallback(
    (_orderId: string | null, view: PaymentView) => {
      forget()
      const { status } = view
      if (status?.order_id) {
        const { order_id: orderId, id } = status
        const at = new Date().toISOString()
        rememberedOrder.write({ orderId, sessionId: id, receiptUrl: null, at })
      }
      setPaid(view)
    },
    [forget],
  )
  if (paid?.status?.order_id) {
    const { amount, currency, order_id: orderId } = paid.status
    return <Redirect to={`/order/${orderId}`} state={{ amount, currency, sessionId }} />
  }
  return (
    <Page title={words.payment.title} className="narrow">
      <section className="panel">
        <MerchantPayment
          sessionId={sessionId}
          cart={cart.kind === "ready" ? cart.value : cart.kind === "failed" ? null : undefined}
          isBackFromPage={isBackFromCancel}
          returnTo={RETURN_TO}
          onPhase={onPhase}
          onPaid={onPaid}
          onStarted={(id) => navigate(`/payment/${id}`, { replace: true })}
          onCanceled={() => {
            // An order that is placed already is paid from here, a cart from checkout.
            if (config.orderPlacement === "pay_first") navigate("/cart")
          }}
          onRefused={() => void refresh().catch(() => undefined)}
          beside={(view) => <Beside view={view} />}
        />
      </section>
      <Link to="/cart">{words.payment.backToCart}</Link>
    </Page>
  )
}

/** What only the shop knows: its pretend phone, and its own number of the order. */
function Beside({ view: { phase, status } }: { view: PaymentView }) {
  const { config } = useShop()
  if (phase === "approve" && config.simulatorUrl !== null) {
    return (
      <p className="demo-hint">
        {words.payment.demoPhone}{" "}
        <a
          href={`${config.simulatorUrl}/handset`}
          target="_blank"
          rel="noreferrer"
          data-testid="handset-link"
        >
          {words.payment.openPhone}
        </a>
      </p>
    )
  }
  const orderId = phase === "under_review" ? status?.order_id : null
  return orderId ? <OrderNumber orderId={orderId} /> : null
}

function OrderNumber({ orderId }: { orderId: string }) {
  const { store } = useShop()
  const load = useCallback(
    async () => (await store.order.retrieve(orderId, { fields: "display_id" })).order.display_id,
    [store, orderId],
  )
  const [order] = useLoaded(load)
  if (order.kind !== "ready" || order.value == null) return null
  return (
    <p>
      {words.payment.order} #{order.value}
    </p>
  )
}
