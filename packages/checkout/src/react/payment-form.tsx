/** Choosing how to pay, and paying. */
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from "react"
import { cardTokenOf, withCaptcha } from "../card.js"
import type { Payment } from "../payment.js"
import { NoAnswer, Refused, quoteIn, type PaymentMethod, type StartRequest } from "../store.js"
import { problemText } from "../texts.js"
import { CardFields } from "./card-fields.js"
import { Contact } from "./contact.js"
import { useKit } from "./context.js"
import { asksForOperator, problemOf, usePaymentMethods, type PayableCart } from "./hooks.js"
import { labelsOf, MobileMoneyNumber, usePayer } from "./mobile-money.js"
import { isOtherWaiting, OtherNumber } from "./other-number.js"
import { askedText, type Wish } from "./payment-progress.js"

export type PaymentFormProps = {
  readonly cart: PayableCart
  /** Only this way to pay, and no question about it: `push`, `hosted` or `card`. */
  readonly flow?: string | undefined
  /** The provider that was tried before. */
  readonly before?: string | null
  /** What was asked for then, as the shopper read it: another total is told. */
  readonly shownBefore?: string | null
  /** What the shopper wants instead of it. */
  readonly wish?: Wish | null
  /** Where the payment page sends the shopper back to. */
  readonly returnTo?: { readonly success: string; readonly cancel: string }
  /** The card processor's own fields, in the place of what the adapter mounts. */
  readonly cardFields?: ReactNode
  onStarted(payment: Payment): void
  /** A start was refused: after `cart_changed`, for example, the shop reads its cart again. */
  onRefused?(problem: Refused | NoAnswer): void
}

/** Refusals that belong beside the number. */
const OF_PHONE = ["invalid_phone", "phone_required", "operator_unknown", "currency_not_served"]
const PHONE_INPUT = '[name="payer_phone"]'

export function PaymentForm(props: PaymentFormProps) {
  const { say, parts } = useKit()
  const methods = usePaymentMethods(props.cart.id)
  if (methods.kind === "loading") return <p role="status">{say("form.busy")}</p>
  if (methods.kind === "failed") {
    return (
      <div className="mp-problem" role="alert">
        <p>{problemText(say, methods.error)}</p>
        <parts.Button onClick={methods.again}>{say("act.again")}</parts.Button>
      </div>
    )
  }
  const offered = methods.value.filter(({ flow }) => [flow, undefined].includes(props.flow))
  const [first] = offered
  if (!first) return <p className="mp-problem">{say("form.none")}</p>
  const before = props.before ?? chosenOf(props.cart)
  const isFirst = (one: PaymentMethod) =>
    (props.wish === "other_way") !== (one.provider_id === before)
  const wanted = before === undefined ? undefined : offered.find(isFirst)
  return <Methods {...props} methods={offered} first={wanted ?? first} />
}

/** The form for mobile money alone, where the shop lets the shopper choose in a way of its own. */
export function MobileMoneyForm(props: Omit<PaymentFormProps, "flow">) {
  return <PaymentForm {...props} flow="push" />
}

/** The form for a card alone, where the shop lets the shopper choose in a way of its own. */
export function CardForm(props: Omit<PaymentFormProps, "flow">) {
  return <PaymentForm {...props} flow="card" />
}

const chosenOf = (cart: PayableCart) =>
  cart.payment_collection?.payment_sessions?.find(({ status }) => status === "pending")?.provider_id

