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
  | "unknown_word"
  /** An amount with signs between its digits, or with its currency. */
  | "grouped"
  /** More digits than an amount has. */
  | "noise"
  /** An address without the gateway's own. */
  | "relative"

/** What a reader is given beside the answer. */
export type ReadContext = {
  /** Where the gateway is. Without it a relative address can't be read. */
  readonly origin?: string | undefined
  readonly note?: ((field: string, kind: FormKind) => void) | undefined
}

type Expectation = (value: unknown, name: string) => FormKind | undefined

const EXPECTED = new WeakMap<z.ZodType, Expectation>()

/** Says what the contract shows for a field; absent and null may always be. */
export function expecting<Schema extends z.ZodType>(
  schema: Schema,
  expectation: Expectation,
): Schema {
  EXPECTED.set(schema, expectation)
  return schema
}

/** Names of fields, each with what is expected of it. Made once for each reader. */
export type Expectations = readonly (readonly [string, Expectation])[]

export function expectationsOf(shape: Readonly<Record<string, z.ZodType>>): Expectations {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const expectation = EXPECTED.get(schema)
    return expectation ? [[name, expectation] as const] : []
  })
}

export function noteUnusual(
  wire: Readonly<Record<string, unknown>>,
  expectations: Expectations,
  { note }: ReadContext,
): void {
  if (!note) return
  for (const [name, expectation] of expectations) {
    const value = wire[name]
    if (value === undefined || value === null) continue
    const kind = expectation(value, name)
    if (kind !== undefined) note(name, kind)
  }
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

export const expectAmount: Expectation = (value) => {
  if (typeof value !== "number" && typeof value !== "string") return kindOf(value)
  const text = decimalText(value)
  if (text !== undefined) return NOISE.test(text) ? "noise" : undefined
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

/** For a field that its reader takes from the answer itself: an amount, or a currency. */
export const expectByName: Expectation = (value, name) =>
  (name.endsWith("currency") ? expectCurrency : expectAmount)(value, name)
