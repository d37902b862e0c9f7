/**
 * The fields of requests and answers, used as `field.id`. An unreadable optional field is left out,
 * because it must not hide what an answer says about money. Unknown enum values are kept.
 *
 * A text of an answer is cleaned, unless its field says that it is compared, sent back or secret
 * (`exactText`, `privateText`). {@link text} is for requests: the compiler refuses it in a reader.
 */
import { z } from "zod"
import { sessionStateOf, sourceStateOf } from "../terms/state-words"
import type { PrivateText } from "../terms/texts"
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

/** An id: an integer, or an integer written as text. */
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
/** {@link id} of one kind of record. */
export const idOf = <I extends number>() => id as unknown as z.ZodType<I>
/** A text of a request. Answers use one of the text fields below. */
export const text = expecting(z.string().min(1), expectText)
/** A text of an answer that is shown to people, such as the name of a line. */
export const shownText = expecting(text.transform(cleaned), expectText)
/** A text of an answer that is compared or sent back as it came, such as an order's number. */
export const exactText = expecting(text.transform(exact), expectText)
/** A text of an answer for its reader or a comparison only. No row of the ledger may hold it. */
export const privateText = expecting(text.transform(asPrivate), expectText)
/** A token: printable ASCII without spaces, because it becomes a header. */
export const secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/)
  .transform(asPrivate)
/** A whole number of at least one, such as a number of pieces. */
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

/** States of a gateway session. The contract shows some of them and has no list. */
const SESSION_STATES = [...ENUMS.DocumentStatus, "PENDING", "COMPLETED", "FAILED"]

const stateOf = (words: readonly string[], read: (word: string) => string | undefined) =>
  expecting(
    text.transform((word) => asWord(read(word) ?? word)),
    expectState(words, read),
  )
/** A state as the gateway writes it. Its reader knows the record and translates the word. */
export const stateWord = privateText
/** The state of an order or invoice: the contract's word, if the gateway's word is known. */
export const sourceStatus = stateOf(ENUMS.DocumentStatus, sourceStateOf)
export const sessionStatus = stateOf(SESSION_STATES, sessionStateOf)
/** An amount as it came. Its reader reads it together with its {@link currency}. */
export const amount = expecting(
  z.union([z.number(), z.string().transform(asPrivate)]),
  expectAmount,
)
/** The currency of an {@link amount}, read together with the amount. */
export const currency = expecting(text.transform(asPrivate), expectCurrency)

/**
 * A cleaned text that may be missing. For this and the other optional fields, an absent, null,
 * empty or unreadable value is undefined.
 */
export const optionalText = expecting(
  readWhereThere((value) => mapText(value, cleaned)),
  expectText,
)
/** {@link exactText} for a field that may be missing. */
export const optionalExact = expecting(
  readWhereThere((value) => mapText(value, exact)),
  expectText,
)
/** {@link privateText} for a field that may be missing. */
export const optionalPrivate = expecting(
  readWhereThere((value) => mapText(value, asPrivate)),
  expectText,
)
/** A moment as the gateway writes it. A text that is no moment is cleaned. */
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
/** {@link idOf} for a field that may be missing. */
export const optionalIdOf = <I extends number>() =>
  optionalId as unknown as z.ZodOptional<z.ZodType<I | undefined>>
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
/** As {@link optionalWord}, for a required field. */
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
/** A message of the gateway, redacted so that it is safe to store and display. */
export const optionalMessage = expecting(
  readWhereThere((value) => mapText(value, redact)),
  expectText,
)
/**
 * An amount or a currency that the reader takes from `wire`, for example by `moneyIn`. Among the
 * parsed fields it is undefined.
 */
export const fromWire = expecting(
  readWhereThere(() => undefined),
  expectByName,
)
/**
 * As {@link fromWire}, for answers that are read often. The value stays among the parsed fields, so
 * the reader must name each field that it returns.
 */
export const readLater = expecting(z.unknown().optional(), expectByName)
/** When the gateway made a record and last changed it. */
export const recordTimes = { created_at: optionalTime, updated_at: optionalTime }

/** An exact number that is no amount, such as a rate: every digit kept, as decimal text. */
export const optionalDecimal = expecting(
  readWhereThere((value) => decimalIn(value)),
  expectDecimal,
)

/** A text of a request that goes into an address: no control characters, no lone surrogates. */
export const addressText = text.regex(/^[^\p{Cc}\p{Cs}]*$/u, "characters that no address has")
/** The gateway's number of a source. As a path segment, `.` and `..` would change the path. */
export const sourceNumber = addressText.refine(
  (number) => number !== "." && number !== "..",
  "no source number",
)
export const sourceType = z.enum(ENUMS.SourceType)
export const countryCode = z.string().regex(/^[A-Z]{2}$/, "two upper case letters")
export const phone = z.string().regex(/^[1-9]\d{7,14}$/, "digits of E.164 without a plus")
export const uuid = z.uuidv4("no UUID v4")

/** One zod step instead of a pipe of three: most fields of an answer are optional. */
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
 * A text, or a number as text. Undefined if the value says nothing or has another type. Undefined
 * also for an integer too long to be exact: with changed digits it would be another record's id.
 */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return isAbsent(value) ? undefined : value
  if (typeof value !== "number") return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}
