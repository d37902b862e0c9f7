/**
 * Notices values of an answer in a form that the contract does not show, whether they can be read
 * or not. Said with the field's name and the kind of value, and without any content: an operator
 * needs it on the first live day. Nothing is decided by it.
 */
import type { z } from "zod"
import { decimalText } from "../../core/money"
import { currencyIn, decimalIn, isAbsent, wordIn } from "./forms"

/** What kind of value was met. A closed list, so that no content can be among it. */
export type FormKind =
  | "missing"
  | "null"
  | "text"
  | "number"
  | "boolean"
  | "list"
  | "object"
  /** A text that stands for nothing, as `N/A`. */
  | "placeholder"
  /** A known word in other letters. */
  | "other_case"
  /** A word that is read as one of the contract's. */
  | "other_word"
  /** A word that no reader knows, nor the account's own words. */
  | "unknown_word"
  /** An amount with signs between its digits, or with its currency. */
  | "grouped"
  /** More digits than an amount has. */
  | "noise"
  /** An address without the gateway's own. */
  | "relative"
  /** JSON that its header calls something else. */
  | "other_type"

/** What a reader is given beside the answer. */
export type ReadContext = {
  /** Where the gateway is. Without it a relative address can't be read. */
  readonly origin?: string | undefined
  readonly note?: ((field: string, kind: FormKind) => void) | undefined
  /** Whether the account's own words name a state by it. */
  readonly isOwnWord?: ((word: string) => boolean) | undefined
}

type Expectation = (value: unknown, name: string, context: ReadContext) => FormKind | undefined
/** A record within an answer, or a list of them. */
type Within = { readonly isList: boolean; readonly expectations: Expectations }

const EXPECTED = new WeakMap<z.ZodType, Expectation | Within>()

/** Says what the contract shows for a field; absent and null may always be. */
export function expecting<Schema extends z.ZodType>(
  schema: Schema,
  expectation: Expectation,
): Schema {
  EXPECTED.set(schema, expectation)
  return schema
}

type Shape = Readonly<Record<string, z.ZodType>>

/** As {@link expecting}, for a record within the answer, whose own fields are looked at. */
export function expectingRecord<Schema extends z.ZodType>(schema: Schema, shape: Shape): Schema {
  EXPECTED.set(schema, { isList: false, expectations: expectationsOf(shape) })
  return schema
}

/** As {@link expectingRecord}, for a list of records, as the lines of a document. */
export function expectingRecords<Schema extends z.ZodType>(schema: Schema, shape: Shape): Schema {
  EXPECTED.set(schema, { isList: true, expectations: expectationsOf(shape) })
  return schema
}

/** Names of fields, each with what is expected of it. Made once for each reader. */
export type Expectations = readonly (readonly [string, Expectation | Within])[]

export function expectationsOf(shape: Shape): Expectations {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const expectation = EXPECTED.get(schema)
    return expectation ? [[name, expectation] as const] : []
  })
}

type Fields = Readonly<Record<string, unknown>>

/** @param path of the record within the answer: `items.` */
export function noteUnusual(
  wire: Fields,
  expectations: Expectations,
  context: ReadContext,
  path = "",
): void {
  const { note } = context
  if (!note) return
  for (const [name, expected] of expectations) {
    const value = wire[name]
    if (value === undefined || value === null) continue
    if (typeof expected !== "function") noteWithin(value, `${path}${name}`, expected, context)
    else {
      const kind = expected(value, name, context)
      if (kind !== undefined) note(`${path}${name}`, kind)
    }
  }
}

/** Without the place in the list: what is odd in one line is odd in all, and is said once. */
function noteWithin(
  value: unknown,
  name: string,
  { isList, expectations }: Within,
  context: ReadContext,
): void {
  if (Array.isArray(value) !== isList) return context.note?.(name, kindOf(value))
  for (const one of isList ? (value as readonly unknown[]) : [value]) {
    if (isFields(one)) noteUnusual(one, expectations, context, `${name}.`)
    else context.note?.(name, kindOf(one))
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

export function kindOf(value: unknown): FormKind {
  if (value === undefined) return "missing"
  if (value === null) return "null"
  if (Array.isArray(value)) return "list"
  if (typeof value === "string") return isAbsent(value) ? "placeholder" : "text"
  if (typeof value === "number") return "number"
  return typeof value === "boolean" ? "boolean" : "object"
}

export const expectText: Expectation = (value) =>
  typeof value !== "string" || (value !== "" && isAbsent(value)) ? kindOf(value) : undefined

export const expectId: Expectation = (value) => {
  const isKnown = Number.isInteger(value) || (typeof value === "string" && /^\d+$/.test(value))
  return isKnown ? undefined : kindOf(value)
}

export const expectFlag: Expectation = (value) =>
  typeof value === "boolean" ? undefined : kindOf(value)

/** More digits after the point than any amount has that was not added up of floats. */
const NOISE = /\.\d{9,}/

export const expectAmount: Expectation = (value, name, context) => {
  const isNumber = typeof value === "number" || typeof value === "string"
  const text = isNumber ? decimalText(value) : undefined
  return text !== undefined && NOISE.test(text) ? "noise" : expectDecimal(value, name, context)
}

/** As {@link expectAmount}, for a rate, which may have any number of digits. */
export const expectDecimal: Expectation = (value) => {
  if (typeof value !== "number" && typeof value !== "string") return kindOf(value)
  if (decimalText(value) !== undefined) return undefined
  if (typeof value === "number") return "number"
  return decimalIn(value) === undefined ? kindOf(value) : "grouped"
}

export const expectCurrency: Expectation = (value) => {
  const currency = currencyIn(value)
  if (currency === value) return undefined
  return currency === undefined ? kindOf(value) : "other_case"
}

export const expectWord =
  (words: readonly string[]): Expectation =>
  (value) => {
    if (typeof value !== "string" || isAbsent(value)) return kindOf(value)
    if (words.includes(value)) return undefined
    return words.includes(wordIn(value, words)) ? "other_case" : "unknown_word"
  }

/**
 * As {@link expectWord}, for a state, which the account's own words may name as well.
 *
 * @param words that the contract shows for it
 * @param read its meaning to this client, if it has one
 */
export const expectState =
  (words: readonly string[], read: (word: string) => string | undefined): Expectation =>
  (value, _name, { isOwnWord }) => {
    const kind = expectWord(words)(value, _name, {})
    if (kind !== "unknown_word" || typeof value !== "string") return kind
    if (read(value) !== undefined) return "other_word"
    return isOwnWord?.(value) ? undefined : kind
  }

export const expectCurrencies: Expectation = (value, name, context) => {
  if (!Array.isArray(value)) return kindOf(value)
  const kinds = value.map((one: unknown) => expectCurrency(one, name, context))
  return kinds.find((kind) => kind !== undefined)
}

/** For a field that its reader takes from the answer itself: an amount, or a currency. */
export const expectByName: Expectation = (value, name, context) =>
  (name.endsWith("currency") ? expectCurrency : expectAmount)(value, name, context)
