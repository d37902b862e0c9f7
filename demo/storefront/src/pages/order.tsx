/**
 * The order, as the store has it: number, lines, what was paid. Medusa answers whoever has the order's
 * id, with name and address; so this page asks only in the browser that has paid the order.
 */
import { PaymentReceipt } from "medusa-merchant-payments-checkout/react"
import { useCallback } from "react"
import type { Order } from "../api/store"
import { numberOf, recordOf, textOf } from "../api/wire"
import { Lines } from "../components/lines"
import { Notice } from "../components/notice"
import { Page, Wait } from "../components/page"
import { Totals } from "../components/totals"
import { useLoaded } from "../hooks/use-loaded"
import { KeptReceipt } from "../components/kept-receipt"
import { rememberedOrder } from "../memory"
import { formatMoney } from "../money"
import { Link } from "../router"
import { useShop } from "../shop"
import { words } from "../words"

const FIELDS = "+payment_status,*payment_collections.payment_sessions"

export function OrderPage({ orderId }: { orderId: string }) {
  const order = rememberedOrder.read()
  return order?.orderId === orderId ? <OwnOrder orderId={orderId} /> : <OthersOrder />
}

function OthersOrder() {
  return (
    <Page title={words.order.title} className="narrow">
      <p data-testid="not-this-browser">{words.order.notHere}</p>
      <Link to="/">{words.shop.back}</Link>
    </Page>
  )
}

function OwnOrder({ orderId }: { orderId: string }) {
  const { store } = useShop()
  const load = useCallback(
    async () => (await store.order.retrieve(orderId, { fields: FIELDS })).order,
    [store, orderId],
  )
  const [order, again] = useLoaded(load)
  if (order.kind !== "ready") {
    const paid = paidJustNow()
    return (
      <Page title={paid ? words.order.paidTitle : words.order.title} className="narrow">
        {paid && (
          <Notice tone="good">
            <span data-testid="paid-now">
              {words.totals.paid}: {formatMoney(paid.amount, paid.currency)}
            </span>
          </Notice>
        )}
        <Wait state={order} label={words.order.fetching} again={again} />
      </Page>
    )
  }
  return <Confirmation order={order.value} />
}

/** The payment that led here says so before the order is fetched. */
function paidJustNow(): { amount: number; currency: string } | null {
  const state = recordOf(window.history.state)
  const amount = numberOf(state.amount)
  const currency = textOf(state.currency)
  return amount === null || currency === null ? null : { amount, currency }
}

/** A session that was paid: Medusa keeps it as `authorized` once its money is captured. */
const PAID: readonly string[] = ["authorized", "captured"]
const OURS = /_merchant$/

/** The payment sessions that receipts are asked for by; a rest may have been paid by a link. */
function paidSessionsOf({ payment_collections: collections }: Order): string[] {
  const sessions = (collections ?? []).flatMap((one) => one.payment_sessions ?? [])
  const paid = sessions.filter((one) => PAID.includes(one.status) && OURS.test(one.provider_id))
  return paid.map(({ id }) => id)
}

function Confirmation({ order }: { order: Order }) {
  const isPaid = order.payment_status === "captured"
  const address = order.shipping_address
  return (
    <Page title={isPaid ? words.order.paidTitle : words.order.title} className="narrow">
      <Notice tone={isPaid ? "good" : "information"}>
        {words.order.order} <strong data-testid="order-number">#{order.display_id}</strong>
        {(isPaid ? words.order.confirmed : words.order.waits)(order.email ?? "")}
      </Notice>
      <section className="panel" aria-label={words.order.bought} data-testid="confirmation">
        <Lines lines={order.items ?? []} currency={order.currency_code} />
        <Totals
          of={order}
          totalLabel={isPaid ? words.totals.paid : words.totals.toPay}
          hasShipping
        />
      </section>
      <KeptReceipt />
      {paidSessionsOf(order).map((id) => (
        <div key={id} className="panel">
          <PaymentReceipt sessionId={id} />
        </div>
      ))}
      {address && (
        <p className="muted">
          {words.order.goesTo(
            `${address.first_name} ${address.last_name}, ${address.address_1}, ${address.city}`,
          )}
        </p>
      )}
      <Link to="/" className="button-quiet">
        {words.order.more}
      </Link>
    </Page>
  )
}
