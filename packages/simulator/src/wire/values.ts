/** How a temper writes single values: amounts, words, dates, booleans. */
import type { Habit } from "./habits"

const AMOUNTS = new Set([
  "amount",
  "total_amount",
  "payer_amount",
  "payee_amount",
  "platform_fee",
  "gateway_fee",
  "fx_fee",
  "fixed_fee",
])
const STATES = new Set(["status", "source_status"])
/** Not methods and providers: they are codes that a caller sends back as they came. */
const WORDS = new Set([
  ...STATES,
  "mode",
  "type",
  "source_type",
  "operation_type",
  "fee_bearer",
  "owner_type",
  "owner_party_type",
  "relationship_type",
])
const INTEGER = /^(id|.+_id|qty|expires_in)$/
const CURRENCY = /^(currency|currencies|.+_currency|fx_currency_(from|to))$/
const DATE = /^(.+_at|due_date|effective_(from|to))$/

/** The habits of one answer: those that are on, and of each group the one that was drawn. */
export type Drawn = {
  has(habit: Habit): boolean
  /** The gateway's word for a state of the record that is answered. */
  stateWord(state: string): string
}

/** A value of a field as the temper writes it. */
export function writtenValue(name: string, value: unknown, drawn: Drawn): unknown {
  if (Array.isArray(value)) return value.map((one) => writtenValue(name, one, drawn))
  if (typeof value === "boolean") return writtenBoolean(value, drawn)
  if (AMOUNTS.has(name)) return writtenAmount(value, drawn)
  if (typeof value === "number") {
    return drawn.has("integers_as_text") && INTEGER.test(name) ? String(value) : value
  }
  if (typeof value !== "string") return value
  if (STATES.has(name)) return writtenWord(drawn.stateWord(value), drawn)
  if (WORDS.has(name)) return writtenWord(value, drawn)
  if (CURRENCY.test(name)) return drawn.has("currencies_lower") ? value.toLowerCase() : value
  return DATE.test(name) ? writtenDate(value, drawn) : value
}

function writtenBoolean(value: boolean, drawn: Drawn): unknown {
  if (drawn.has("booleans_as_text")) return String(value)
  return drawn.has("booleans_as_numbers") ? Number(value) : value
}

/** Decimal texts are amounts of predictions; all others are JSON numbers. */
function writtenAmount(value: unknown, drawn: Drawn): unknown {
  if ((typeof value !== "string" && typeof value !== "number") || value === "") return value
  const amount = Number(value)
  if (!Number.isFinite(amount)) return value
  if (drawn.has("amounts_as_text")) return String(value)
  if (drawn.has("amounts_with_separators")) return grouped(amount, ",")
  if (drawn.has("amounts_with_blanks")) return ` ${grouped(amount, " ")} `
  if (drawn.has("ambiguous")) return continental(amount)
  if (typeof value === "string" && !drawn.has("predictions_as_numbers")) return value
  return drawn.has("amounts_with_noise") ? noisy(amount) : amount
}

const THOUSANDS = /\B(?=(\d{3})+$)/g

function grouped(amount: number, separator: string): string {
  const [whole = "", decimals = ""] = amount.toFixed(2).split(".")
  return `${whole.replace(THOUSANDS, separator)}.${decimals}`
}

function continental(amount: number): string {
  const [whole = "", decimals = ""] = amount.toFixed(2).split(".")
  const thousands = whole.replace(THOUSANDS, ".")
  return decimals === "00" ? thousands : `${thousands},${decimals}`
}

/** The double next above, as a sum of lines may come out; whole numbers add up without noise. */
function noisy(amount: number): number {
  if (Number.isInteger(amount)) return amount
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, amount)
  bits.setBigInt64(0, bits.getBigInt64(0) + 1n)
  return bits.getFloat64(0)
}

function writtenWord(word: string, drawn: Drawn): string {
  if (drawn.has("words_lower")) return word.toLowerCase()
  if (drawn.has("words_capitalised")) return word.slice(0, 1) + word.slice(1).toLowerCase()
  return drawn.has("words_with_blanks") ? `${word}  ` : word
}

function writtenDate(date: string, drawn: Drawn): string {
  const moment = new Date(date)
  if (Number.isNaN(moment.getTime())) return date
  const withoutZone = moment.toISOString().replace("Z", "000")
  if (drawn.has("dates_with_offset")) return `${withoutZone}+00:00`
  return drawn.has("dates_without_zone") ? withoutZone : date
}
