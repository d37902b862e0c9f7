/** A payment that ended without money, or was never started: why, and how to pay after all. */
import { useCallback } from "react"
import type { PaymentStatus } from "../../api/payment-status"
import { CART_FIELDS } from "../../api/store"
import { useLoaded } from "../../hooks/use-loaded"
import { rememberedCart, rememberedPaymentCart } from "../../memory"
import { Link } from "../../router"
import { useShop } from "../../shop"
import { endedBecause } from "../../words"
import { Notice } from "../notice"
import { Page, Spinner, Wait } from "../page"
import { PayForm } from "../pay-form"

type PayAgainProps = { status: PaymentStatus; started(status: PaymentStatus): void }

export function PayAgain({ status, started }: PayAgainProps) {
  const isEnded = status.state !== "ready"
  return (
    <Page title={isEnded ? "Not paid" : "Ready to pay"} className="narrow">
      {isEnded && (
        <Notice tone="problem">
          <strong data-testid="reason">{endedBecause(status)}</strong> You were not charged.
        </Notice>
      )}
      {!isEnded || status.canRetry ? (
        <section className="panel" aria-label="Try again">
          {isEnded && <p>Try again, with the same number or another one.</p>}
          <PaymentCartForm status={status} started={started} />
        </section>
      ) : (
        <>
          <Spinner label="One moment, then you can try again…" />
          <Link to="/cart">Back to the cart</Link>
        </>
      )}
    </Page>
  )
}

function PaymentCartForm({ status, started }: PayAgainProps) {
  const { store } = useShop()
  const load = useCallback(async () => {
    const id = rememberedPaymentCart.read() ?? rememberedCart.read()
    return id === null ? null : (await store.cart.retrieve(id, CART_FIELDS)).cart
  }, [store])
  const [cart, again] = useLoaded(load)
  if (cart.kind !== "ready") return <Wait state={cart} label="Fetching your cart…" again={again} />
  if (cart.value === null) {
    return <Notice tone="information">Pay from the browser in which you filled the cart.</Notice>
  }
  return <PayForm cart={cart.value} before={status.providerId} started={started} />
}
