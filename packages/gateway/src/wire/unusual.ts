/**
 * Notes values of an answer in a form that the contract does not show, readable or not. A note has
 * the field's name and the kind of value, never content. An operator needs the notes on the first
 * live day. No decision uses them.
 */
import type { z } from "zod"
import { decimalText } from "../terms/money"
import { currencyIn, decimalIn, isAbsent, wordIn } from "./forms"

/** The kind of an unusual value. It is a closed list, so that a note can't hold content. */
export type FormKind =
  | "missing"
  | "null"
  | "text"
  | "number"
  | "boolean"
  | "list"
  | "object"
  /** A text that stands for a missing value, such as `N/A`. */
  | "placeholder"
  /** A word or currency of the contract in another case. */
  | "other_case"
  /** A word that has the meaning of one of the contract's words. */
  | "other_word"
  /** A word that neither a reader nor the account's own words know. */
  | "unknown_word"
  /** An amount with other signs between its digits than a decimal point. */
  | "grouped"
  /** More digits than an amount has. */
  | "noise"
  /** A web address that is relative to the gateway's own. */
  | "relative"
  /** An answer whose `Content-Type` header does not say JSON. */
  | "other_type"

/** What a reader gets in addition to the answer and the request. */
export type ReadContext = {
  /** The gateway's origin. Without it a relative address can't be read. */
  readonly origin?: string | undefined
  readonly note?: ((field: string, kind: FormKind) => void) | undefined
  /** Whether a word is one of the account's own words for a state. */
  readonly isOwnWord?: ((word: string) => boolean) | undefined
}

type Expectation = (value: unknown, name: string, context: ReadContext) => FormKind | undefined
/** The expectations for a record within an answer, or for a list of records. */
type Within = { readonly isList: boolean; readonly expectations: Expectations }

const EXPECTED = new WeakMap<z.ZodType, Expectation | Within>()

/** Declares the forms that the contract shows for a field. Absent and null are always expected. */
export function expecting<Schema extends z.ZodType>(
  schema: Schema,
  expectation: Expectation,
): Schema {
  EXPECTED.set(schema, expectation)
  return schema
}

type Shape = Readonly<Record<string, z.ZodType>>

/** As {@link expecting}, for a record within the answer, whose own fields are checked too. */
export function expectingRecord<Schema extends z.ZodType>(schema: Schema, shape: Shape): Schema {
  EXPECTED.set(schema, { isList: false, expectations: expectationsOf(shape) })
  return schema
}

/** As {@link expectingRecord}, for a list of records, such as the lines of an order. */
export function expectingRecords<Schema extends z.ZodType>(schema: Schema, shape: Shape): Schema {
  EXPECTED.set(schema, { isList: true, expectations: expectationsOf(shape) })
  return schema
}

/** The fields of an answer, each with its expectation. Made once for each reader. */
export type Expectations = readonly (readonly [string, Expectation | Within])[]

export function expectationsOf(shape: Shape): Expectations {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const expectation = EXPECTED.get(schema)
    return expectation ? [[name, expectation] as const] : []
  })
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Notes each field whose value is not as expected.
 *
 * @param path where the record is within the answer, such as `items.`
 */
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

/** A note omits the index in a list: an odd form in one line is in all, so one note is enough. */
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

/** More digits after the point than an amount has, unless it is a sum of floats. */
const NOISE = /\.\d{9,}/
/** What nearly every amount of an answer looks like; nothing about it is unusual. */
const USUAL_AMOUNT = /^\d{1,12}(?:\.\d{1,4})?$/

export const expectAmount: Expectation = (value, name, context) => {
  const isNumber = typeof value === "number" || typeof value === "string"
  if (isNumber && USUAL_AMOUNT.test(String(value))) return undefined
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
 * As {@link expectWord}, for a state. The account's own words for it are expected too.
 *
 * @param words the words that the contract shows for the state
 * @param read the state that a word means to this client; undefined if it means none
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

/** For an amount or a currency that the reader takes from `wire`; the name says which it is. */
export const expectByName: Expectation = (value, name, context) =>
  (name.endsWith("currency") ? expectCurrency : expectAmount)(value, name, context)
