import { useCallback, useEffect, useState, useSyncExternalStore } from "react"
import type { Payment, PaymentView } from "../checkout.js"
import { Refused, type Operator, type PaymentMethod, type Quote } from "../store.js"
import { useKit } from "./context.js"

/** Pause in typing before a number is looked up. */
const LOOK_UP_AFTER_MS = 600
/** Without its trunk 0, the shortest national numbers of the countries that are served. */
const DIGITS_MIN = 8
const DIGITS_MAX = 15
const OF_NUMBER = ["invalid_phone", "operator_unknown"]

export type Loaded<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown; again(): void }

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
    const known = checkout.cardAdapter ? FLOWS : FLOWS.filter((flow) => flow !== "card")
    return known.flatMap((flow) => methods.filter((method) => method.flow === flow))
  }, [checkout, cartId])
  return useLoaded(load)
}

const FLOWS = ["push", "card", "hosted"]

export type Wallet = {
  readonly operator: Operator | null
  /** What is wrong with the number, as far as it is one. */
  readonly problem: Refused | null
}

const NOTHING: Wallet = { operator: null, problem: null }

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
        (operator) => !isLeft && setWallet({ operator, problem: null }),
        (error: unknown) => {
          const isAnswer = error instanceof Refused && OF_NUMBER.includes(error.code)
          if (!isLeft && isAnswer) setWallet({ operator: null, problem: error })
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

/** What the wallet would be charged; null until it is known. */
export function useQuote(
  cartId: string,
  paymentMethod: string | undefined,
  payerCurrency?: string,
): Quote | null {
  const { checkout } = useKit()
  const [quote, setQuote] = useState<Quote | null>(null)
  useEffect(() => {
    setQuote(null)
    if (!paymentMethod) return
    let isLeft = false
    const shown = (found: Quote) => !isLeft && setQuote(found)
    checkout.store.quote(cartId, paymentMethod, payerCurrency).then(shown, () => undefined)
    return () => {
      isLeft = true
    }
  }, [checkout, cartId, paymentMethod, payerCurrency])
  return quote
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
        if (!isLeft) setLoaded({ kind: "failed", error, again: () => setTries(tries + 1) })
      },
    )
    return () => {
      isLeft = true
    }
  }, [load, tries])
  return loaded
}
