/**
 * The fields of requests and answers, used as `field.id`. An unreadable optional field is left out,
 * because it must not hide what an answer says about money; unknown enum values are kept.
 *
 * A text of an answer is cleaned, unless its field says that it is compared, sent back or secret
 * (`exactText`, `privateText`); {@link text} is for requests, and no reader takes it.
 */
import { z } from "zod"
import { sessionStateOf, sourceStateOf } from "../../core/decide/state-words"
import type { PrivateText } from "../../core/said/texts"
import { cleaned, exact, redact, stateWord as asWord } from "../redact"
import { ENUMS } from "./enums"
import { decimalIn, flagIn, idIn, isAbsent, wordIn } from "./forms"
import {
  expectAmount,
  expectByName,
  expectCurrency,
  expectDecimal,
  expectFlag,
  expectId,
  expecting,
  expectState,
  expectText,
  expectWord,
} from "./unusual"

/** An integer, or one written as text. */
export const id = expecting(
  z.union([
    z.int().nonnegative(),
    z
      .string()
      .trim()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ]),
  expectId,
)
/** In a request. An answer's is one of those below. */
export const text = expecting(z.string().min(1), expectText)
/** In an answer: for people, as the name of a line. */
export const shownText = expecting(text.transform(cleaned), expectText)
/** In an answer: compared, or sent back as it came, as a document's number. */
export const exactText = expecting(text.transform(exact), expectText)
/** In an answer: for its reader or a comparison only. No row takes it. */
export const privateText = expecting(text.transform(asPrivate), expectText)
/** Printable and without spaces, because a token becomes a header. */
export const secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/)
  .transform(asPrivate)
/** A whole number of at least one, such as of pieces. */
export const count = expecting(
  z.union([
    z.int().positive(),
    z
      .string()
      .trim()
      .regex(/^[1-9]\d{0,8}$/)
      .transform(Number),
  ]),
  expectId,
)

/** The contract shows some of them for a session, and names no list. */
const SESSION_STATES = [...ENUMS.DocumentStatus, "PENDING", "COMPLETED", "FAILED"]

const stateOf = (words: readonly string[], read: (word: string) => string | undefined) =>
  expecting(
    text.transform((word) => asWord(read(word) ?? word)),
    expectState(words, read),
  )
/** A state as the gateway writes it; its reader knows what it is the state of. */
export const stateWord = privateText
/** The state of an order or invoice, in the contract's word where the gateway's is known. */
export const sourceStatus = stateOf(ENUMS.DocumentStatus, sourceStateOf)
export const sessionStatus = stateOf(SESSION_STATES, sessionStateOf)
/** As it came: an amount is nothing without its currency. */
export const amount = expecting(
  z.union([z.number(), z.string().transform(asPrivate)]),
  expectAmount,
)
/** The currency of an {@link amount}; read together with it. */
export const currency = expecting(text.transform(asPrivate), expectCurrency)

/** Optional fields: absent, null, empty or unreadable is undefined. */
export const optionalText = expecting(
  readWhereThere((value) => mapText(value, cleaned)),
  expectText,
)
/** {@link exactText} and {@link privateText} for fields that may be missing. */
export const optionalExact = expecting(
  readWhereThere((value) => mapText(value, exact)),
  expectText,
)
export const optionalPrivate = expecting(
  readWhereThere((value) => mapText(value, asPrivate)),
  expectText,
)
/** A moment as the gateway writes it: digits and their signs. */
export const optionalTime = expecting(
  readWhereThere((value) =>
    mapText(value, (time) => (MOMENT.test(time) ? exact(time) : cleaned(time))),
  ),
  expectText,
)
export const optionalId = expecting(
  readWhereThere((value) => idIn(textOf(value))),
  expectId,
)
export const optionalFlag = expecting(readWhereThere(flagIn), expectFlag)
export const optionalCurrency = expecting(
  readWhereThere((value) => mapText(value, asPrivate)),
  expectCurrency,
)
/** One of the list's words in any case, or another word, cleaned. */
export const optionalWord = (words: readonly string[]) =>
  expecting(
    readWhereThere((value) => {
      const word = textOf(value)
      return word === undefined ? undefined : asWord(wordIn(word, words))
    }),
    expectWord(words),
  )
/** As {@link optionalWord}, for a field that has to be there. */
export const word = (words: readonly string[]) =>
  expecting(
    text.transform((value) => asWord(wordIn(value, words))),
    expectWord(words),
  )
/** {@link sessionStatus} for a field that may be missing. */
export const optionalSessionStatus = expecting(
  readWhereThere((value) => sessionStatus.safeParse(value).data),
  expectState(SESSION_STATES, sessionStateOf),
)
/** A text of the gateway, made safe to store and display. */
export const optionalMessage = expecting(
  readWhereThere((value) => mapText(value, redact)),
  expectText,
)
/**
 * An amount or a currency that is read from `wire`, as by `moneyIn`: it is undefined among the
 * fields.
 */
export const fromWire = expecting(
  readWhereThere(() => undefined),
  expectByName,
)
/** As {@link fromWire}, for answers that are read often: the reader names each field itself. */
export const readLater = expecting(z.unknown().optional(), expectByName)
/** When the gateway made and last changed a record. */
export const recordTimes = { created_at: optionalTime, updated_at: optionalTime }

/** An exact number that is no amount, such as a rate: every digit kept, as decimal text. */
export const optionalDecimal = expecting(
  readWhereThere((value) => decimalIn(value)),
  expectDecimal,
)

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

function asPrivate(value: string): PrivateText {
  return value as PrivateText
}

function mapText<T>(value: unknown, make: (text: string) => T): T | undefined {
  const said = textOf(value)
  return said === undefined ? undefined : make(said)
}

/** ISO 8601, or a count of seconds or milliseconds. */
const MOMENT =
  /^(?:\d{4}-\d\d-\d\d(?:[T ][\d:.,]{2,20} ?(?:Z|[+-][\d:]{2,6})?)?|1\d{9}(?:\d{3})?)$/i

/**
 * A text or a number as text. Undefined if it says nothing or is of another type. Also undefined for an
 * integer too long to be exact: with changed digits it would be another record's id.
 */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return isAbsent(value) ? undefined : value
  if (typeof value !== "number") return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}
