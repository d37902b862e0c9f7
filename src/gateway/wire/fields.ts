/**
 * The fields of requests and answers, used as `field.id`. An unreadable optional field is left out,
 * because it must not hide what an answer says about money; unknown enum values are kept.
 */
import { z } from "zod"
import { decimalText } from "../../core/money"
import { sessionStateOf, sourceStateOf } from "../../core/decide/state-words"
import { redact } from "../redact"
import { ENUMS } from "./enums"

/** An integer, or one written as text. */
export const id = z.union([
  z.int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
])
export const text = z.string().min(1)
/** An open enum stands in sentences and columns, so any other text is cut and masked. */
export const openWord = (word: string) =>
  /^[A-Za-z_]{1,40}$/.test(word) ? word : redact(word).slice(0, 40)
export const status = text.transform(openWord)
/** The state of an order or invoice, in the contract's word where the gateway's is known. */
export const sourceStatus = text.transform((word) => sourceStateOf(word) ?? openWord(word))
export const sessionStatus = text.transform((word) => sessionStateOf(word) ?? openWord(word))
export const amount = z.union([z.number(), z.string()])

/** Optional fields: absent, null, empty or unreadable is undefined. */
export const optionalText = readWhereThere(textOf)
export const optionalId = readWhereThere(idOf)
export const optionalFlag = readWhereThere((value) =>
  typeof value === "boolean" ? value : undefined,
)
/** {@link sessionStatus} for a field that may be missing. */
export const optionalSessionStatus = readWhereThere((value) => sessionStatus.safeParse(value).data)
/** A text of the gateway, made safe to store and display. */
export const optionalMessage = readWhereThere((value) => {
  const message = textOf(value)
  return message === undefined ? undefined : redact(message)
})
/** A field that is read from `wire`, as by `moneyIn`: it is undefined among the fields. */
export const fromWire = readWhereThere(() => undefined)
/** As {@link fromWire}, for answers that are read often: the reader names each field itself. */
export const readLater = z.unknown().optional()
/** When the gateway made and last changed a record. */
export const recordTimes = { created_at: optionalText, updated_at: optionalText }

/** An exact number that is no amount, such as a rate: every digit kept, as decimal text. */
export const optionalDecimal = readWhereThere(decimalText)

/** A text that is used in an address: no control characters and no lone surrogate. */
export const addressText = text.regex(/^[^\p{Cc}\p{Cs}]*$/u, "characters that no address has")
/** The gateway's number of a document. As a path segment, `.` and `..` would change the path. */
export const documentNumber = addressText.refine(
  (number) => number !== "." && number !== "..",
  "no document number",
)
export const sourceType = z.enum(ENUMS.SourceType)
export const countryCode = z.string().regex(/^[A-Z]{2}$/, "two upper case letters")
export const phone = z.string().regex(/^[1-9]\d{7,14}$/, "digits of E.164 without a plus")
export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i, "no UUID v4")

/** One zod step instead of a pipe of three, because most fields of an answer are of this kind. */
function readWhereThere<T>(read: (value: unknown) => T) {
  return z.transform((value: unknown) => read(value)).optional()
}

/**
 * A text or a number as text. Undefined if it is empty or of another type. Also undefined for an
 * integer too long to be exact: with changed digits it would be another record's id.
 */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value
  if (typeof value !== "number") return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}

function idOf(value: unknown): number | undefined {
  const digits = textOf(value)
  return digits === undefined || !/^\d{1,15}$/.test(digits) ? undefined : Number(digits)
}
