/**
 * An endpoint is what one operation needs besides its row in `operations.ts`: how to check and
 * write its request and how to read its answer. Each file in `wire/` makes the endpoints of one
 * resource; `call.ts` runs them.
 */
import { z } from "zod"
import { OPERATIONS, type OperationName, type OperationSpec } from "./operations"
import { sendableValue } from "./plain-text"
import type { Sending } from "./transport"
import type { BodyStream } from "./stream/list-body"
import * as field from "./wire/fields"
import { inSnakeCase, problemsOf, type Parsed, type Reader } from "./wire/reading"

/** A request in the field names of the wire. */
export type WireRequest = {
  /** Values for the `{…}` of the path template. */
  readonly params?: Readonly<Record<string, string | number>>
  /** Entries that are undefined are left out. */
  readonly query?: Query
  /**
   * Written by `JSON.stringify`: dates as ISO 8601, texts without control or direction characters.
   */
  readonly body?: Fields
}

type Fields = Readonly<Record<string, unknown>>
type Query = Readonly<Record<string, string | number | undefined>>

export type Endpoint<Request, Response> = {
  readonly operation: OperationName
  /** Turns the request into its wire form, or names its problems. With problems nothing is sent. */
  readonly write: (request: Request) => Parsed<WireRequest>
  readonly read: Reader<Request, Response>
  /**
   * The same request without texts that a gateway may refuse. The total and the ids stay the same.
   * Only an operation that moves no money by itself has a plain form.
   */
  readonly writePlain?: (request: Request) => Parsed<WireRequest>
  /** The UUID of the movement of money that the call is about. */
  readonly referenceOf?: (request: Request) => string
  /** For a list that is read while it arrives. `read` then gets what became of it. */
  readonly stream?: {
    /** The reader of one answer; each try has its own. */
    readonly open: (request: Request) => BodyStream
    /** Whether the caller has got a part of the list. The request is then not repeated. */
    readonly isBegun: (request: Request) => boolean
  }
  /** Secrets in the request. No error repeats them, even where the gateway's refusal does. */
  readonly secretsIn?: (request: Request) => readonly string[]
}

/**
 * Checks a request by the schema and writes it. A request that the types allow and the schema
 * refuses is never sent. A field that the schema does not name is left out.
 */
export const writer =
  <Schema extends z.ZodType>(
    schema: Schema,
    write: (checked: z.output<Schema>) => WireRequest,
  ): ((request: z.input<Schema>) => Parsed<WireRequest>) =>
  (request) => {
    const checked = schema.safeParse(request)
    return checked.success
      ? { ok: true, value: write(checked.data) }
      : { ok: false, problems: problemsOf(checked.error) }
  }

/** Writes the fields of a request into the query, with their names in snake case. */
export const inQuery = <Schema extends z.ZodType<Query>>(schema: Schema) =>
  writer(schema, (fields) => ({ query: inSnakeCase(fields) }))

/** Writes the fields of a request into the body, with their names in snake case. */
export const inBody = <Schema extends z.ZodType<Fields>>(schema: Schema) =>
  writer(schema, (fields) => ({ body: inSnakeCase(fields) }))

type Id = { readonly id: number }
const writeId = writer(z.object({ id: z.int().positive() }), ({ id }) => ({ params: { id } }))

/** A call that names a record by its id in the path, and sends nothing else. */
export const byId = <Response>(
  operation: OperationName,
  read: Reader<Id, Response>,
): Endpoint<Id, Response> => ({ operation, write: writeId, read })

/** A call that names an invoice or order by the gateway's number in the path. */
export const byNumber = <Response>(
  operation: OperationName,
  numberName: "invoice_number" | "order_number",
  read: Reader<{ readonly number: string }, Response>,
): Endpoint<{ readonly number: string }, Response> => ({
  operation,
  write: writer(z.object({ number: field.sourceNumber }), ({ number }) => ({
    params: { [numberName]: number },
  })),
  read,
})

/** Where a request goes: method, path and body. */
export type Target = Pick<Sending, "method" | "path" | "body" | "bodyLimitBytes">

/** Fills the operation's path template and encodes query and body. */
export function targetOf(operation: OperationName, { params, query, body }: WireRequest): Target {
  const { method, path, bodyLimitBytes }: OperationSpec = OPERATIONS[operation]
  return {
    method,
    bodyLimitBytes,
    path: `${params ? fillPath(path, params) : path}${query ? queryText(query) : ""}`,
    body: body && JSON.stringify(body, sendableValue),
  }
}

function fillPath(template: string, params: NonNullable<WireRequest["params"]>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
}

function queryText(query: Query): string {
  let text = ""
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    text += `${text === "" ? "?" : "&"}${name}=${encodeURIComponent(value)}`
  }
  return text
}
