/**
 * How an answer is read: by its schema, then compared with what was asked for. An unreadable amount
 * of the contract makes the whole answer unreadable. Unknown fields are kept in `wire`.
 */
import { z } from "zod"
import type { CurrencyCode, Money } from "../../core/money"
import { figureFromMajor, moneyWithoutNoise } from "../../core/money"
import type { FieldProblem } from "../errors"
import type {
  CleanText,
  DecimalText,
  ExactText,
  StateWord,
  WebAddress,
} from "../../core/said/texts"
import { redact } from "../redact"
import { addressIn, currencyIn, decimalIn, idIn, isAbsent, isSameWord } from "./forms"
import { expectationsOf, expectingRecord, noteUnusual, type ReadContext } from "./unusual"

/** The answer's JSON object as it came. May hold secrets: never log it. */
export type Wire = Readonly<Record<string, unknown>>

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

/** State of an execution. Open: an unknown value is to be read as in flight. */
export type ExecutionStatus = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | StateWord

/** ISO 8601, as the gateway wrote it. */
export type GatewayTime = ExactText | CleanText

/** A field that makes the answer unreadable, found after the schema. */
export class Misfit implements FieldProblem {
  constructor(
    readonly path: string,
    readonly message: string,
  ) {}
}

/** Reads one kind of answer and compares it with `request`, to notice one about something else. */
export type Reader<Request, Response> = {
  (body: unknown, request: Request, context?: ReadContext): Parsed<Response>
  /** Every field of the answer that has a name here, in the field names of the wire. */
  readonly schema: z.ZodType
}

/** Fields of an answer under this client's names: `paidAt` for `paid_at`. */
export type CamelCased<Fields> = {
  readonly [Name in keyof Fields as CamelCase<Name & string>]: Fields[Name]
}
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** Names are made once: a status is read often. There are no more than the schemas have. */
const CAMEL_CASED = new Map<string, string>()

export function inCamelCase<Fields extends object>(fields: Fields): CamelCased<Fields> {
  const renamed: Record<string, unknown> = {}
  for (const name in fields) {
    let camelCased = CAMEL_CASED.get(name)
    if (camelCased === undefined) {
      camelCased = name.replace(/_[a-z]/g, (found) => found.charAt(1).toUpperCase())
      CAMEL_CASED.set(name, camelCased)
    }
    renamed[camelCased] = fields[name]
  }
  return renamed as CamelCased<Fields>
}

/** The wire's spelling of a request's names: `paid_at` for `paidAt`. */
export function inSnakeCase<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [snakeCased(name), value]),
  )
}

function snakeCased(name: string): string {
  return name.replace(/[A-Z]/g, (found) => `_${found.toLowerCase()}`)
}

/** Names of fields whose value is any text, one that nobody has cleaned. */
type RawNames<Fields> = string extends keyof Fields
  ? never
  : {
      [Name in keyof Fields]-?: true extends IsRaw<Exclude<Fields[Name], null | undefined>>
        ? Name
        : never
    }[keyof Fields]
type IsRaw<Value> = [Value] extends [never]
  ? false
  : unknown extends Value
    ? false
    : string extends Value
      ? true
      : Value extends readonly (infer Element)[]
        ? IsRaw<Exclude<Element, null | undefined>>
        : Value extends string | number | boolean | bigint
          ? false
          : [RawNames<Value>] extends [never]
            ? false
            : true

/** A schema of an answer, none of whose fields is a text as it came: `field.text` is for requests. */
export type Cleaned<Schema extends z.ZodType> = [RawNames<z.output<Schema>>] extends [never]
  ? Schema
  : { readonly "clean these fields": RawNames<z.output<Schema>> }

/** Makes a reader from the schema of the answer's fields and a function that builds the answer. */
export function reader<Schema extends z.ZodObject, Request, Response extends object>(
  schema: Cleaned<Schema>,
  build: (
    fields: CamelCased<z.output<Schema>>,
    wire: Wire,
    request: Request,
    context: ReadContext,
  ) => Response | Misfit,
): Reader<Request, Response> {
  return plainReader(schema, (fields, wire, request: Request, context) =>
    build(inCamelCase(fields), wire, request, context),
  )
}

/**
 * Makes a reader of an answer whose fields are the record.
 *
 * @param asked what the answer has to be about, out of the request
 */
export function recordReader<Schema extends z.ZodObject, Request>(
  schema: Cleaned<Schema>,
  asked: (request: Request) => {
    readonly [Name in keyof CamelCased<z.output<Schema>>]?: unknown
  } = () => ({}),
) {
  return reader(schema, (fields, wire, request: Request) => {
    return otherThanAsked(fields, asked(request)) ?? { ...fields, wire }
  })
}

/** A record within another answer, under this client's names; undefined if there is none. */
export const part = <Schema extends z.ZodObject>(schema: Schema) =>
  expectingRecord(
    schema.nullish().transform((fields) => (fields ? inCamelCase(fields) : undefined)),
    schema.shape,
  )

const NO_CONTEXT: ReadContext = {}

