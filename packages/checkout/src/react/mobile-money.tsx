/** The number that is asked to pay, whose wallet it is, and what that is charged. */
import { useId, useState } from "react"
import type { Checkout } from "../checkout.js"
import { digitsOf } from "../digits.js"
import type { Operator, Quote, Refused, StartRequest } from "../store.js"
import { problemText } from "../texts.js"
import { whyCharged } from "./charged.js"
import { useKit } from "./context.js"
import { useQuote, useWallet, type Loaded, type PayableCart } from "./hooks.js"

/** What the shopper has chosen over what was found; of one number alone. */
type Choice = {
  readonly of: string
  readonly operator?: Operator
  readonly currency?: string
}

/** What `start` named instead of the quote that was asked for: of one number and total alone. */
type Renewed = { readonly of: string; readonly total: number; readonly quote: Quote }

export type Payer = {
  readonly operator: Operator | null
  /** The one that was found comes first; where none was, those that the shopper may name. */
  readonly operators: readonly Operator[]
  readonly isFound: boolean
  readonly currency: string | undefined
  /** What is charged, where that is another amount or currency than the cart's. */
  readonly told: Quote | null
  /** Another currency, and not known yet how much: nobody pays what was not shown. */
  readonly isUnpriced: boolean
  readonly quote: Loaded<Quote>
  /** What is wrong with the number. */
  readonly problem: Refused | null
  /** What `start` is told of the wallet, and that it is to charge what is shown and no more. */
  readonly request: StartRequest
  choose(choice: Omit<Choice, "of">): void
  /** The new quote from a `quote_changed` refusal. */
  renew(quote: Quote): void
}

/** After a prompt that failed, the form is shown anew. */
const lastChoice = new WeakMap<Checkout, Choice>()

/**
 * @param phone empty where no wallet is to pay
 * @param isAsked a start of this number wants the operator's name
 */
export function usePayer(
  cart: PayableCart,
  offered: readonly Operator[],
  phone: string,
  isAsked: boolean,
): Payer {
  const { checkout, money } = useKit()
  const country = cart.shipping_address?.country_code ?? undefined
  const { operator: found, problem, isUnknown } = useWallet(phone, country)
  const of = `${phone} ${country ?? ""}`
  const [choice, setChoice] = useState<Choice>(() => lastChoice.get(checkout) ?? { of })
  const chosen = choice.of === of ? choice : { of }
  const isToName = isAsked || isUnknown || chosen.operator !== undefined
  const named = isToName ? operatorsFor(phone, country, offered) : []
  const operators = found ? operatorsBeside(found, offered) : named
  const isKnown = chosen.operator !== undefined && operators.some(isSame(chosen.operator))
  const operator = (isKnown ? chosen.operator : found && operators[0]) ?? null
  const own = cart.currency_code.toUpperCase()
  const currencies = operator?.currencies ?? []
  const isOwn = currencies.length === 0 || currencies.includes(own)
  const currency = chosen.currency ?? (isOwn ? own : currencies[0])
  const quote = useQuote(cart, operator?.payment_method, currency)
  const [renewed, setRenewed] = useState<Renewed>()
  const newest = renewed?.of === of && renewed.total === cart.total ? renewed.quote : null
  const asked = quote.kind === "ready" ? quote.value : null
  // One in another currency was asked for before that was chosen.
  const known = [newest, asked].find((one) => one?.payer_currency === currency) ?? null
  // As the shopper reads them: Medusa's totals have more digits than a currency.
  const isTotal =
    known && money(known.payer_amount, known.payer_currency) === money(cart.total, own)
  // Where the gateway can't say what is charged, start can't hold it to that either.
  const expected = known?.payer_amount ?? (quote.kind === "failed" ? null : cart.total)
  const request: StartRequest = {
    ...(isKnown && { payment_method: chosen.operator?.payment_method }),
    ...(operator && currency !== own && { payer_currency: currency }),
    ...(expected !== null && { expected_payer_amount: expected }),
  }
  return {
    operator,
    operators,
    isFound: found !== null,
    currency,
    told: isTotal ? null : known,
    isUnpriced: operator !== null && currency !== own && known === null,
    quote,
    // The shopper knows better than the store, which only could not say whose the number is.
    problem: operator === null ? problem : null,
    request: phone === "" ? {} : request,
    choose: (made) => {
      lastChoice.set(checkout, { of, ...made })
      setChoice({ of, ...made })
      setRenewed(undefined)
    },
    renew: (newer) => setRenewed({ of, total: cart.total, quote: newer }),
  }
}

/**
 * What was found, under the shop's own name, and the others of its country. Where the shop knows
 * the found one by another name, it knows the others by other names, too: they are left out.
 */
function operatorsBeside(found: Operator, offered: readonly Operator[]): Operator[] {
  const isFound = isSame(found)
  const named = offered.find(isFound)
  if (!named) return [found]
  const others = offered.filter((one) => one.country === found.country && !isFound(one))
  return [{ ...found, label: named.label }, ...others]
}

const isSame =
  ({ payment_method }: Operator) =>
  (one: Operator) =>
    one.payment_method === payment_method

