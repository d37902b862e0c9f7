"use client"
/**
 * Where the payment page sends the shopper back to. The browser came from another site, so the page
 * is asked for without the shop's `SameSite=Strict` cookies: it is made without them, and the cart
 * is asked for from the page itself, which the cookies do go with.
 */
import { useEffect, useState, type ReactNode } from "react"
import { untilAnswered } from "../ask-again.js"
import type { Checkout } from "../checkout.js"
import { within } from "../deadline.js"
import { useKit } from "../react/context.js"
import type { PayableCart } from "../react/hooks.js"
import { MerchantPayment, type MerchantPaymentProps } from "../react/merchant-payment.js"

export type PaymentReturnProps = Omit<
  MerchantPaymentProps,
  "cart" | "sessionId" | "isBackFromPage"
> & {
  /** The shopper's cart, for another try. A server action may do it. */
  loadCart(): Promise<PayableCart | null>
  /** Shown where neither the address nor this browser names a payment. */
  readonly nothing?: ReactNode
}

/** For what the shop itself asks its server. */
const CART_MS = 20_000

type Back = { readonly sessionId: string | null; readonly isCanceled: boolean }

/** `returnTo` of the payment form, for the page at `path`. Call it in the browser. */
export function returnTo(path: string): NonNullable<MerchantPaymentProps["returnTo"]> {
  const success = new URL(path, location.origin)
  const cancel = new URL(success.href)
  cancel.searchParams.set("back", "cancel")
  return { success: success.href, cancel: cancel.href }
}

export function PaymentReturn({ loadCart, nothing, ...props }: PaymentReturnProps) {
  const { checkout, say } = useKit()
  const [back, setBack] = useState<Back | null>(null)
  const [cart, setCart] = useState<PayableCart | null>()
  useEffect(() => {
    const found = backAt(location.search, checkout)
    setBack(found)
    return untilAnswered(() => within(CART_MS, loadCart), checkout.around, {
      answered: (mine) => setCart(isOfPayment(mine, found, checkout) ? mine : null),
      failed: () => setCart(null),
    })
  }, [checkout, loadCart])
  if (back === null) return <p role="status">{say("form.busy")}</p>
  if (back.sessionId === null) return <>{nothing ?? <p>{say("gone.text")}</p>}</>
  return (
    <MerchantPayment
      {...props}
      cart={cart}
      sessionId={back.sessionId}
      isBackFromPage={back.isCanceled}
    />
  )
}

/** Of an address only the payment that this browser began is shown: anyone can write another's. */
export function backAt(search: string, checkout: Checkout): Back {
  const asked = new URLSearchParams(search)
  const named = asked.get("payment_session_id")
  const remembered = checkout.remembered()?.sessionId ?? null
  const isMine = named === null || named === remembered || checkout.isMine(named)
  return {
    sessionId: isMine ? (named ?? remembered) : null,
    isCanceled: asked.get("back") === "cancel",
  }
}

/** Another payment's cart is not to be paid here. */
function isOfPayment(cart: PayableCart | null, { sessionId }: Back, checkout: Checkout): boolean {
  const remembered = checkout.remembered()
  return cart?.id === remembered?.cartId && sessionId === remembered?.sessionId
}