/** As {@link reader}, with the wire's own names: for a payment's status, which is read most. */
export function plainReader<Schema extends z.ZodObject, Request, Response extends object>(
  given: Cleaned<Schema>,
  build: (
    fields: z.output<Schema>,
    wire: Wire,
    request: Request,
    context: ReadContext,
  ) => Response | Misfit,
): Reader<Request, Response> {
  // Only the compiler sees a difference.
  const schema = given as Schema
  const expectations = expectationsOf(schema.shape)
  const read = (
    body: unknown,
    request: Request,
    context: ReadContext = NO_CONTEXT,
  ): Parsed<Response> => {
    if (!isWire(body)) return { ok: false, problems: [new Misfit("", "not a JSON object")] }
    noteUnusual(body, expectations, context)
    const parsed = schema.safeParse(body)
    if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error) }
    const answer = build(parsed.data, body, request, context)
    return answer instanceof Misfit
      ? { ok: false, problems: [answer] }
      : { ok: true, value: answer }
  }
  return Object.assign(read, { schema })
}

/**
 * Makes a reader of a bare array. One unreadable element makes the list unreadable: a list with a
 * hole would be taken for the whole.
 */
export function listReader<Request, Response>(
  element: Reader<Request, Response>,
): Reader<Request, readonly Response[]> {
  const read = (
    body: unknown,
    request: Request,
    context?: ReadContext,
  ): Parsed<readonly Response[]> => {
    if (!Array.isArray(body)) return { ok: false, problems: [new Misfit("", "not a JSON array")] }
    const values: Response[] = []
    for (const [index, item] of body.entries()) {
      const parsed = element(item, request, context)
      if (!parsed.ok) return { ok: false, problems: under(String(index), parsed.problems) }
      values.push(parsed.value)
    }
    return { ok: true, value: values }
  }
  return Object.assign(read, { schema: z.array(element.schema) })
}

/** The same problems, one level deeper. */
function under(path: string, problems: readonly FieldProblem[]): readonly FieldProblem[] {
  return problems.map((problem) => ({
    ...problem,
    path: problem.path === "" ? path : `${path}.${problem.path}`,
  }))
}

/**
 * The first field that an answer about something else has instead of the one asked for. What was
 * not asked for is not compared.
 */
export function otherThanAsked<Fields extends object>(
  fields: Fields,
  asked: { readonly [Name in keyof Fields]?: unknown },
): Misfit | undefined {
  for (const name in asked) {
    if (asked[name] === undefined || isSameWord(asked[name], fields[name])) continue
    return new Misfit(snakeCased(name), "another than asked for")
  }
  return undefined
}

/**
 * As {@link otherThanAsked}, for what an answer only repeats, under the wire's names. It may be left
 * out, because the call itself says what it is about; where it is there, it has to be the same.
 */
export function otherThanRepeated(
  wire: Wire,
  asked: Readonly<Record<string, string | number>>,
  { note }: ReadContext,
): Misfit | undefined {
  for (const [name, wanted] of Object.entries(asked)) {
    const said = wire[name]
    if (isAbsent(said)) note?.(name, "missing")
    else if (!isSameWord(typeof wanted === "number" ? idIn(said) : said, wanted)) {
      return new Misfit(name, "another than asked for")
    }
  }
  return undefined
}

/** Where a value does not fit its schema, without repeating the value. */
export function problemsOf(error: z.ZodError): readonly FieldProblem[] {
  return error.issues.map((issue) => ({
    path: issue.path.map(String).join("."),
    message: redact(issue.message),
  }))
}

export function isWire(body: unknown): body is Wire {
  return typeof body === "object" && body !== null && !Array.isArray(body)
}

/**
 * An amount after fees and exchange: stored and displayed, never compared. `minor` is rounded half
 * up to the currency's digits; `exact` has every digit of the answer.
 */
export type Figure = Money & {
  /** Decimal text in major units, perhaps with more digits than the currency has. */
  readonly exact: DecimalText
}

/** An amount with its currency beside it. An unreadable one is a misfit. */
export function moneyIn(
  wire: Wire,
  amountName: string,
  currencyName: string,
): { amount?: Figure; currency?: CurrencyCode } | Misfit {
  const currency = currencyIn(wire[currencyName])
  if (!currency && !isAbsent(wire[currencyName])) return new Misfit(currencyName, "no currency")
  if (isAbsent(wire[amountName])) return currency ? { currency } : {}
  if (!currency) return new Misfit(currencyName, "missing beside an amount")
  const amount = figureOf(wire[amountName], currency)
  return amount ? { amount, currency } : new Misfit(amountName, "no amount")
}

export function figureOf(amount: unknown, currency: CurrencyCode): Figure | undefined {
  const text = decimalIn(amount, currency)
  return text === undefined ? undefined : figureFromMajor(text, currency)
}

/** An amount that will be compared, so it is exact; with the currency of the field beside it. */
export function exactMoneyOf(amount: unknown, currency: unknown): Money | undefined {
  const code = currencyIn(currency)
  const text = code && decimalIn(amount, code)
  return text === undefined || !code ? undefined : moneyWithoutNoise(text, code)
}

/** The address of a page: absolute, or joined to that of the gateway. Noted where it was joined. */
export function pageIn(text: string, { origin, note }: ReadContext): WebAddress | Misfit {
  const address = addressIn(text, origin)
  if (address === undefined) return new Misfit("url", "no web address")
  if (!/^https?:/i.test(text.trim())) note?.("url", "relative")
  return address
}

/** Compares in lower case: a UUID is the same in either case. */
export function sameReference(a: string, b: string): boolean {
  return isSameWord(a, b)
}
