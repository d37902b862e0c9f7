/**
 * The accountant's sheet: one line a movement, then a line of sums for each currency. Each movement
 * has its amount in the column of its kind, so each column adds up to the sum in the last lines and
 * to the figure of the home page. The columns never change places.
 */
import { UNKNOWN_ASKER } from "../../core/derived-reference"
import { majorText } from "../../core/money"
import { fillHoles } from "../../core/messages/fill-holes"
import { SHEET_EN, type SheetWords } from "../../core/messages/sheet.en"
import { SHEET_FR } from "../../core/messages/sheet.fr"
import { dayIn, isoIn } from "../../core/time-zone"
import { csvTable, type ColumnKind, type Separator } from "./csv"
import { FIGURE_OF, isInNet, type Movement } from "../../core/movements"
import type { MoneySums } from "../schemas/overview"

type Column = keyof SheetWords["head"]
type Cells = Partial<Record<Column, string | null>>

const KINDS: Readonly<Record<Column, ColumnKind>> = {
  date: "time",
  time: "time",
  type: "text",
  order: "number",
  operator: "text",
  state: "text",
  account: "text",
  currency: "text",
  received: "number",
  fees: "number",
  refunded: "number",
  net: "number",
  sent: "number",
  payer_amount: "number",
  payer_currency: "text",
  exchange_rate: "number",
  document: "text",
  transaction: "text",
  reference: "text",
  note: "text",
  recipient: "text",
  reason: "text",
  asked_by: "text",
  approved_by: "text",
  approved_why: "text",
}

type Writing = {
  readonly words: SheetWords
  readonly separator: Separator
  readonly decimalSign: "." | ","
}

/** Spreadsheet programs read a file by the habits of their language. */
const WRITINGS = {
  en: { words: SHEET_EN, separator: ",", decimalSign: "." },
  fr: { words: SHEET_FR, separator: ";", decimalSign: "," },
} as const satisfies Record<string, Writing>

export type SheetLanguage = keyof typeof WRITINGS
export const SHEET_LANGUAGES = Object.keys(WRITINGS) as readonly SheetLanguage[]

export type Beside = {
  /** What people call a payment method. */
  readonly labelOf: (method: string | null) => string | null
  /** Numbers of orders by their ids. */
  readonly numbers: ReadonlyMap<string, string>
  /** Names of admins by their ids. */
  readonly names: ReadonlyMap<string, string>
}

export function sheetIn(language: SheetLanguage, timeZone: string) {
  const { words, separator, decimalSign }: Writing = WRITINGS[language]
  const table = csvTable(KINDS, separator, decimalSign)
  return {
    /** `accountant-2026-11-01-to-2026-11-30.csv` */
    fileName: (from: Date, until: Date) => {
      const [first, last] = [dayIn(timeZone, from), dayIn(timeZone, new Date(until.getTime() - 1))]
      return `${words.file}-${first === last ? first : `${first}-to-${last}`}.csv`
    },
    head: () => {
      const { head } = words
      return table.head({ ...head, time: fillHoles(head.time, { zone: timeZone }) })
    },
    movement: (one: Movement, beside: Beside) => table.line(cellsOf(one, beside, words, timeZone)),
    total: (sums: MoneySums) => table.line(totalOf(sums, words, decimalSign)),
  }
}

function cellsOf(one: Movement, beside: Beside, words: SheetWords, timeZone: string): Cells {
  const at = isoIn(timeZone, one.at)
  const isExchange = one.kind === "exchange"
  return {
    date: at.slice(0, "YYYY-MM-DD".length),
    time: at.slice("YYYY-MM-DDT".length, "YYYY-MM-DDTHH:MM:SS".length),
    type: words.kind[one.kind],
    order: (one.orderId && beside.numbers.get(one.orderId)) ?? null,
    operator: beside.labelOf(one.paymentMethod) ?? one.carrier,
    state: words.state[stateOf(one)],
    account: one.account,
    currency: one.currency,
    ...amountsOf(one),
    payer_amount: isExchange ? one.payerAmount : null,
    payer_currency: isExchange ? one.payerCurrency : null,
    exchange_rate: isExchange ? one.exchangeRate : null,
    document: one.sourceNumber,
    transaction: one.transactionId,
    reference: one.reference,
    ...(one.kind === "exchange" ? {} : whyOf(one, beside, words)),
  }
}

/** Who got it, who asked for it and why, and who approved it. */
function whyOf(one: Movement, { names }: Beside, words: SheetWords): Cells {
  const unnamed = (id: string) => (id === UNKNOWN_ASKER ? words.asked_before_restore : id)
  const nameOf = (id: string | null) => id && (names.get(id) ?? unnamed(id))
  return {
    recipient: one.recipient,
    reason: one.reason,
    asked_by: nameOf(one.askedBy),
    approved_by: nameOf(one.approvedBy),
    approved_why: one.approvedWhy,
  }
}

function amountsOf({ kind, minor, currency }: Movement): Cells {
  const figure = FIGURE_OF[kind]
  if (figure === null || minor === null) return {}
  const amount = majorText({ minor, currency })
  // What operators took back went back to the customer, as a refund did.
  const column = figure === "taken_back" ? "refunded" : figure
  return { [column]: amount, ...(isInNet(figure) && { net: amount }) }
}

function stateOf(one: Movement): keyof SheetWords["state"] {
  if (one.kind === "taken_back") return "arrived"
  const isPayment = one.kind !== "refund" && one.kind !== "payout" && one.kind !== "transfer"
  if (!isPayment) return "arrived"
  if (one.state === "review") return "review"
  if (one.isDismissed || one.state === "failed" || one.state === "expired") return "dismissed"
  if (one.isReturned) return "returned"
  return one.isRecorded ? "paid" : "recording"
}

function totalOf(sums: MoneySums, words: SheetWords, decimalSign: string): Cells {
  const { currency, received, fees, went_back: refunded, net, sent, without_fees: count } = sums
  const unknown = sums.amount_without_fees.replace(".", decimalSign)
  const facts = { count: String(count), amount: `${currency} ${unknown}` }
  return {
    type: words.kind.total,
    currency,
    received,
    fees,
    refunded,
    net,
    sent,
    note: count === 0 ? null : fillHoles(words.unknown_fees, facts),
  }
}
