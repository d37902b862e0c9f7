/** Everything a checkout page needs for one cart: the form, the waiting, the end, and a new try. */
import { useEffect, useRef, useState, type ReactNode } from "react"
import type { Payment, PaymentView, Phase } from "../payment.js"
import { useKit, type Kit } from "./context.js"
import { useMerchantPayment, useOperator, type PayableCart } from "./hooks.js"
import { PaymentForm, type PaymentFormProps } from "./payment-form.js"
import { askedText, PaymentProgress, type Wish } from "./payment-progress.js"

export type MerchantPaymentProps = Pick<
  PaymentFormProps,
  "flow" | "returnTo" | "onRefused" | "cardFields"
> & {
  /**
   * Null where this browser does not know it: then nothing new can be started. Undefined while the
   * shop fetches it.
   */
  readonly cart: PayableCart | null | undefined
  /** The payment to show, as in the address of a page. Default: the one that was remembered. */
  readonly sessionId?: string
  /** The shopper came back from the payment page by its way out, to `returnTo.cancel`. */
  readonly isBackFromPage?: boolean
  /** Called once. With `pay_first` the store has made the order by then. */
  onPaid?(orderId: string | null, view: PaymentView): void
  /** A payment has begun, or another one is under way: the session to show from here on. */
  onStarted?(sessionId: string): void
  /** The shopper has taken the payment back and wants no other. */
  onCanceled?(): void
  onPhase?(phase: Phase): void
  /** What the shop adds below: whom to ask, for example. */
  beside?(view: PaymentView): ReactNode
  /** In the place of `location.assign`. */
  leaveTo?(url: string): void
}

export function MerchantPayment(props: MerchantPaymentProps) {
  const { checkout, say } = useKit()
  const { cart, onStarted, leaveTo = (url: string) => window.location.assign(url) } = props
  const cartId = cart?.id
  // Undefined until the browser is asked: a server that makes the page first remembers nothing.
  const [begun, setBegun] = useState<string | null>()
  useEffect(() => {
    if (cartId === undefined) return
    const remembered = checkout.remembered()
    const its = remembered?.cartId === cartId ? remembered.sessionId : null
    setBegun((known) => known ?? its)
  }, [checkout, cartId])
  const started = (payment: Payment) => {
    const { sessionId, phase, status } = payment.getView()
    setBegun(sessionId)
    onStarted?.(sessionId)
    if (phase === "page" && status?.url != null) leaveTo(status.url)
  }
  const shown = props.sessionId ?? begun
  if (typeof shown === "string")
    return <Shown key={shown} {...props} sessionId={shown} begin={started} />
  if (!cart || shown === undefined) return <NoCart say={say} cart={cart} />
  return <PaymentForm {...props} cart={cart} onStarted={started} />
}

function NoCart({ say, cart }: Pick<Kit, "say"> & Pick<MerchantPaymentProps, "cart">) {
  return <p className="mp-hint">{say(cart === null ? "form.elsewhere" : "form.busy")}</p>
}

function Shown({
  sessionId,
  begin,
  ...props
}: MerchantPaymentProps & { readonly sessionId: string; begin(payment: Payment): void }) {
  const { checkout, say, money } = useKit()
  const view = useMerchantPayment(sessionId)
  const { phase, status } = view
  const [wish, setWish] = useState<Wish | null>(null)
  const [isKept, setKept] = useState(false)
  const asked = phase === "approve" ? status?.operator?.payment_method : undefined
  const operator = useOperator(props.cart?.id, asked)
  const { onPhase, onPaid } = props
  const isTold = useRef(false)
  useEffect(() => onPhase?.(phase), [onPhase, phase])
  useEffect(() => {
    if (phase === "gone") checkout.forget()
    if (phase !== "paid" || isTold.current) return
    isTold.current = true
    checkout.forget()
    onPaid?.(view.status?.order_id ?? null, view)
  }, [checkout, phase, view, onPaid])

  const cancel = async (wanted: Wish) => {
    setWish(wanted)
    setKept(false)
    const after = await view.cancel()
    const isOver = after.phase === "expired" || after.phase === "failed"
    if (isOver && wanted === "cancel") props.onCanceled?.()
    setKept(!isOver && after.problem === null && after.phase !== "paid")
  }
  const form = props.cart ? (
    <PaymentForm
      {...props}
      // Asked for by name: the shop's own question is answered differently now.
      {...(wish === "other_way" && { flow: undefined })}
      cart={props.cart}
      before={status?.provider_id ?? null}
      shownBefore={status && askedText(status, money)}
      wish={wish}
      onStarted={begin}
    />
  ) : (
    <NoCart say={say} cart={props.cart} />
  )
  if (phase === "ready") return form
  const isEnded = phase === "failed" || phase === "expired" || phase === "gone"
  const canRetry = phase === "gone" || status?.can_retry === true
  return (
    <PaymentProgress
      // Why a new start was refused stands in the form.
      view={isEnded && canRetry ? { ...view, problem: null } : view}
      isBackFromPage={props.isBackFromPage === true}
      operator={operator}
      onCancel={(wanted) => void cancel(wanted)}
      onConfirm={() => void view.confirm()}
    >
      {isKept && !isEnded && (
        <p className="mp-problem" role="alert">
          {say("problem.not_canceled")}
        </p>
      )}
      {isEnded && (canRetry ? form : <p>{say("act.wait")}</p>)}
      {props.beside?.(view)}
    </PaymentProgress>
  )
}
