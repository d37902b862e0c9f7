/**
 * The texts of the pages in the admin's language: English and French; other languages of the
 * dashboard get English. The store's codes are translated the same way.
 */
import { useMemo } from "react"
import { useTranslation } from "react-i18next"
import { amountText, MINUS } from "./amount-text"
import { ApiError, isRecord } from "./api"
import { timesIn } from "./times-in"
import { NAMESPACE, type Language, type WordKey } from "../i18n/words"

type Facts = Readonly<Record<string, unknown>>
type Values = Readonly<Record<string, string | number>>

export type Say = (key: WordKey, values?: Values) => string
export type Words = ReturnType<typeof useWords>

export function useWords() {
  const { t, i18n } = useTranslation(NAMESPACE)
  const language: Language = i18n.language.startsWith("fr") ? "fr" : "en"
  return useMemo(() => {
    const format = formats(language)
    const say: Say = (key, values = {}) => t(key, values)
    /** A field's label, and its hint where one is written. */
    const field = (key: WordKey, values: Values = {}) => {
      const hint = `${key}Hint`
      const isHinted = i18n.exists(hint, { ns: NAMESPACE })
      return { label: say(key, values), hint: isHinted ? t(hint, values) : undefined }
    }
    /**
     * The sentence of a store's code: `coded("health.job_runs", { workers: 2 })`. Without a text
     * for the code, the store's own sentence, else the code.
     */
    const coded = (key: string, facts: Facts = {}, otherwise?: string | null): string =>
      timesIn(t(key, { replace: facts, defaultValue: otherwise ?? plain(key) }), format.shortTime)
    /** A refusal in the admin's language; English has none and uses the store's sentence. */
    const refusal = ({ situation, facts }: Facts): string | null => {
      // The separator is a bar, because a situation contains a dot.
      const options = { ns: NAMESPACE, keySeparator: "|" }
      const key = `refusal|${String(situation)}`
      if (!i18n.exists(key, options)) return null
      const values = valuesOf(facts, language)
      // Why the gateway did not move money is a sentence of its own.
      const isWhy = String(situation).startsWith("gateway_refused.") && "reason" in values
      const why = isWhy ? { reason: t(`reason.${values["reason"]}`) } : {}
      return t(key, { ...values, ...why, ...options })
    }
    /** An error as a sentence. */
    const problem = (error: unknown): string => {
      if (!(error instanceof ApiError)) return say("problem.unexpected")
      if (error.status === 0) return say("problem.unreachable")
      if (error.status === 401) return say("problem.loggedOut")
      // Our sentence says more than Medusa's for an unexpected error, so ours is shown.
      const isUnexpected = error.code === "" && error.status >= 500
      const sentence = isUnexpected ? "" : sentenceOf(error)
      const text = refusal(error.details) ?? (sentence || say("problem.unexpected"))
      return timesIn(text, format.shortTime)
    }
    return { say, field, coded, problem, language, ...format }
  }, [t, i18n, language])
}

/** Formats of values in the language. Null becomes an empty text, so its row is left out. */
function formats(language: Language) {
  const dates = (timeStyle?: "medium" | "short") => {
    const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle })
    return (iso: string | null) => (iso === null ? "" : format.format(new Date(iso)))
  }
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 6 })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" })
  return {
    /** `LRD 1,234.50`, with the code, because several currencies are dollars. */
    money: (amount: number | null, currency: string | null) =>
      amount === null ? "" : moneyText(amount, currency, language),
    /** An exact amount, which arrives as decimal text. */
    exact: (amount: string, currency: string) => amountText(amount, currency, language),
    time: dates("medium"),
    /** Date and time without seconds. */
    shortTime: dates("short"),
    day: dates(),
    number: (value: number) => number.format(value),
    /** `5 minutes`, in the largest unit that fits, rounded up. */
    duration: (ms: number) => {
      const [unit, length] = unitOf(ms / 1_000)
      const style = { style: "unit", unit, unitDisplay: "long" } as const
      return new Intl.NumberFormat(language, style).format(Math.ceil(ms / 1_000 / length))
    },
    /** `5 minutes ago`, in the largest unit that fits. */
    ago: (iso: string) => {
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
  if (amount < 0) return `${MINUS}${moneyText(-amount, currency, language)}`
  if (currency === null) return new Intl.NumberFormat(language).format(amount)
  try {
    const style = { style: "currency", currency, currencyDisplay: "code" } as const
    return new Intl.NumberFormat(language, style).format(amount)
  } catch {
    // The gateway may use a currency that `Intl` does not know.
    return `${currency} ${amount}`
  }
}

/** The facts of a refusal, formatted for a sentence. */
function valuesOf(facts: unknown, language: Language): Values {
  const entries = isRecord(facts) ? Object.entries(facts) : []
  return Object.fromEntries(entries.map(([name, fact]) => [name, factText(fact, language)]))
}

function factText(fact: unknown, language: Language): string {
  if (Array.isArray(fact) && fact.length > 0) return fact.join(", ")
  if (isRecord(fact)) return amountText(String(fact["amount"]), String(fact["currency"]), language)
  return typeof fact === "string" || typeof fact === "number" ? String(fact) : "–"
}

/** A refusal's sentence without the field's name: it is for programs, and the page has a label. */
function sentenceOf({ message, details }: ApiError): string {
  const name = `${String(details["field"])}: `
  return message.startsWith(name) ? message.slice(name.length) : message
}