function Methods({
  cart,
  flow,
  methods,
  first,
  wish,
  shownBefore,
  returnTo,
  cardFields,
  onStarted,
  onRefused,
}: PaymentFormProps & {
  readonly methods: readonly PaymentMethod[]
  readonly first: PaymentMethod
}) {
  const { checkout, say, money, parts } = useKit()
  const name = useId()
  const [method, setMethod] = useState(first)
  const [phone, setPhone] = useState(
    wish === "other_number" ? "" : (cart.shipping_address?.phone ?? ""),
  )
  const [isBusy, setBusy] = useState(false)
  const [turnInSeconds, setTurn] = useState<number | null>(null)
  const [problem, setProblem] = useState<Refused | NoAnswer | null>(null)
  const [waiting, setWaiting] = useState<Payment | null>(null)
  const total = money(cart.total, cart.currency_code)
  const [firstTotal] = useState(shownBefore ?? total)
  // What the payment asks for, where the shop's cart is older; the next click agrees to it.
  const [asked, setAsked] = useState({ of: total, amount: total })
  const newest = asked.of === total ? asked.amount : total
  const isOfPhone = problem instanceof Refused && OF_PHONE.includes(problem.code)
  // The gateway wants a number of every payer: where the cart has none it is asked for.
  const [isPhoneMissing, setPhoneMissing] = useState(false)
  const asksPhone = method.flow === "push" || method.needs_phone || isPhoneMissing
  const card = method.flow === "card" ? checkout.cardAdapter : undefined
  const isPush = method.flow === "push"
  const [unnamed, setUnnamed] = useState<string | null>(null)
  const payer = usePayer(cart, method.operators, isPush ? phone : "", unnamed === phone)
  const { isUnpriced, quote } = payer
  const isContactWrong = isOfPhone && problem.code === "invalid_phone" && !isPush
  const wrongPhone = isContactWrong
    ? say("problem.invalid_phone.contact")
    : isOfPhone
      ? problemText(say, problem, money)
      : null

  const pay = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const request: StartRequest = {
        ...(asksPhone && { phone: phone.trim() }),
        ...payer.request,
        ...(card && { card_token: await cardTokenOf(card) }),
        ...(returnTo && { success_url: returnTo.success, cancel_url: returnTo.cancel }),
      }
      const payment = await withCaptcha(card, (captcha) =>
        checkout.pay(cart.id, method.provider_id, { ...request, ...captcha }, setTurn),
      )
      const view = payment.getView()
      const asks = view.phase === "page" && view.status ? askedText(view.status, money) : null
      if (asks !== null && asks !== newest) {
        setAsked({ of: total, amount: asks })
        throw new Refused(409, "cart_changed", "Another total is asked for.", view.status, {})
      }
      if (isPush && (await isOtherWaiting(checkout, view, phone))) setWaiting(payment)
      else onStarted(payment)
    } catch (error) {
      const refused = problemOf(error)
      setProblem(refused)
      if (asksForOperator(refused)) setUnnamed(phone)
      if (refused instanceof Refused) {
        if (OF_PHONE.includes(refused.code)) setPhoneMissing(true)
        const renewed = quoteIn(refused.body)
        if (renewed) payer.renew(renewed)
      }
      onRefused?.(refused)
    } finally {
      setBusy(false)
    }
  }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isOfPhone) form.current?.querySelector<HTMLInputElement>(PHONE_INPUT)?.focus()
  }, [isOfPhone, problem])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isUnpriced && quote.kind === "failed") quote.again()
    else if (!isBusy && !isUnpriced) void pay()
  }
  const isWaiting = isBusy || (isUnpriced && quote.kind !== "failed")
  const amount = payer.told ? money(payer.told.payer_amount, payer.told.payer_currency) : newest
  if (waiting) {
    return (
      <OtherNumber
        payment={waiting}
        phone={phone}
        onCanceled={() => {
          setWaiting(null)
          void pay()
        }}
        onKept={() => onStarted(waiting)}
      />
    )
  }
  return (
    <form ref={form} className="mp-form" onSubmit={submit} noValidate data-testid="pay-form">
      {flow === undefined ? (
        <fieldset className="mp-methods">
          <legend>{say("form.methods")}</legend>
          {methods.map((one) => (
            <label key={one.provider_id} className="mp-method">
              <input
                type="radio"
                name={name}
                checked={one.provider_id === method.provider_id}
                onChange={() => setMethod(one)}
                data-testid={`method-${one.flow}`}
              />
              <span>
                {say(`method.${flowOf(one)}`)}
                <small>{hintOf(one)}</small>
              </span>
            </label>
          ))}
        </fieldset>
      ) : (
        <p className="mp-hint">{hintOf(method)}</p>
      )}
      {asksPhone && (
        <MobileMoneyNumber
          payer={payer}
          offered={method.operators}
          total={cart}
          phone={phone}
          choose={(choice) => {
            payer.choose(choice)
            setProblem(null)
          }}
          change={(typed) => {
            setPhone(typed)
            setProblem(null)
          }}
          problem={wrongPhone}
          isContact={!isPush}
        />
      )}
      {card && <CardFields card={card} fields={cardFields} />}
      {newest !== firstTotal && (
        <p role="status" data-testid="total-changed">
          {say("total.changed", { amount: newest })}
        </p>
      )}
      {problem && !isOfPhone && (
        <>
          <p className="mp-problem" role="alert">
            {problemText(say, problem, money)}
          </p>
          <Contact />
        </>
      )}
      {turnInSeconds !== null && (
        <p className="mp-hint" role="status" data-testid="turn">
          {say("form.turn", { seconds: String(turnInSeconds) })}
        </p>
      )}
      <parts.Button type="submit" disabled={isWaiting} data-testid="pay">
        {isWaiting ? say("form.busy") : isUnpriced ? say("act.again") : say("form.pay", { amount })}
      </parts.Button>
    </form>
  )

  function hintOf(one: PaymentMethod): string {
    const hint = say(`method.${flowOf(one)}.hint`)
    const labels = labelsOf(one.operators)
    return one.flow === "push" && labels !== "" ? `${hint}: ${labels}` : hint
  }
}

function flowOf({ flow }: PaymentMethod): "push" | "hosted" | "card" {
  return flow === "push" || flow === "hosted" ? flow : "card"
}
