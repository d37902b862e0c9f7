/**
 * The contract as data: every operation with the names of its parameters and of the fields of both
 * bodies.
 */
import { readFileSync } from "node:fs"
import path from "node:path"
import { z } from "zod"

const CONTRACT_FILE = path.resolve(__dirname, "../../../contract/openapi.json")

export type ContractOperation = {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Names of path and query parameters. */
  readonly params: readonly string[]
  readonly query: readonly string[]
  /** Every field as a path: `items[].amount`. */
  readonly requestFields: readonly string[]
  readonly answerFields: readonly string[]
}

const Named = z.object({ $ref: z.string() })
const Shape = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
  enum: z.array(z.unknown()).optional(),
})
const Json = z.object({ content: z.object({ "application/json": z.object({ schema: z.unknown() }) }) })
const Operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string() })).default([]),
  requestBody: Json.optional(),
  responses: z.looseObject({ "200": Json }),
})
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

export const contractText = (): string => readFileSync(CONTRACT_FILE, "utf8")
const document = Document.parse(JSON.parse(contractText()))

export const CONTRACT_OPERATIONS: readonly ContractOperation[] = Object.entries(
  document.paths,
).flatMap(([url, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    id: operation.operationId,
    method: method.toUpperCase(),
    path: url,
    params: namesIn(operation, "path"),
    query: namesIn(operation, "query"),
    requestFields: operation.requestBody ? fieldsOf(schemaIn(operation.requestBody)) : [],
    answerFields: fieldsOf(schemaIn(operation.responses["200"])),
  })),
)

/** The named lists of values of the contract. */
export const CONTRACT_ENUMS: Readonly<Record<string, readonly unknown[]>> = Object.fromEntries(
  Object.entries(document.components.schemas).flatMap(([name, schema]) => {
    const values = Shape.parse(schema).enum
    return values ? [[name, values]] : []
  }),
)

/** Where the contract lists values without giving the list a name. */
export const UNNAMED_ENUMS: readonly string[] = Object.entries(
  document.components.schemas,
).flatMap(([name, schema]) =>
  Object.entries(Shape.parse(schema).properties ?? {}).flatMap(([field, value]) =>
    Shape.safeParse(value).data?.enum ? [`${name}.${field}`] : [],
  ),
)

function namesIn(operation: z.infer<typeof Operation>, place: string): readonly string[] {
  return operation.parameters.filter((parameter) => parameter.in === place).map(({ name }) => name)
}

function schemaIn(holder: z.infer<typeof Json>): unknown {
  return holder.content["application/json"].schema
}

/** All fields of a JSON schema, references followed, nullable and alternative branches joined. */
export function fieldsOf(schema: unknown): readonly string[] {
  const found = new Set<string>()
  collect(schema, "", found)
  return [...found].sort()
}

function collect(schema: unknown, at: string, found: Set<string>): void {
  const named = Named.safeParse(schema)
  if (named.success) return collect(resolved(named.data.$ref), at, found)
  const shape = Shape.safeParse(schema)
  if (!shape.success) return
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = shape.data
  for (const [name, value] of Object.entries(properties)) {
    const place = at === "" ? name : `${at}.${name}`
    found.add(place)
    collect(value, place, found)
  }
  if (items !== undefined) collect(items, `${at}[]`, found)
  for (const branch of [...anyOf, ...oneOf, ...allOf]) collect(branch, at, found)
}

function resolved(reference: string): unknown {
  const name = reference.replace("#/components/schemas/", "")
  const schema = document.components.schemas[name]
  if (schema === undefined) throw new Error(`${reference} is not in the contract`)
  return schema
}
