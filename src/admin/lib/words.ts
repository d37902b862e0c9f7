/**
 * The words of the pages, in the admin's language. English and French are here; every other language of
 * the dashboard reads English. What the server says in both languages (`{ en, fr }`) is chosen alike.
 */
import { useMemo } from "react"
import { useTranslation } from "react-i18next"
import { ApiError } from "./api"
import { NAMESPACE, type Language, type WordKey } from "../i18n/words"
import { refusalInFrench } from "../i18n/refusals-fr"
import { storyInFrench, type Happened } from "../i18n/why-fr"

type Values = Readonly<Record<string, string | number>>

export type Say = (key: WordKey, values?: Values) => string

export type Words = {
  readonly say: Say
  readonly language: Language
  /** `LRD 1,234.50`: the code says which dollar. */
  readonly money: (amount: number | null, currency: string | null) => string
  readonly time: (iso: string | null) => string
  readonly day: (iso: string | null) => string
  readonly number: (value: number) => string
  /** Of two languages from the server; null where it had none. */
  readonly either: (text: {
    readonly en: string | null
    readonly fr: string | null
  }) => string | null
  /** What went wrong, as a sentence. */
  readonly problem: (error: unknown) => string
  /** Why something happened, as it was written down. */
  readonly why: (event: Happened) => string
}

const NOTHING = "–"

export function useWords(): Words {
  const { t, i18n } = useTranslation(NAMESPACE)
  const language: Language = i18n.language.startsWith("fr") ? "fr" : "en"
  return useMemo(() => {
    const say: Say = (key, values = {}) => t(key, values)
    return { say, language, ...formats(language), problem: problemIn(language, say) }
  }, [t, language])
}

function formats(language: Language): Omit<Words, "say" | "language" | "problem"> {
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" })
  const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" })
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 6 })
  return {
    money: (amount, currency) =>
      amount === null ? NOTHING : moneyText(amount, currency, language),
    time: (iso) => (iso === null ? NOTHING : time.format(new Date(iso))),
    day: (iso) => (iso === null ? NOTHING : day.format(new Date(iso))),
    number: (value) => number.format(value),
    either: (text) => text[language] ?? text.en,
    why: (event) => (language === "fr" ? storyInFrench(event) : event.why),
  }
}

function moneyText(amount: number, currency: string | null, language: Language): string {
  if (currency === null) return new Intl.NumberFormat(language).format(amount)
  try {
    const style = { style: "currency", currency, currencyDisplay: "code" } as const
    return new Intl.NumberFormat(language, style).format(amount)
  } catch {
    // The gateway may name a currency that no list has.
    return `${currency} ${amount}`
  }
}

/** English says it as the server did, with the figures; French as far as there is French of it. */
function problemIn(language: Language, say: Say): (error: unknown) => string {
  return (error) => {
    if (!(error instanceof ApiError)) return say("problem.unexpected")
    if (error.status === 0) return say("problem.unreachable")
    if (error.status === 401) return say("problem.loggedOut")
    const french = language === "fr" ? refusalInFrench(error.code, sentenceOf(error)) : undefined
    if (french !== undefined) return french
    // Medusa's own sentence for what it did not expect says less than ours.
    const isUnexpected = error.code === "" && error.status >= 500
    return isUnexpected ? say("problem.unexpected") : sentenceOf(error) || say("problem.unexpected")
  }
}

/** The name of a field is for programs; the sentence stands beside the field. */
function sentenceOf({ message, details }: ApiError): string {
  const name = `${String(details["field"])}: `
  return message.startsWith(name) ? message.slice(name.length) : message
}
