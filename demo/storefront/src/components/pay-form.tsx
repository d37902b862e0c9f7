/**
 * Choosing how to pay, and paying. Used at checkout and again after a payment that failed. Where
 * the payment goes on elsewhere (a hosted page) this leaves the shop; otherwise it shows the
 * payment.
 */
import { useCallback, useState, type FormEvent } from "react"
import { PaymentRefused, type PaymentMethod } from "../api/payments"
import type { PaymentStatus } from "../api/payment-status"
import type { Cart } from "../api/store"
import { useAct } from "../hooks/use-act"
import { useCart } from "../hooks/use-cart"
import { useLoaded } from "../hooks/use-loaded"
import { usePay } from "../hooks/use-pay"
import { formatMoney } from "../money"
import { navigate } from "../router"
import { useShop } from "../shop"
import { isAboutPhone, refusalInWords } from "../words"
import { Notice, Problem } from "./notice"
import { Wait } from "./page"
import { PhoneField } from "./phone-field"

type PayFormProps = {
  cart: Cart
  /** The way to pay that was tried before. */
  before?: string | null
  /** Called with the payment as it is now; the default shows it. */
  started?(status: PaymentStatus): void
}

export function PayForm({ cart, before = null, started = showPayment }: PayFormProps) {
  const { payments } = useShop()
  const load = useCallback(
    async () => (await payments.methods(cart.id)).sort(byFlow),
    [payments, cart.id],
  )
  const [methods, again] = useLoaded(load)
  if (methods.kind !== "ready") {
    return <Wait state={methods} label="Fetching ways to pay…" again={again} />
  }
  const first = methods.value.find((one) => one.providerId === before) ?? methods.value[0]
  if (first === undefined) {
    return <Notice tone="problem">There is no way to pay here at the moment.</Notice>
  }
  return <Methods cart={cart} methods={methods.value} first={first} started={started} />
}

type MethodsProps = {
  cart: Cart
  methods: PaymentMethod[]
  first: PaymentMethod
  started(status: PaymentStatus): void
}

function Methods({ cart, methods, first, started }: MethodsProps) {
  const { refresh } = useCart()
  const pay = usePay()
  const paying = useAct()
  const [method, setMethod] = useState(first)
  const [phone, setPhone] = useState(cart.shipping_address?.phone ?? "")
  const [phoneProblem, setPhoneProblem] = useState<string | null>(null)
  const asksPhone = method.flow === "push" || method.needsPhone

  const attempt = async () => {
    try {
      const choice = { providerId: method.providerId, phone: asksPhone ? phone.trim() : null }
      const status = await pay(cart, choice)
      if (status.flow === "hosted" && status.state === "waiting_for_payer") leaveTo(status)
      else started(status)
    } catch (error) {
      if (error instanceof PaymentRefused && error.code === "cart_changed") await refresh()
      if (!asksPhone || !isAboutPhone(error)) {
        throw new Error(refusalInWords(error), { cause: error })
      }
      setPhoneProblem(refusalInWords(error))
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setPhoneProblem(null)
    void paying.run(attempt)
  }

  return (
    <form className="form" onSubmit={submit} data-testid="pay-form">
      <fieldset className="choices">
        <legend className="visually-hidden">How to pay</legend>
        {methods.map((one) => (
          <label key={one.providerId} className="choice">
            <input
              type="radio"
              name="method"
              checked={one.providerId === method.providerId}
              onChange={() => setMethod(one)}
              data-testid={`method-${one.flow}`}
            />
            <span className="choice-text">
              {methodName(one.flow)}
              <span className="muted">{methodHint(one)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {asksPhone && (
        <PhoneField
          value={phone}
          change={(value) => {
            setPhone(value)
            setPhoneProblem(null)
          }}
          countryCode={cart.shipping_address?.country_code ?? null}
          problem={phoneProblem}
        />
      )}
      <Problem message={paying.message} />
      <button type="submit" className="button" disabled={paying.isBusy} data-testid="pay">
        {paying.isBusy ? "One moment…" : `Pay ${formatMoney(cart.total, cart.currency_code)}`}
      </button>
    </form>
  )
}

/** What stays in the shop comes before what leaves it. */
function byFlow(a: PaymentMethod, b: PaymentMethod): number {
  return Number(b.flow === "push") - Number(a.flow === "push")
}

function methodName(flow: string): string {
  if (flow === "push") return "Mobile money"
  if (flow === "hosted") return "Payment page"
  return "Card"
}

function methodHint({ flow, operators }: PaymentMethod): string {
  if (flow === "hosted") return "Mobile money or card, on the payment service's own page"
  const labels = [...new Set(operators.map(({ label }) => label))].join(", ")
  return labels === "" ? "Approve on your phone" : `Approve on your phone: ${labels}`
}

function showPayment(status: PaymentStatus): void {
  navigate(`/payment/${status.id}`)
}

/** The payment stands behind the hosted page, so that Back from there shows it and not the form. */
function leaveTo(status: PaymentStatus): void {
  navigate(`/payment/${status.id}`, { replace: true })
  if (status.url !== null) window.location.assign(status.url)
}
