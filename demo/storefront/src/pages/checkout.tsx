/**
 * Checkout: address, delivery, payment, one after the other. Which step is open follows from the
 * cart as the store has it, so a reload opens the same one; done steps can be opened again.
 */
import { useEffect, useRef, useState, type ReactNode } from "react"
import type { Cart } from "../api/store"
import { AddressForm } from "../components/address-form"
import { DeliveryForm } from "../components/delivery-form"
import { Lines } from "../components/lines"
import { Page, Spinner } from "../components/page"
import { PayForm } from "../components/pay-form"
import { Totals } from "../components/totals"
import { useCart } from "../hooks/use-cart"
import { formatMoney } from "../money"
import { Link } from "../router"
import { words } from "../words"

type Step = "address" | "delivery" | "payment"

const STEPS: readonly Step[] = ["address", "delivery", "payment"]

export function CheckoutPage() {
  const { cart, isKnown } = useCart()
  const isEmpty = (cart?.items ?? []).length === 0
  return (
    <Page title={words.checkout.title} className="two-sided">
      {!isKnown && <Spinner label={words.cart.fetching} />}
      {isKnown && (cart === null || isEmpty) && (
        <div className="empty">
          <p>{words.checkout.nothing}</p>
          <Link to="/" className="button">
            {words.product.seeAll}
          </Link>
        </div>
      )}
      {cart !== null && !isEmpty && <Steps cart={cart} />}
    </Page>
  )
}

function Steps({ cart }: { cart: Cart }) {
  const [opened, setOpened] = useState<Step | null>(null)
  const next = nextStep(cart)
  // A step that was opened before it can be filled in gives way to the first that is missing.
  const open = opened !== null && STEPS.indexOf(opened) <= STEPS.indexOf(next) ? opened : next
  const done = () => setOpened(null)
  const address = cart.shipping_address
  const method = cart.shipping_methods?.[0]

  const block = (step: Step, title: string, summary: ReactNode, form: ReactNode) => (
    <StepBlock
      number={STEPS.indexOf(step) + 1}
      title={title}
      isOpen={step === open}
      summary={STEPS.indexOf(step) < STEPS.indexOf(next) ? summary : null}
      reopen={() => setOpened(step)}
    >
      {form}
    </StepBlock>
  )

  return (
    <>
      <div className="side-main steps">
        {block(
          "address",
          words.checkout.address,
          <>
            {address?.first_name} {address?.last_name}, {address?.address_1}, {address?.city}
            <br />
            {cart.email}
          </>,
          <AddressForm cart={cart} done={done} />,
        )}
        {block(
          "delivery",
          words.checkout.delivery,
          <>
            {method?.name}, {formatMoney(cart.shipping_total, cart.currency_code)}
          </>,
          <DeliveryForm cart={cart} done={done} />,
        )}
        {block(
          "payment",
          words.checkout.payment,
          null,
          <PayForm key={cart.region_id} cart={cart} />,
        )}
      </div>
      <section className="side panel" aria-label={words.checkout.yourOrder}>
        <details className="summary-lines">
          <summary>{words.checkout.whatYouBuy}</summary>
          <Lines lines={cart.items ?? []} currency={cart.currency_code} />
        </details>
        <Totals of={cart} hasShipping={method !== undefined} />
      </section>
    </>
  )
}

function nextStep(cart: Cart): Step {
  const address = cart.shipping_address
  // An e-mail is optional: Medusa orders without one.
  if (!address?.address_1 || !address.phone || !address.country_code) {
    return "address"
  }
  return (cart.shipping_methods ?? []).length === 0 ? "delivery" : "payment"
}

type StepBlockProps = {
  number: number
  title: string
  isOpen: boolean
  /** Null while the step is not done. */
  summary: ReactNode
  reopen(): void
  children: ReactNode
}

function StepBlock({ number, title, isOpen, summary, reopen, children }: StepBlockProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    // The button that had the focus went away with the step before.
    if (isOpen && !wasOpen.current) heading.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])

  return (
    <section className={isOpen ? "panel step" : "panel step step-closed"} aria-label={title}>
      <h2 ref={heading} tabIndex={-1} className="step-title">
        <span className="step-number" aria-hidden="true">
          {summary !== null && !isOpen ? "✓" : number}
        </span>
        {title}
        {!isOpen && summary !== null && (
          <button type="button" className="button-link" onClick={reopen}>
            {words.common.change}
            <span className="visually-hidden"> {title.toLowerCase()}</span>
          </button>
        )}
      </h2>
      {isOpen ? children : summary && <p className="step-summary">{summary}</p>}
    </section>
  )
}
