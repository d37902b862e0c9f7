/**
 * The texts of the pages in the admin's language: English and French; other languages of the
 * dashboard get English. The store's codes are translated the same way.
 */
import { useMemo } from "react"
import { useTranslation } from "react-i18next"
import { amountText } from "./amount-text"
import { ApiError, isRecord } from "./api"
import { NAMESPACE, type Language, type WordKey } from "../i18n/words"

type Facts = Readonly<Record<string, unknown>>
type Values = Readonly<Record<string, string | number>>

export type Say = (key: WordKey, values?: Values) => string

export type Words = {
  readonly say: Say
  readonly language: Language
  /** `LRD 1,234.50`, with the code, because several currencies are dollars. */
  readonly money: (amount: number | null, currency: string | null) => string
  readonly time: (iso: string | null) => string
  /** Without seconds. */
  readonly shortTime: (iso: string | null) => string
  readonly day: (iso: string | null) => string
  /** `5 minutes ago`, in the largest unit that fits. */
  readonly ago: (iso: string) => string
  /** `5 minutes`, in the largest unit that fits, rounded up. */
  readonly duration: (ms: number) => string
  readonly number: (value: number) => string
  /** An error as a sentence. */
  readonly problem: (error: unknown) => string
  /**
   * The sentence of a store's code: `coded("health.job_runs", { workers: 2 })`. Without a text for
   * the code, the store's own sentence, else the code.
   */
  readonly coded: (key: string, facts?: Facts, otherwise?: string | null) => string
}

const NOTHING = "–"

export function useWords(): Words {
  const { t, i18n } = useTranslation(NAMESPACE)
  const language: Language = i18n.language.startsWith("fr") ? "fr" : "en"
  return useMemo(() => {
    const say: Say = (key, values = {}) => t(key, values)
    const coded: Words["coded"] = (key, facts = {}, otherwise) =>
      t(key, { replace: facts, defaultValue: otherwise ?? plain(key) })
    const refusal: RefusalText = (situation, values) => {
      // A situation contains a dot itself.
      const options = { ns: NAMESPACE, keySeparator: "|" }
      const key = `refusal|${situation}`
      return i18n.exists(key, options) ? t(key, { ...values, ...options }) : null
    }
    const problem = problemIn(language, say, refusal)
    return { say, coded, language, ...formats(language), problem }
  }, [t, i18n, language])
}

function formats(language: Language): Omit<Words, "say" | "coded" | "language" | "problem"> {
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" })
  const short = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" })
  const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" })
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 6 })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" })
  return {
    money: (amount, currency) =>
      amount === null ? NOTHING : moneyText(amount, currency, language),
    time: (iso) => (iso === null ? NOTHING : time.format(new Date(iso))),
    shortTime: (iso) => (iso === null ? NOTHING : short.format(new Date(iso))),
    day: (iso) => (iso === null ? NOTHING : day.format(new Date(iso))),
    number: (value) => number.format(value),
    duration: (ms) => {
      const [unit, length] = unitOf(ms / 1_000)
      const style = { style: "unit", unit, unitDisplay: "long" } as const
      return new Intl.NumberFormat(language, style).format(Math.ceil(ms / 1_000 / length))
    },
    ago: (iso) => {
      const seconds = (Date.now() - new Date(iso).getTime()) / 1_000
      const [unit, length] = unitOf(seconds)
      return relative.format(-Math.max(0, Math.floor(seconds / length)), unit)
    },
  }
}

const UNITS: readonly (readonly ["day" | "hour" | "minute" | "second", number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
]

const unitOf = (seconds: number) =>
  UNITS.find(([, least]) => seconds >= least) ?? (["second", 1] as const)

/** `state.in_flight` becomes `in flight`. */
const plain = (key: string) => key.slice(key.indexOf(".") + 1).replaceAll("_", " ")

function moneyText(amount: number, currency: string | null, language: Language): string {
  if (currency === null) return new Intl.NumberFormat(language).format(amount)
  try {
    const style = { style: "currency", currency, currencyDisplay: "code" } as const
    return new Intl.NumberFormat(language, style).format(amount)
  } catch {
    // The gateway may use a currency that `Intl` does not know.
    return `${currency} ${amount}`
  }
}

/** Null if the language has no text for it. */
type RefusalText = (situation: string, values: Values) => string | null

/** English uses the store's sentence. */
function problemIn(language: Language, say: Say, refusal: RefusalText): (error: unknown) => string {
  return (error) => {
    if (!(error instanceof ApiError)) return say("problem.unexpected")
    if (error.status === 0) return say("problem.unreachable")
    if (error.status === 401) return say("problem.loggedOut")
    const { situation, facts } = error.details
    const own = typeof situation === "string" ? refusal(situation, valuesOf(facts, language)) : null
    if (own !== null) return own
    // Medusa's own sentence for an unexpected error says less.
    const isUnexpected = error.code === "" && error.status >= 500
    return isUnexpected ? say("problem.unexpected") : sentenceOf(error) || say("problem.unexpected")
  }
}

/** The facts of a refusal, formatted for a sentence. */
function valuesOf(facts: unknown, language: Language): Values {
  const entries = isRecord(facts) ? Object.entries(facts) : []
  return Object.fromEntries(entries.map(([name, fact]) => [name, factText(fact, language)]))
}

function factText(fact: unknown, language: Language): string {
  if (Array.isArray(fact)) return fact.length === 0 ? NOTHING : fact.join(", ")
  if (isRecord(fact)) return amountText(String(fact["amount"]), String(fact["currency"]), language)
  return typeof fact === "string" || typeof fact === "number" ? String(fact) : NOTHING
}

/** The field's name is for programs; the sentence stands beside the field. */
function sentenceOf({ message, details }: ApiError): string {
  const name = `${String(details["field"])}: `
  return message.startsWith(name) ? message.slice(name.length) : message
}
