/** The order, as the store has it: number, lines, what was paid. */
import { useCallback } from "react"
import type { Order } from "../api/store"
import { Lines } from "../components/lines"
import { Notice } from "../components/notice"
import { Page, Wait } from "../components/page"
import { Totals } from "../components/totals"
import { useLoaded } from "../hooks/use-loaded"
import { Link } from "../router"
import { useShop } from "../shop"

export function OrderPage({ orderId }: { orderId: string }) {
  const { store } = useShop()
  const load = useCallback(
    async () => (await store.order.retrieve(orderId, { fields: "+payment_status" })).order,
    [store, orderId],
  )
  const [order, again] = useLoaded(load)
  if (order.kind !== "ready") {
    return (
      <Page title="Your order" className="narrow">
        <Wait state={order} label="Fetching your order…" again={again} />
      </Page>
    )
  }
  return <Confirmation order={order.value} />
}

function Confirmation({ order }: { order: Order }) {
  const isPaid = order.payment_status === "captured"
  const address = order.shipping_address
  return (
    <Page title={isPaid ? "Thank you, it is paid" : "Your order"} className="narrow">
      <Notice tone={isPaid ? "good" : "information"}>
        Order <strong data-testid="order-number">#{order.display_id}</strong>
        {isPaid ? " is confirmed" : " waits for its payment"}, for {order.email}.
      </Notice>
      <section className="panel" aria-label="What you bought" data-testid="confirmation">
        <Lines lines={order.items ?? []} currency={order.currency_code} />
        <Totals of={order} totalLabel={isPaid ? "Paid" : "To pay"} hasShipping />
      </section>
      {address && (
        <p className="muted">
          Goes to {address.first_name} {address.last_name}, {address.address_1}, {address.city}.
        </p>
      )}
      <Link to="/" className="button-quiet">
        Buy something else
      </Link>
    </Page>
  )
}
