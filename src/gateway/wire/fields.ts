/**
 * How single fields of an answer are read. Required fields are read by the zod schema of their
 * resource; optional ones by the functions below, straight from the JSON, because an optional field
 * that can't be read must not make an answer about money unreadable. Amounts are the exception: one that
 * is there and can't be read makes the whole answer unreadable.
 *
 * Ids are integers in most answers; an integer written as text is taken as well. Unknown fields are
 * kept in `wire`, unknown values of enums are kept as they are.
 */
import { z } from "zod"
import type { CurrencyCode, Money } from "../../core/money"
import { moneyFromMajor, parseCurrency } from "../../core/money"
import type { FieldProblem } from "../errors"
import { redact } from "../redact"

/** The answer's JSON object as it came, for fields that have no name here. May hold secrets: never log it. */
export type Wire = Readonly<Record<string, unknown>>

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

/** Invoice or order: `source_kind` in checkouts/create, `source_type` everywhere else on the wire. */
export type SourceType = "INVOICE" | "ORDER"

/** State of an invoice or order. Open: an unknown value is to be read as in flight. */
export type DocumentStatus = "IDLE" | "ACTIVE" | "PROCESSING" | "PAID" | "CANCELED" | (string & {})

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

export const sourceTypeField = z.enum(["INVOICE", "ORDER"])
export const phoneField = z.string().regex(/^[1-9]\d{7,14}$/, "digits of E.164 without a plus")
export const uuidField = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i, "no UUID v4")
export const currencyField = z.custom<CurrencyCode>(
  (value) => typeof value === "string" && /^[A-Z]{3}$/.test(value),
  "three upper case letters",
)
export const payableField = z.custom<Money>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    "minor" in value &&
    typeof value.minor === "bigint" &&
    value.minor > 0n &&
    "currency" in value &&
    parseCurrency(value.currency) === value.currency,
  "an amount of at least one smallest unit",
)

/** One field that makes the answer unreadable, found after the schema. */
export class Misfit {
  constructor(
    readonly path: string,
    readonly message: string,
  ) {}
}

/** Reads one kind of answer. `request` is there so that an answer about something else is noticed. */
export type Reader<Request, Answer> = (body: unknown, request: Request) => Parsed<Answer>

/** Makes a reader from the schema of the required fields and a function that builds the answer. */
export function reader<Schema extends z.ZodObject, Request, Answer extends object>(
  schema: Schema,
  build: (fields: z.output<Schema>, wire: Wire, request: Request) => Answer | Misfit,
): Reader<Request, Answer> {
  return (body, request) => {
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

/** A text of the gateway for people, made safe to store and show. Undefined if there is none. */
export function messageIn(wire: Wire, name: string): string | undefined {
  const text = textIn(wire, name)
  return text === undefined ? undefined : redact(text)
}

/** A text or a number as text, as it came. Undefined if absent, null, empty or something else. */
export function textIn(wire: Wire, name: string): string | undefined {
  const value = Object.hasOwn(wire, name) ? wire[name] : undefined
  if (typeof value === "string") return value === "" ? undefined : value
  return typeof value === "number" ? String(value) : undefined
}

/** A positive integer, or one written as text. */
export function idIn(wire: Wire, name: string): number | undefined {
  const text = textIn(wire, name)
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined
  return Number(text)
}

/**
 * An amount with the currency beside it. Rounded to the currency's digits: these are figures that are
 * stored and shown, never compared (payer and payee side, after fees and exchange).
 */
export function moneyIn(
  wire: Wire,
  amountName: string,
  currencyName: string,
): { amount?: Money; currency?: CurrencyCode } | Misfit {
  const currency = absentIn(wire, currencyName) ? undefined : parseCurrency(wire[currencyName])
  if (!currency && !absentIn(wire, currencyName)) return new Misfit(currencyName, "no currency")
  if (absentIn(wire, amountName)) return currency ? { currency } : {}
  if (!currency) return new Misfit(currencyName, "missing beside an amount")
  const amount = moneyFromMajor(wire[amountName], currency)
  return amount ? { amount, currency } : new Misfit(amountName, "no amount")
}

function absentIn(wire: Wire, name: string): boolean {
  return !Object.hasOwn(wire, name) || wire[name] === null || wire[name] === undefined
}

/** Lower cased comparison: a reference is the same UUID in either case. */
export function sameReference(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}
