/**
 * How single fields of an answer are read. Required fields are read by the zod schema of their
 * resource; optional ones by the functions below, straight from the JSON, because an optional field
 * that can't be read must not make an answer about money unreadable. Amounts of the contract are the
 * exception: one that is there and can't be read makes the whole answer unreadable.
 *
 * Ids are integers in most answers; an integer written as text is taken as well. Unknown fields are
 * kept in `wire`, unknown values of enums are kept as they are.
 */
import { z } from "zod"
import type { CurrencyCode, Money } from "../../core/money"
import { decimalText, exactMoneyFromMajor, figureFromMajor, parseCurrency } from "../../core/money"
import type { FieldProblem } from "../errors"
import { redact } from "../redact"
import { ENUMS } from "./enums"

/** The answer's JSON object as it came, for fields that have no name here. May hold secrets: never log it. */
export type Wire = Readonly<Record<string, unknown>>

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

/** State of an execution. Open: an unknown value is to be read as in flight. */
export type ExecutionStatus = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | (string & {})

export const idField = z.union([
  z.int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
])
export const textField = z.string().min(1)
/** An open enum goes into sentences and columns: a value that is none of its kind is cut and masked. */
export const statusField = textField.transform((text) =>
  /^[A-Za-z_]{1,40}$/.test(text) ? text : redact(text).slice(0, 40),
)
export const amountField = z.union([z.number(), z.string()])

/** Fields of which an answer can do without: absent, null, empty or unreadable is undefined. */
export const optionalText = readWhereThere(textOf)
export const optionalId = readWhereThere(idOf)
export const optionalFlag = readWhereThere((value) =>
  typeof value === "boolean" ? value : undefined,
)
/** As {@link statusField}, of an answer that can do without. */
export const optionalStatus = readWhereThere((value) => statusField.safeParse(value).data)
/** A text of the gateway for people, made safe to store and show. */
export const optionalMessage = readWhereThere((value) => {
  const text = textOf(value)
  return text === undefined ? undefined : redact(text)
})
/** Read together with another field, by {@link moneyIn} for one. */
export const readLater = z.unknown().optional()

/** An exact number that is no amount, a rate or a percentage: every digit kept, as decimal text. */
export const optionalDecimal = readWhereThere(decimalText)

/** A text that goes into an address or is looked for in one: neither control characters nor half a pair. */
export const addressTextField = textField.regex(
  /^[^\p{Cc}\p{Cs}]*$/u,
  "characters that no address has",
)
/** The gateway's own number of a document. It becomes a step of a path, which these would bend. */
export const documentNumberField = addressTextField.refine(
  (text) => text !== "." && text !== "..",
  "no document number",
)
export const sourceTypeField = z.enum(ENUMS.SourceType)
export const phoneField = z.string().regex(/^[1-9]\d{7,14}$/, "digits of E.164 without a plus")
export const uuidField = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i, "no UUID v4")
/** One field that makes the answer unreadable, found after the schema. */
export class Misfit {
  constructor(
    readonly path: string,
    readonly message: string,
  ) {}
}

/** Reads one kind of answer. `request` is there so that an answer about something else is noticed. */
export type Reader<Request, Answer> = {
  (body: unknown, request: Request): Parsed<Answer>
  /** Every field of the answer that has a name here, in the words of the wire. */
  readonly schema: z.ZodType
}

/** Makes a reader from the schema of the answer's fields and a function that builds the answer. */
export function reader<Schema extends z.ZodObject, Request, Answer extends object>(
  schema: Schema,
  build: (fields: z.output<Schema>, wire: Wire, request: Request) => Answer | Misfit,
): Reader<Request, Answer> {
  const read = (body: unknown, request: Request): Parsed<Answer> => {
    if (!isWire(body)) {
      return { ok: false, problems: [{ path: "", message: "not a JSON object" }] }
    }
    const parsed = schema.safeParse(body)
    if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error) }
    const answer = build(parsed.data, body, request)
    return answer instanceof Misfit
      ? { ok: false, problems: [{ path: answer.path, message: answer.message }] }
      : { ok: true, value: answer }
  }
  return Object.assign(read, { schema })
}

