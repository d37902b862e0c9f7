/**
 * What one operation needs besides its row in `operations.ts`: how to check and write its request
 * and how to read its answer. Each file in `wire/` makes these for one resource; `call.ts` runs
 * them.
 */
import { z } from "zod"
import type { FieldProblem } from "./errors"
import { OPERATIONS } from "./operations"
import type { OperationName, OperationSpec } from "./operations"
import type { Sending } from "./transport"
import type { Reader } from "./wire/fields"
import { problemsOf } from "./wire/fields"

/** A request in the field names of the wire. */
export type WireRequest = {
  /** Values for the `{…}` of the path template. */
  readonly params?: Readonly<Record<string, string>>
  /** Entries that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: Readonly<Record<string, unknown>>
}

export type Endpoint<Request, Response> = {
  readonly operation: OperationName
  /** What is wrong with the request, or undefined. Nothing is sent when it is wrong. */
  readonly problemsWith: (request: Request) => readonly FieldProblem[] | undefined
  readonly write: (request: Request) => WireRequest
  readonly read: Reader<Request, Response>
  /** The UUID of the movement of money that the call is about. */
  readonly referenceOf?: (request: Request) => string
  /** Secrets in the request. No error repeats them, even where the gateway's refusal does. */
  readonly secretsIn?: (request: Request) => readonly string[]
}

/** Checks a request by its schema, so that what the types can't refuse is never sent. */
export function checkedBy<Request>(
  schema: z.ZodType<unknown>,
): (request: Request) => readonly FieldProblem[] | undefined {
  return (request) => {
    const parsed = schema.safeParse(request)
    return parsed.success ? undefined : problemsOf(parsed.error)
  }
}

type Id = { readonly id: number }
const idSchema = z.object({ id: z.int().positive() })

/** A call that names a record by its id in the path, and sends nothing else. */
export const byId = <Response>(
  operation: OperationName,
  read: Reader<Id, Response>,
): Endpoint<Id, Response> => ({
  operation,
  problemsWith: checkedBy(idSchema),
  write: ({ id }) => ({ params: { id: String(id) } }),
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
    body: body && JSON.stringify(body),
  }
}

function fillPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
}

function queryText(query: Readonly<Record<string, string | undefined>>): string {
  let text = ""
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    text += `${text === "" ? "?" : "&"}${name}=${encodeURIComponent(value)}`
  }
  return text
}
