/**
 * Reads an answer: first by its schema, then by a comparison with the request. If an amount that
 * the contract names is unreadable, so is the whole answer. Unknown fields are kept in `wire`.
 */
import { z } from "zod"
import type { CurrencyCode, Money } from "../terms/money"
import { figureFromMajor, moneyWithoutNoise } from "../terms/money"
import type { FieldProblem } from "../errors"
import type { CleanText, DecimalText, ExactText, StateWord, WebAddress } from "../terms/texts"
import { redact } from "../redact"
import { addressIn, currencyIn, decimalIn, idIn, isAbsent, isSameWord } from "./forms"
import { expectationsOf, expectingRecord, noteUnusual, type ReadContext } from "./unusual"

/** The answer's JSON object as it came. It may hold secrets: never log it. */
export type Wire = Readonly<Record<string, unknown>>

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

/** State of an execution. Open: treat an unknown value as in flight. */
export type ExecutionStatus = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | StateWord

/** A moment in ISO 8601, as the gateway wrote it. */
export type GatewayTime = ExactText | CleanText

/** A field that makes the answer unreadable although it may fit the schema. */
export class UnusableField implements FieldProblem {
  constructor(
    readonly path: string,
    readonly message: string,
  ) {}
}

/** Reads one kind of answer. `request` serves to refuse an answer about another record. */
export type Reader<Request, Response> = {
  (body: unknown, request: Request, context?: ReadContext): Parsed<Response>
  /** Every field of the answer that this client reads, under the names of the wire. */
  readonly schema: z.ZodType
}

/** Fields of an answer under this client's names: `paidAt` for `paid_at`. */
export type CamelCased<Fields> = {
  readonly [Name in keyof Fields as CamelCase<Name & string>]: Fields[Name]
}
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** Each name is converted once, because a status is read often. Only names of schemas are added. */
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

/** A request's fields under the names of the wire: `paid_at` for `paidAt`. */
export function inSnakeCase<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [snakeCased(name), value]),
  )
}

function snakeCased(name: string): string {
  return name.replace(/[A-Z]/g, (found) => `_${found.toLowerCase()}`)
}

/** Names of fields whose type is a plain `string`: a text that was not cleaned. */
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

/**
 * The schema of an answer. The compiler refuses it if a field is a plain, not cleaned text, such as
 * `field.text`, which is for requests.
 */
export type Cleaned<Schema extends z.ZodType> = [RawNames<z.output<Schema>>] extends [never]
  ? Schema
  : { readonly "clean these fields": RawNames<z.output<Schema>> }

/** Makes a reader from a schema of the fields and a function that builds the client's answer. */
export function reader<Schema extends z.ZodObject, Request, Response extends object>(
  schema: Cleaned<Schema>,
  build: (
    fields: CamelCased<z.output<Schema>>,
    wire: Wire,
    request: Request,
    context: ReadContext,
  ) => Response | UnusableField,
): Reader<Request, Response> {
  return plainReader(schema, (fields, wire, request: Request, context) =>
    build(inCamelCase(fields), wire, request, context),
  )
}

/**
 * Makes a reader of an answer that is returned with its fields unchanged.
 *
 * @param asked picks the fields of the request that the answer must repeat
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

/** A record within another answer, under this client's names; undefined if absent or null. */
export const part = <Schema extends z.ZodObject>(schema: Schema) =>
  expectingRecord(
    schema.nullish().transform((fields) => (fields ? inCamelCase(fields) : undefined)),
    schema.shape,
  )

const NO_CONTEXT: ReadContext = {}

/** As {@link reader}, but without new names: for a payment's status, which is read most often. */
export function plainReader<Schema extends z.ZodObject, Request, Response extends object>(
  given: Cleaned<Schema>,
  build: (
    fields: z.output<Schema>,
    wire: Wire,
    request: Request,
    context: ReadContext,
  ) => Response | UnusableField,
): Reader<Request, Response> {
  // `Cleaned` matters to the compiler only: at runtime it is the same schema.
  const schema = given as Schema
  const expectations = expectationsOf(schema.shape)
  const read = (
    body: unknown,
    request: Request,
    context: ReadContext = NO_CONTEXT,
  ): Parsed<Response> => {
    if (!isWire(body)) return { ok: false, problems: [new UnusableField("", "not a JSON object")] }
    noteUnusual(body, expectations, context)
    const parsed = schema.safeParse(body)
    if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error) }
    const answer = build(parsed.data, body, request, context)
    return answer instanceof UnusableField
      ? { ok: false, problems: [answer] }
      : { ok: true, value: answer }
  }
  return Object.assign(read, { schema })
}

