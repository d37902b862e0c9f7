/**
 * What one operation needs besides its row in `operations.ts`: how its request is checked and written,
 * and how its answer is read. Each file in `wire/` makes these for one resource; `call.ts` runs them.
 */
import type { z } from "zod"
import type { FieldProblem } from "./errors"
import { OPERATIONS } from "./operations"
import type { OperationName, OperationSpec } from "./operations"
import type { Sending } from "./transport"
import type { Reader } from "./wire/fields"
import { problemsOf } from "./wire/fields"

/** A request in the words of the wire. */
export type WireRequest = {
  /** Values for the `{…}` of the path template. */
  readonly params?: Readonly<Record<string, string>>
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: Readonly<Record<string, unknown>>
}

export type Endpoint<Request, Answer> = {
  readonly operation: OperationName
  /** What is wrong with the request, or undefined. Nothing is sent when it is wrong. */
  readonly problemsWith: (request: Request) => readonly FieldProblem[] | undefined
  readonly write: (request: Request) => WireRequest
  readonly read: Reader<Request, Answer>
  /** The UUID of the movement of money that the call is about. */
  readonly referenceOf?: (request: Request) => string
  /** What the request holds that no error may repeat, in whatever words the gateway refuses it. */
  readonly secretsIn?: (request: Request) => readonly string[]
}

/** Checks a request by its schema: what the types can't refuse is refused before anything is sent. */
export function checkedBy<Request>(
  schema: z.ZodType<unknown>,
): (request: Request) => readonly FieldProblem[] | undefined {
  return (request) => {
    const parsed = schema.safeParse(request)
    return parsed.success ? undefined : problemsOf(parsed.error)
  }
}

/** Where a request goes, in the words of HTTP. */
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
