import { useCallback, useEffect, useState, useSyncExternalStore } from "react"
import type { Checkout, Payment, PaymentView } from "../checkout.js"
import { NoAnswer, Refused, type Operator, type PaymentMethod, type Quote } from "../store.js"
import { useKit } from "./context.js"

/** Pause in typing before a number is looked up. */
const LOOK_UP_AFTER_MS = 600
/** Without its trunk 0, the shortest national numbers of the countries that are served. */
const DIGITS_MIN = 8
const DIGITS_MAX = 15
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
  /** The store was asked and can't say whose it is: the shopper may name the operator. */
  readonly isUnknown: boolean
}

const NOTHING: Wallet = { operator: null, problem: null, isUnknown: false }

/** Whose wallet a number is, while it is typed. Paying does not wait for it. */
export function useWallet(phone: string, countryCode?: string): Wallet {
  const { checkout } = useKit()
  const [wallet, setWallet] = useState<Wallet>(NOTHING)
  useEffect(() => {
    setWallet(NOTHING)
    if (!isWholePhone(phone)) return
    let isLeft = false
    const timer = setTimeout(() => {
      checkout.store.operator(phone, countryCode).then(
        (operator) => !isLeft && setWallet({ ...NOTHING, operator }),
        (error: unknown) => {
          if (isLeft) return
          const isAnswer = error instanceof Refused && OF_NUMBER.includes(error.code)
          const problem = isAnswer ? error : null
          setWallet({ operator: null, problem, isUnknown: problem?.code !== "invalid_phone" })
        },
      )
    }, LOOK_UP_AFTER_MS)
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [checkout, phone, countryCode])
  return wallet
}

/** Milliseconds until a moment of ISO 8601, never below 0, by the second; null without one. */
export function useTimeLeft(iso: string | null | undefined): number | null {
  const endsAt = iso == null ? null : Date.parse(iso)
  const [now, setNow] = useState(() => Date.now())
  const isOver = endsAt === null || endsAt <= now
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isOver])
  return endsAt === null ? null : Math.max(0, endsAt - now)
}

/** `29:05`. */
export function minutesAndSeconds(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

/** Whether it can be a whole number at all; whose it is says the store. */
export function isWholePhone(text: string): boolean {
  const digits = text.replace(/\D/g, "").length
  return digits >= DIGITS_MIN && digits <= DIGITS_MAX && /^[+\d\s().-]+$/.test(text.trim())
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
  const [tries, setTries] = useState(0)
  const [loaded, setLoaded] = useState<Loaded<T>>({ kind: "loading" })
  useEffect(() => {
    let isLeft = false
    setLoaded({ kind: "loading" })
    load().then(
      (value) => !isLeft && setLoaded({ kind: "ready", value }),
      (error: unknown) => {
        const again = () => setTries(tries + 1)
        if (!isLeft) setLoaded({ kind: "failed", error: problemOf(error), again })
      },
    )
    return () => {
      isLeft = true
    }
  }, [load, tries])
  return loaded
}