/**
 * Makes a reader of a bare array. One unreadable element makes the list unreadable: a caller would
 * take a list with a hole for the whole list.
 */
export function listReader<Request, Response>(
  element: Reader<Request, Response>,
): Reader<Request, readonly Response[]> {
  const read = (
    body: unknown,
    request: Request,
    context?: ReadContext,
  ): Parsed<readonly Response[]> => {
    if (!Array.isArray(body))
      return { ok: false, problems: [new UnusableField("", "not a JSON array")] }
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

/** Puts the problems of a list's element under the element's index. */
function under(path: string, problems: readonly FieldProblem[]): readonly FieldProblem[] {
  return problems.map((problem) => ({
    ...problem,
    path: problem.path === "" ? path : `${path}.${problem.path}`,
  }))
}

/**
 * The first field whose value differs from the request's: the answer is about another record. A
 * field that is undefined in `asked` is not compared.
 */
export function otherThanAsked<Fields extends object>(
  fields: Fields,
  asked: { readonly [Name in keyof Fields]?: unknown },
): UnusableField | undefined {
  for (const name in asked) {
    if (asked[name] === undefined || isSameWord(asked[name], fields[name])) continue
    return new UnusableField(snakeCased(name), "another than asked for")
  }
  return undefined
}

/**
 * As {@link otherThanAsked}, for fields that only repeat the request, under the wire's names. An
 * answer may lack them, because the call itself names the record. A field that is there must match.
 */
export function otherThanRepeated(
  wire: Wire,
  asked: Readonly<Record<string, string | number>>,
  { note }: ReadContext,
): UnusableField | undefined {
  for (const [name, wanted] of Object.entries(asked)) {
    const said = wire[name]
    if (isAbsent(said)) note?.(name, "missing")
    else if (!isSameWord(typeof wanted === "number" ? idIn(said) : said, wanted)) {
      return new UnusableField(name, "another than asked for")
    }
  }
  return undefined
}

/** The fields that do not fit a schema, without their values. */
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
 * An amount after fees and exchange: it is stored and displayed, never compared. `minor` is rounded
 * half up to the currency's digits; `exact` has every digit of the answer.
 */
export type Figure = Money & {
  /** Decimal text in major units, perhaps with more digits than the currency has. */
  readonly exact: DecimalText
}

/** An amount and the currency from the field beside it. Else the unusable field. */
export function moneyIn(
  wire: Wire,
  amountName: string,
  currencyName: string,
): { amount?: Figure; currency?: CurrencyCode } | UnusableField {
  const currency = currencyIn(wire[currencyName])
  if (!currency && !isAbsent(wire[currencyName]))
    return new UnusableField(currencyName, "no currency")
  if (isAbsent(wire[amountName])) return currency ? { currency } : {}
  if (!currency) return new UnusableField(currencyName, "missing beside an amount")
  const amount = figureOf(wire[amountName], currency)
  return amount ? { amount, currency } : new UnusableField(amountName, "no amount")
}

export function figureOf(amount: unknown, currency: CurrencyCode): Figure | undefined {
  const text = decimalIn(amount, currency)
  return text === undefined ? undefined : figureFromMajor(text, currency)
}

/**
 * An amount for a comparison, so it must be exact in its currency. Undefined if the amount or its
 * currency is unreadable, or if the amount has too many digits.
 */
export function exactMoneyOf(amount: unknown, currency: unknown): Money | undefined {
  const code = currencyIn(currency)
  const text = code && decimalIn(amount, code)
  return text === undefined || !code ? undefined : moneyWithoutNoise(text, code)
}

/** The address of a page. A relative one is noted and joined to the gateway's origin. */
export function pageIn(text: string, { origin, note }: ReadContext): WebAddress | UnusableField {
  const address = addressIn(text, origin)
  if (address === undefined) return new UnusableField("url", "no web address")
  if (!/^https?:/i.test(text.trim())) note?.("url", "relative")
  return address
}

/** Compares two references; the case does not count, because a UUID is the same in either case. */
export function sameReference(a: string, b: string): boolean {
  return isSameWord(a, b)
}
