/** The number that is asked to pay, whose wallet it is, and what that is charged. */
import { useId, useState } from "react"
import { Refused, type Operator, type Quote, type StartRequest } from "../store.js"
import { problemText } from "../texts.js"
import { useKit, type Kit } from "./context.js"
import { useQuote, useWallet, type Loaded, type PayableCart } from "./hooks.js"

/** What the shopper has chosen over what was found; of one number and total alone. */
type Choice = {
  readonly of: string
  readonly operator?: Operator
  readonly currency?: string
  /** The store's own, in the refusal of the one that was shown. */
  readonly quote?: Quote
}

export type Payer = {
  readonly operator: Operator | null
  /** The operators of the number's country; what was found is one of them. */
  readonly operators: readonly Operator[]
  readonly currency: string | undefined
  /** What is charged, where that is another amount or currency than the cart's. */
  readonly told: Quote | null
  /** Another currency, and not known yet how much: nobody pays what was not shown. */
  readonly isUnpriced: boolean
  readonly quote: Loaded<Quote>
  /** What is wrong with the number. */
  readonly problem: Refused | null
  readonly request: Pick<
    StartRequest,
    "payment_method" | "payer_currency" | "expected_payer_amount"
  >
  choose(choice: Pick<Choice, "operator" | "currency">): void
  renew(quote: Quote | null): void
}

/** @param phone empty where no wallet is to pay */
export function usePayer(cart: PayableCart, offered: readonly Operator[], phone: string): Payer {
  const { operator: found, problem } = useWallet(
    phone,
    cart.shipping_address?.country_code ?? undefined,
  )
  const { money } = useKit()
  const of = `${phone} ${cart.total}`
  const [choice, setChoice] = useState<Choice>({ of })
  const chosen = choice.of === of ? choice : { of }
  const isFound = (one: Operator) => one.payment_method === found?.payment_method
  const operators = found
    ? [
        { ...found, label: offered.find(isFound)?.label ?? found.label },
        ...offered.filter((one) => one.country === found.country && !isFound(one)),
      ]
    : []
  const operator = chosen.operator ?? operators[0] ?? null
  const own = cart.currency_code.toUpperCase()
  const currencies = operator?.currencies ?? []
  const isOwn = currencies.length === 0 || currencies.includes(own)
  const currency = chosen.currency ?? (isOwn ? own : currencies[0])
  const quote = useQuote(cart, operator?.payment_method, currency)
  const asked = quote.kind === "ready" ? quote.value : null
  const newest = chosen.quote ?? asked
  // The one before stays for a moment after another currency is chosen.
  const known = newest?.payer_currency === currency ? newest : null
  // As the shopper reads them: Medusa's totals have more digits than a currency.
  const isSame = known && money(known.payer_amount, known.payer_currency) === money(cart.total, own)
  const told = isSame ? null : known
  return {
    operator,
    operators,
    currency,
    told,
    isUnpriced: operator !== null && currency !== own && told === null,
    quote,
    problem,
    request: {
      ...(chosen.operator && { payment_method: chosen.operator.payment_method }),
      ...(operator && currency !== own && { payer_currency: currency }),
      ...(told && { expected_payer_amount: told.payer_amount }),
    },
    choose: (made) => setChoice({ of, ...made }),
    renew: (newer) => newer && setChoice({ ...chosen, quote: newer }),
  }
}

export function MobileMoneyNumber(props: {
  readonly payer: Payer
  readonly phone: string
  change(phone: string): void
  readonly problem: string | null
}) {
  const { say, parts } = useKit()
  const id = useId()
  const { operator, problem } = props.payer
  const wrong = props.problem ?? (problem && problemText(say, problem))
  const hint = operator && hintOf(say, operator)
  return (
    <div className="mp-field">
      <label htmlFor={id}>{say("form.phone")}</label>
      <parts.Input
        id={id}
        name="payer_phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        required
        value={props.phone}
        onChange={(event) => props.change(event.target.value)}
        aria-invalid={wrong !== null}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className={wrong === null ? "mp-hint" : "mp-problem"} role="status">
        {wrong ?? hint ?? say("form.phone.hint")}
      </p>
      {operator && <WalletChoice payer={props.payer} operator={operator} />}
    </div>
  )
}

function hintOf(say: Kit["say"], { label, currencies }: Operator): string {
  if (currencies.length === 0) return label
  return say("form.operator", { operator: label, currencies: currencies.join(", ") })
}

/** A number may have moved to another operator, and a wallet may hold two currencies. */
function WalletChoice({ payer, operator }: { readonly payer: Payer; readonly operator: Operator }) {
  const { say, parts } = useKit()
  const { operators, currency = "", quote, told, isUnpriced } = payer
  const { payment_method, currencies } = operator
  return (
    <>
      <div className="mp-choices">
        <Choose
          name="payer_operator"
          label={say("form.operator.label")}
          value={payment_method}
          options={operators.map((one) => [one.payment_method, one.label])}
          choose={(method) => {
            const wanted = operators.find((one) => one.payment_method === method)
            payer.choose(wanted && wanted !== operators[0] ? { operator: wanted } : {})
          }}
        />
        <Choose
          name="payer_currency"
          label={say("form.currency")}
          value={currency}
          options={currencies.map((code) => [code, code])}
          choose={(code) =>
            payer.choose({ ...(operator !== operators[0] && { operator }), currency: code })
          }
        />
      </div>
      {told && <FeeQuote quote={told} label={operator.label} />}
      {isUnpriced && quote.kind === "failed" && (
        <div className="mp-problem" role="alert">
          <p>{problemText(say, quote.error)}</p>
          <parts.Button className="mp-button mp-quiet" onClick={quote.again}>
            {say("act.again")}
          </parts.Button>
        </div>
      )}
    </>
  )
}

/** Nothing where there is nothing to choose. */
function Choose(props: {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  choose(value: string): void
}) {
  if (props.options.length < 2) return null
  return (
    <label className="mp-choice">
      {props.label}
      <select
        className="mp-input"
        name={props.name}
        value={props.value}
        onChange={(event) => props.choose(event.target.value)}
      >
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** What the wallet is charged, beside the cart's own total. */
export function FeeQuote({ quote, label }: { readonly quote: Quote; readonly label: string }) {
  const { say, money } = useKit()
  const amount = money(quote.payer_amount, quote.payer_currency)
  return (
    <p className="mp-hint" role="status">
      {say("form.quote", { operator: label, amount })}
    </p>
  )
}
