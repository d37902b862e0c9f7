import { useCallback, useEffect, useReducer, useState, useSyncExternalStore } from "react"
import type { Checkout } from "../checkout.js"
import { untilAnswered } from "../ask-again.js"
import { digitsOf } from "../digits.js"
import type { Payment, PaymentView } from "../payment.js"
import { NoAnswer, Refused, type Operator, type PaymentMethod, type Quote } from "../store.js"
import { useKit } from "./context.js"

/** Pause in typing before a number is looked up. */
const LOOK_UP_AFTER_MS = 600
/**
 * How many digits a number needs before its operator is looked up while it is typed. Whether a
 * number can pay, only the store says.
 */
const LOOK_UP_DIGITS = 8
const OF_NUMBER = ["invalid_phone", "operator_unknown"]

/** What the kit reads of a cart; Medusa's has it. */
export type PayableCart = {
  readonly id: string
  readonly total: number
  readonly currency_code: string
  readonly shipping_address?: {
    readonly phone?: string | null
    readonly country_code?: string | null
  } | null
  /** The shop may have asked already how to pay: that provider is chosen at first. */
  readonly payment_collection?: {
    readonly payment_sessions?: readonly ChosenProvider[] | null
  } | null
}

type ChosenProvider = { readonly provider_id: string; readonly status: string }

export type Loaded<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly value: T }
  | { readonly kind: "failed"; readonly error: Refused | NoAnswer; again(): void }

/** Follows the payment while a component shows it. */
export function useMerchantPayment(
  sessionId: string,
): PaymentView & Pick<Payment, "start" | "cancel" | "confirm"> {
  const payment = useKit().checkout.payment(sessionId)
  const view = useSyncExternalStore(payment.subscribe, payment.getView, payment.getView)
  return { ...view, start: payment.start, cancel: payment.cancel, confirm: payment.confirm }
}

/** What this page knows how to pay with; what stays in the shop comes first. */
export function usePaymentMethods(cartId: string): Loaded<readonly PaymentMethod[]> {
  const { checkout } = useKit()
  const load = useCallback(async () => {
    const methods = await checkout.store.methods(cartId)
    lastOffer.set(checkout, { cartId, methods })
    const known = checkout.cardAdapter ? FLOWS : FLOWS.filter((flow) => flow !== "card")
    return known.flatMap((flow) => methods.filter((method) => method.flow === flow))
  }, [checkout, cartId])
  return useLoaded(load)
}

const FLOWS = ["push", "card", "hosted"]
/** Kept for the waiting screen, which comes after the form. */
const lastOffer = new WeakMap<
  Checkout,
  { readonly cartId: string; readonly methods: readonly PaymentMethod[] }
>()

/** The shop's own entry for a payment method; null until it is known. */
export function useOperator(
  cartId: string | undefined,
  paymentMethod: string | undefined,
): Operator | null {
  const { checkout } = useKit()
  const load = useCallback(async () => {
    if (cartId === undefined || paymentMethod === undefined) return null
    const last = lastOffer.get(checkout)
    const methods = last?.cartId === cartId ? last.methods : await checkout.store.methods(cartId)
    const operators = methods.flatMap((method) => method.operators)
    return operators.find((one) => one.payment_method === paymentMethod) ?? null
  }, [checkout, cartId, paymentMethod])
  const operator = useLoaded(load)
  return operator.kind === "ready" ? operator.value : null
}

export type Wallet = {
  readonly operator: Operator | null
  /** What is wrong with the number, as far as it is one. */
  readonly problem: Refused | null
  /** The gateway couldn't tell the number's operator, so the shopper may choose it. */
  readonly isUnknown: boolean
}

const NOTHING: Wallet = { operator: null, problem: null, isUnknown: false }

/**
 * Whether the shopper can help by naming the operator of the number. Where the gateway is down no
 * choice of operator helps, and the form asks for none.
 */
export function asksForOperator(problem: unknown): boolean {
  if (!(problem instanceof Refused)) return false
  return (
    problem.code === "operator_unknown" ||
    problem.body["situation"] === "gateway_unavailable.operator"
  )
}

/** Whose wallet a number is, while it is typed. Paying does not wait for it. */
export function useWallet(phone: string, countryCode?: string): Wallet {
  const { checkout } = useKit()
  const [wallet, setWallet] = useState<Wallet>(NOTHING)
  useEffect(() => {
    setWallet(NOTHING)
    if (digitsOf(phone).length < LOOK_UP_DIGITS) return
    let leave = () => undefined as void
    const ask = () => checkout.store.operator(phone, countryCode)
    const timer = setTimeout(() => {
      leave = untilAnswered(ask, checkout.around, {
        answered: (operator) => setWallet({ ...NOTHING, operator }),
        failed: (error) => {
          const isAnswer = error instanceof Refused && OF_NUMBER.includes(error.code)
          const problem = isAnswer ? error : null
          setWallet({ operator: null, problem, isUnknown: asksForOperator(error) })
        },
      })
    }, LOOK_UP_AFTER_MS)
    return () => {
      leave()
      clearTimeout(timer)
    }
  }, [checkout, phone, countryCode])
  return wallet
}

/** Milliseconds until `endsAt` of a view, never below 0, by the second; null without one. */
export function useTimeLeft(endsAt: number | null): number | null {
  const { around } = useKit().checkout
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0)
  const leftMs = endsAt === null ? null : Math.max(0, endsAt - around.now())
  const isCounting = leftMs !== null && leftMs > 0
  useEffect(() => {
    if (!isCounting) return
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [isCounting])
  return leftMs
}

/** `29:05`. */
export function minutesAndSeconds(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

/** What the wallet would be charged. */
export function useQuote(
  { id, total }: Pick<PayableCart, "id" | "total">,
  paymentMethod: string | undefined,
  payerCurrency?: string,
): Loaded<Quote> {
  const { checkout } = useKit()
  const load = useCallback(
    () =>
      paymentMethod === undefined
        ? new Promise<never>(() => undefined)
        : checkout.store.quote(id, paymentMethod, payerCurrency),
    // Of another total it is another quote.
    [checkout, id, total, paymentMethod, payerCurrency],
  )
  return useLoaded(load)
}

export function problemOf(error: unknown): Refused | NoAnswer {
  return error instanceof Refused || error instanceof NoAnswer ? error : new NoAnswer(error)
}

function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const { around } = useKit().checkout
  const [tries, setTries] = useState(0)
  const [loaded, setLoaded] = useState<Loaded<T>>({ kind: "loading" })
  useEffect(() => {
    setLoaded({ kind: "loading" })
    const again = () => setTries(tries + 1)
    return untilAnswered(load, around, {
      answered: (value) => setLoaded({ kind: "ready", value }),
      failed: (error) => setLoaded({ kind: "failed", error: problemOf(error), again }),
    })
  }, [load, tries, around])
  return loaded
}
