/** Reads what a caller sent, by its schema. */
import { z } from "zod"
import { invalid, isInvalidSituation, Refusal } from "../core/refusal"
import { SHAPE } from "../core/schemas/shapes"
import type { Asked, Endpoint, Segment } from "./endpoints/endpoint"

type Request = {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: unknown
  readonly body?: unknown
}

/**
 * The ids of the address, the query and the body of a request.
 *
 * @throws Refusal of the segment for an impossible id; `invalid_request`, naming the field
 */
export function askedIn<E extends Pick<Endpoint, "params" | "query" | "body">>(
  endpoint: E,
  { params, query, body }: Request,
): Asked<E> {
  const ids = Object.entries(endpoint.params ?? {}).map(([name, segment]) => [
    name,
    segmentIn(params[name] ?? "", name, segment),
  ])
  return {
    ...(Object.fromEntries(ids) as object),
    ...(endpoint.query && { query: parsed(endpoint.query, query) }),
    ...(endpoint.body && { body: parsed(endpoint.body, body) }),
  } as Asked<E>
}

function segmentIn(given: string, name: string, { notFound, oneOf }: Segment): string {
  if (oneOf ? oneOf.includes(given) : SHAPE.test(given)) return given
  if (oneOf && notFound === "invalid_request") throw invalid(name, "one_of", { expected: oneOf })
  throw new Refusal(notFound)
}

/**
 * @throws Refusal `invalid_request`, naming the field. It repeats no given key or value: a secret
 * may stand where a name is expected
 */
export function parsed<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value ?? {})
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = knownNames(schema, issue?.path ?? []).join(".") || null
  throw issue ? refusalOf(field, issue) : invalid(field)
}

/** A schema's own message is a situation; otherwise the kind of Zod's issue decides. */
function refusalOf(field: string | null, issue: z.core.$ZodIssue): Refusal {
  if (isInvalidSituation(issue.message)) return invalid(field, issue.message)
  switch (issue.code) {
    case "invalid_type":
      return invalid(field, "type", { expected: issue.expected })
    case "invalid_value":
      return invalid(field, "one_of", { expected: issue.values.map(String) })
    case "too_small":
      return invalid(field, "at_least", { least: Number(issue.minimum) })
    case "too_big":
      return invalid(field, "at_most", { most: Number(issue.maximum) })
    case "unrecognized_keys":
      return invalid(field, "unknown_field")
    case "invalid_key":
      return issue.issues[0] ? refusalOf(field, issue.issues[0]) : invalid(field)
    default:
      return invalid(field)
  }
}

/** The part of an issue's path that the schema names; below a record the names are the caller's. */
function knownNames(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const names: string[] = []
  let at: unknown = schema
  for (const name of path) {
    while (at instanceof z.ZodOptional || at instanceof z.ZodNullable) at = at.unwrap()
    if (!(at instanceof z.ZodObject) || typeof name !== "string") break
    names.push(name)
    at = at.shape[name]
  }
  return names
}