/**
 * Makes a reader of a bare array. One element that can't be read makes the list unreadable: a list with
 * a hole would be taken for the whole.
 */
export function listReader<Request, Answer>(
  element: Reader<Request, Answer>,
): Reader<Request, readonly Answer[]> {
  const read = (body: unknown, request: Request): Parsed<readonly Answer[]> => {
    if (!Array.isArray(body)) {
      return { ok: false, problems: [{ path: "", message: "not a JSON array" }] }
    }
    const values: Answer[] = []
    for (const [index, item] of body.entries()) {
      const parsed = element(item, request)
      if (!parsed.ok) return { ok: false, problems: under(String(index), parsed.problems) }
      values.push(parsed.value)
    }
    return { ok: true, value: values }
  }
  return Object.assign(read, { schema: z.array(element.schema) })
}

/** The same problems, one level deeper. */
export function under(path: string, problems: readonly FieldProblem[]): readonly FieldProblem[] {
  return problems.map((problem) => ({
    ...problem,
    path: problem.path === "" ? path : `${path}.${problem.path}`,
  }))
}

/** Where a value does not fit its schema. The values themselves are not repeated. */
export function problemsOf(error: z.ZodError): readonly FieldProblem[] {
  return error.issues.map((issue) => ({
    path: issue.path.map(String).join("."),
    message: redact(issue.message),
  }))
}

export function isWire(body: unknown): body is Wire {
  return typeof body === "object" && body !== null && !Array.isArray(body)
}

/** One step for zod instead of a pipe of three: most fields of an answer are of this kind. */
function readWhereThere<T>(read: (value: unknown) => T) {
  return z.transform((value: unknown) => read(value)).optional()
}

/**
 * A text or a number as text, as it came. Undefined if it is empty or something else, or a whole number so
 * long that it is no longer the one that came: an id with other digits is somebody else's.
 */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value
  if (typeof value !== "number") return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}

/** An integer, or one written as text. */
function idOf(value: unknown): number | undefined {
  const text = textOf(value)
  return text === undefined || !/^\d{1,15}$/.test(text) ? undefined : Number(text)
}

/**
 * An amount that is stored and shown, and never equal to what was asked for with any certainty: payer and
 * payee side, after fees and exchange.
 * `minor` is rounded half up to the currency's digits; `exact` is what was answered.
 */
export type Figure = Money & {
  /** Decimal text in major units, perhaps with more digits than the currency has. */
  readonly exact: string
}

/** An amount with the currency beside it. One that is there and can't be read is a misfit. */
export function moneyIn(
  wire: Wire,
  amountName: string,
  currencyName: string,
): { amount?: Figure; currency?: CurrencyCode } | Misfit {
  const currency = absentIn(wire, currencyName) ? undefined : parseCurrency(wire[currencyName])
  if (!currency && !absentIn(wire, currencyName)) return new Misfit(currencyName, "no currency")
  if (absentIn(wire, amountName)) return currency ? { currency } : {}
  if (!currency) return new Misfit(currencyName, "missing beside an amount")
  const amount = figureOf(wire[amountName], currency)
  return amount ? { amount, currency } : new Misfit(amountName, "no amount")
}

/** The figure of an amount in a currency, or undefined for what is no amount. */
export function figureOf(value: unknown, currency: CurrencyCode): Figure | undefined {
  return figureFromMajor(value, currency)
}

/** Exact, because it is compared: an amount in an answer with the currency beside it. */
export function exactMoneyOf(amount: unknown, currency: unknown): Money | undefined {
  const code = parseCurrency(currency)
  return code && exactMoneyFromMajor(amount, code)
}

function absentIn(wire: Wire, name: string): boolean {
  return !Object.hasOwn(wire, name) || wire[name] === null || wire[name] === undefined
}

/** An address that may go into a browser: `javascript:` and the like must not get that far. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** Lower cased comparison: a reference is the same UUID in either case. */
export function sameReference(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}