/** Those of the number's country, where one is served there; else all. */
function operatorsFor(
  phone: string,
  country: string | undefined,
  offered: readonly Operator[],
): readonly Operator[] {
  const isAbroad = /^\P{Nd}*[+＋]/u.test(phone) || digitsOf(phone).startsWith("00")
  const those = offered.filter((one) => one.country === country?.toUpperCase())
  return isAbroad || those.length === 0 ? offered : those
}

export function MobileMoneyNumber(props: {
  readonly payer: Payer
  readonly offered: readonly Operator[]
  readonly phone: string
  change(phone: string): void
  choose: Payer["choose"]
  readonly problem: string | null
  readonly total: Pick<PayableCart, "total" | "currency_code">
  /** The number only names the payer: no request to approve goes to it. */
  readonly isContact?: boolean
}) {
  const { say, money, parts } = useKit()
  const { isContact = false } = props
  const id = useId()
  const { operator, problem } = props.payer
  const wrong = props.problem ?? (problem && problemText(say, problem, money))
  // Before the number is known, all that fail; after that, only what is about to be used.
  const near = operator ? [operator] : props.offered
  const failing = isContact ? "" : labelsOf(near.filter(({ status }) => status === "disrupted"))
  return (
    <div className="mp-field">
      <label htmlFor={id}>{say(isContact ? "form.phone.contact" : "form.phone")}</label>
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
        {wrong ??
          operator?.label ??
          say(isContact ? "problem.phone_required.contact" : "form.phone.hint")}
      </p>
      {failing && (
        <p className="mp-problem" role="status">
          {say("form.disrupted", { operator: failing })}
        </p>
      )}
      <WalletChoice payer={props.payer} choose={props.choose} total={props.total} />
    </div>
  )
}

export const labelsOf = (operators: readonly Operator[]) =>
  [...new Set(operators.map(({ label }) => label))].join(", ")

/** A number may have moved to another operator, and a wallet may hold two currencies. */
function WalletChoice(props: {
  readonly payer: Payer
  choose: Payer["choose"]
  readonly total: Pick<PayableCart, "total" | "currency_code">
}) {
  const { say } = useKit()
  const { payer, choose } = props
  const { operator, operators, isFound, currency = "", quote, told, isUnpriced } = payer
  const isDefault = (one: Operator) => isFound && one === operators[0]
  const chooseOperator = (method: string) => {
    const wanted = operators.find((one) => one.payment_method === method)
    if (!wanted) return
    choose({
      ...(!isDefault(wanted) && { operator: wanted }),
      ...(wanted.currencies.includes(currency) && { currency }),
    })
  }
  return (
    <>
      <div className="mp-choices">
        <Choose
          name="payer_operator"
          label={say("form.operator")}
          value={operator?.payment_method ?? ""}
          options={[
            ...(isFound ? [] : [["", say("form.choose")] as const]),
            ...operators.map((one) => [one.payment_method, one.label] as const),
          ]}
          choose={chooseOperator}
        />
        {operator && (
          <Choose
            name="payer_currency"
            label={say("form.currency")}
            value={currency}
            options={operator.currencies.map((code) => [code, code])}
            choose={(code) => choose({ ...(!isDefault(operator) && { operator }), currency: code })}
          />
        )}
      </div>
      {operator && <FeeQuote quote={told} label={operator.label} of={props.total} />}
      {operator && quote.kind === "ready" && <Limits of={quote.value} label={operator.label} />}
      {isUnpriced && quote.kind === "failed" && (
        <p className="mp-problem" role="alert">
          {problemText(say, quote.error)}
        </p>
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

/** What the operator takes of one payment, as it said lately: it refuses by itself. */
function Limits({ of, label: operator }: { readonly of: Quote; readonly label: string }) {
  const { say, money } = useKit()
  const { least, most, payer_currency: currency } = of
  if (least === null && most === null) return null
  const facts = {
    operator,
    least: money(least ?? 0, currency),
    most: money(most ?? 0, currency),
  }
  const key = least === null ? "form.most" : most === null ? "form.least" : "form.limits"
  return (
    <p className="mp-hint" data-testid="limits">
      {say(key, facts)}
    </p>
  )
}

/** What the wallet is charged, beside the cart's own total; silent for null. */
export function FeeQuote(props: {
  readonly quote: Quote | null
  readonly label: string
  /** What the cart asks for: the fee on top of it, or the rate, is told as well. */
  readonly of?: Pick<PayableCart, "total" | "currency_code">
}) {
  const kit = useKit()
  const { quote, of } = props
  if (quote === null) return <p className="mp-hint" role="status" />
  const { payer_amount: amount, payer_currency: currency } = quote
  const facts = { operator: props.label, amount: kit.money(amount, currency) }
  const asked = of && { amount: of.total, currency: of.currency_code }
  const more = asked ? whyCharged(kit, { amount, currency }, asked) : ""
  return (
    <p className="mp-hint" role="status">
      {kit.say("form.quote", facts)} {more}
    </p>
  )
}
