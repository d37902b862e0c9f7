/**
 * The words of a notification, in its reader's language. What is not known is left out. A text
 * message has plain characters only: one that is not makes it cost two or three.
 */
import { fillHoles } from "../../core/messages/fill-holes"
import { NOTIFICATION_EN, type NotificationText } from "../../core/messages/notification.en"
import { NOTIFICATION_FR } from "../../core/messages/notification.fr"
import type { Locale } from "./kinds"
import { SMS } from "./settings"
import type { NotificationKind } from "./kinds"

const TEXTS: Readonly<Record<Locale, Readonly<Record<NotificationText, string>>>> = {
  en: NOTIFICATION_EN,
  fr: NOTIFICATION_FR,
}

/** Decimal text in major units, as the ledger writes it. */
export type Amount = { readonly amount: string; readonly currency: string }

/** All that words are made of. Every fact may be missing. */
export type WordFacts = {
  readonly shop?: string | null
  readonly money?: Amount | null
  readonly orderNumber?: string | null
  readonly operator?: string | null
  readonly phoneEnd?: string | null
  readonly failed?: number
  readonly ended?: number
  readonly minutes?: number
  /** An operator's trouble is over because none of its payments failed, not because one went through. */
  readonly isQuiet?: boolean
  /** The account's label. */
  readonly account?: string | null
  readonly receiptUrl?: string | null
  readonly summary?: SummaryFacts
}

export type SummaryFacts = {
  /** `YYYY-MM-DD`; the last is the first where the summary is of one day. */
  readonly firstDay: string
  readonly lastDay: string
  readonly counts: readonly { readonly kind: NotificationKind; readonly count: number }[]
  /** As the home page has them: below zero is what went out. */
  readonly sums: readonly {
    readonly currency: string
    readonly received: string
    /** Refunded, or taken back by operators. */
    readonly went_back: string
    readonly sent: string
  }[]
}

export type Words = { readonly subject: string; readonly text: string; readonly html: string }

export function wordsOf(
  kind: NotificationKind,
  { locale, channel }: { readonly locale: Locale; readonly channel: string },
  facts: WordFacts,
): Words {
  const texts = TEXTS[locale]
  const holes = holesOf(texts, locale, facts)
  const say = (key: NotificationText) => {
    const said = fillHoles(texts[key], holes)
    return channel === SMS ? plain(said) : said
  }
  const isQuiet = kind === "operator_recovered" && facts.isQuiet === true
  const subject = say(`${kind}.title`)
  const text = say(isQuiet ? "operator_recovered.quiet" : `${kind}.text`)
  return { subject, text, html: `<p>${escaped(text)}</p>` }
}

type Texts = Readonly<Record<NotificationText, string>>
type Holes = Readonly<Record<string, string>>

function holesOf(texts: Texts, locale: Locale, facts: WordFacts): Holes {
  const part = (key: NotificationText, name: string, fact: string | null | undefined) =>
    fact ? fillHoles(texts[key], { [name]: fact }) : ""
  const { operator } = facts
  return {
    shop: facts.shop ?? texts.your_shop,
    amount: facts.money ? moneyIn(locale, facts.money) : "",
    operator: operator ?? "",
    account: facts.account ?? "",
    for_order: part("for_order", "number", facts.orderNumber),
    by_operator: part("by_operator", "operator", operator),
    from_phone: part("from_phone", "end", facts.phoneEnd),
    receipt: part("receipt", "url", facts.receiptUrl),
    failed: String(facts.failed ?? ""),
    ended: String(facts.ended ?? ""),
    minutes: String(facts.minutes ?? ""),
    ...(facts.summary ? summaryHoles(texts, locale, facts.summary) : {}),
  }
}

function summaryHoles(texts: Texts, locale: Locale, summary: SummaryFacts): Holes {
  const { firstDay, lastDay, counts, sums } = summary
  const [first, last] = [dayText(locale, firstDay), dayText(locale, lastDay)]
  const told = counts.flatMap(({ kind, count }) => {
    const key = `count.${kind}`
    return key in texts ? [fillHoles(texts[key as NotificationText], { count: String(count) })] : []
  })
  // The word says that it went out, so the sign would say it twice.
  const unsigned = (amount: string) => amount.replace("-", "")
  const lines = sums.map(({ currency, received, went_back: refunded, sent }) =>
    fillHoles(texts["sum.currency"], {
      currency,
      received: moneyIn(locale, { amount: received, currency }),
      refunded: moneyIn(locale, { amount: unsigned(refunded), currency }),
      sent: moneyIn(locale, { amount: unsigned(sent), currency }),
    }),
  )
  return {
    days: first === last ? first : `${first} – ${last}`,
    counts: told.join(". "),
    sums: lines.join(" ") || texts["sum.none"],
  }
}

/** `LRD 2,650.31`: the code, because a sign may mean another country's dollar. */
export function moneyIn(locale: Locale, { amount, currency }: Amount): string {
  const digits = amount.split(".")[1]?.length ?? 0
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay: "code",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(Number(amount))
}

function dayText(locale: Locale, day: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" })
  return format.format(new Date(`${day}T00:00:00Z`))
}

/** The letters beyond ASCII that a text message has without becoming two: those of GSM 03.38. */
const LETTERS = /[éèùìòàÉÇØøÅåÄÖÑÜäöñü]/

const plain = (text: string) =>
  text
    .replace(/\s/gu, " ")
    .replace(/’/g, "'")
    .replace(/« | »/g, '"')
    .replace(/–/g, "-")
    .replace(/º/g, "o")
    .replace(/[^\x20-\x7e]/gu, (sign) => (LETTERS.test(sign) ? sign : withoutAccent(sign)))

const withoutAccent = (sign: string) => sign.normalize("NFD").replace(/\p{M}/gu, "")

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
}
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
