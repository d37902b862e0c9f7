/** The order, as the store has it: number, lines, what was paid. */
import { useCallback } from "react"
import type { Order } from "../api/store"
import { numberOf, recordOf, textOf } from "../api/wire"
import { Lines } from "../components/lines"
import { Notice } from "../components/notice"
import { Page, Wait } from "../components/page"
import { Receipt } from "../components/receipt"
import { Totals } from "../components/totals"
import { useLoaded } from "../hooks/use-loaded"
import { formatMoney } from "../money"
import { Link } from "../router"
import { useShop } from "../shop"
import { words } from "../words"

const FIELDS = "+payment_status,*payment_collections.payment_sessions"

export function OrderPage({ orderId }: { orderId: string }) {
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

/** Its payment session, which the receipt is asked for by. */
function paidSessionOf({ payment_collections: collections }: Order): string | null {
  const sessions = (collections ?? []).flatMap((one) => one.payment_sessions ?? [])
  return sessions.find(({ status }) => status === "captured")?.id ?? null
}

function Confirmation({ order }: { order: Order }) {
  const isPaid = order.payment_status === "captured"
  const address = order.shipping_address
  const sessionId = paidSessionOf(order)
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
      {isPaid && sessionId !== null && <Receipt sessionId={sessionId} />}
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
