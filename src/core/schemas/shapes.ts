/**
 * The shapes that the schemas of requests, responses, events and stored JSON are made of. A schema
 * is the one place of what crosses a border: its parser, its TypeScript type and the reference in
 * `docs/api.md` come from it.
 */
import { z } from "zod"
import { type AccountId, idFrom, type TextId } from "../ids"
import { PHONE_TEXT_MAX } from "../phone-text"
import { invalidAs } from "../refusal"
import { isTimeZone } from "../time-zone"

// An id is a text with a brand, which is an object to the compiler.
type DeepReadonly<T> = T extends string | number
  ? T
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T

/** What a schema of a response or an event describes. */
export type Output<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>

/** What a caller may send, before a schema has read it. */
export type Input<Schema extends z.ZodType> = DeepReadonly<z.input<Schema>>

/* What the plugin sends. */

export const text = z.string()
export const number = z.number()
export const count = z.int()
/** ISO 8601, UTC. */
export const time = z.iso.datetime({ offset: true })
/** `YYYY-MM-DD`. */
export const day = z.iso.date()
/** Exact decimal text in major units. */
export const decimal = z.string().regex(/^-?\d+(\.\d+)?$/)

/** The values of one of the plugin's own tables. */
export const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>) =>
  z.enum(Object.keys(table) as Key[])

/** A text that the compiler takes for an id of one kind. */
export const idText = <Id extends string>() => text as unknown as z.ZodType<Id, Id>

/** As {@link idText}, of an id that is a number. */
export const idNumber = <Id extends number>() => count as unknown as z.ZodType<Id, Id>

/* What the plugin is sent. */

/**
 * An id or token of the plugin, Medusa or the gateway. PostgreSQL fails on a zero byte in a text, so
 * an id of another shape is answered as one that does not exist, before any SQL.
 */
export const SHAPE = /^[\x21-\x7e]{1,200}$/

/** An id in a body or a query; refused by its field name if it has another shape. */
export const id = z.string().trim().regex(SHAPE)

/** {@link id} of one kind of thing. */
export const idOf = <I extends TextId<string>>() => id.transform((given) => idFrom<I>(given))

/** A phone number as it was typed or pasted; `parsePhone` says what it is. */
export const phone = z.string().max(PHONE_TEXT_MAX)

export const currency = z.string().regex(/^[A-Za-z]{3}$/, invalidAs("currency"))

export const flag = z.enum(["true", "false"]).transform((given) => given === "true")

/** Visible ASCII without spaces, such as a token of another system. */
export const printable = (longest: number) =>
  z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${longest}}$`), invalidAs("printable"))

/**
 * Any script's letters, digits and marks. Control and format characters are refused: they could
 * break a terminal, a page or a table.
 */
export const writtenText = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^[^\p{C}]+$/u, invalidAs("text"))

/** Visible ASCII without spaces; spaces around it are taken off. */
export const trimmedPrintable = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^[\x21-\x7e]+$/, invalidAs("printable"))

export const accountId = trimmedPrintable(100).transform((given) => idFrom<AccountId>(given))

/** What a person wrote beside a decision. */
export const writtenNote = (longest: number) => z.string().trim().min(1).max(longest)

/** An empty body. */
export const noBody = z.strictObject({})

export const isOfThisCentury = (date: Date) =>
  date.getUTCFullYear() >= 2000 && date.getUTCFullYear() < 2100

/** The name of a time zone, in which days are counted. */
export const timeZone = z
  .string()
  .max(100)
  .refine((name) => isTimeZone(name), invalidAs("time_zone"))
