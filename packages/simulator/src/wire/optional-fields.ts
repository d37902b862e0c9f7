/** Which fields of an operation's answer the contract calls optional, and which of them are texts. */
import { z } from "zod"

import { readContract } from "../contract/find-contract"

/** Fields by name; `null` inside for a field that has none of its own. */
export type Fields = ReadonlyMap<string, FieldFacts>
type FieldFacts = { isOptional: boolean; isText: boolean; inner: Fields | null }

type Schema = {
  $ref?: string | undefined
  type?: string | string[] | undefined
  anyOf?: unknown[] | undefined
  items?: unknown
  properties?: Record<string, unknown> | undefined
  required?: string[] | undefined
}
const Schema: z.ZodType<Schema> = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
})
const Operation = z.object({
  operationId: z.string(),
  responses: z.record(z.string(), z.unknown()),
})
const Answer = z.object({
  content: z.object({ "application/json": z.object({ schema: z.unknown() }) }),
})
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })

let known: ReadonlyMap<string, Fields> | null = null

/** The fields of a good answer, or of the elements of a list; empty for an unknown operation. */
export function fieldsOf(operation: string): Fields {
  known ??= readFields(readContract())
  return known.get(operation) ?? new Map()
}

function readFields(contract: unknown): ReadonlyMap<string, Fields> {
  const found = new Map<string, Fields>()
  const methods = Object.values(Document.parse(contract).paths).flatMap((path) =>
    Object.values(path),
  )
  for (const method of methods) {
    const operation = Operation.safeParse(method).data
    const answer = Answer.safeParse(operation?.responses["200"]).data
    if (!operation || !answer) continue
    const { schema } = answer.content["application/json"]
    found.set(operation.operationId, fieldsIn(contract, schema) ?? new Map())
  }
  return found
}

function fieldsIn(contract: unknown, source: unknown): Fields | null {
  const branches = branchesOf(contract, source)
  const list = branches.find(({ items }) => items !== undefined)
  if (list) return fieldsIn(contract, list.items)
  const properties = branches.find((branch) => branch.properties !== undefined)
  if (!properties?.properties) return null
  const required = new Set(properties.required)
  return new Map(
    Object.entries(properties.properties).map(([name, schema]) => [
      name,
      {
        isOptional: !required.has(name),
        isText: branchesOf(contract, schema).some(({ type }) => [type].flat().includes("string")),
        inner: fieldsIn(contract, schema),
      },
    ]),
  )
}

/** The schema itself, or those that it lets choose from. */
function branchesOf(contract: unknown, source: unknown): Schema[] {
  const schema = Schema.parse(source)
  if (schema.$ref !== undefined) return branchesOf(contract, at(contract, schema.$ref))
  return schema.anyOf ? schema.anyOf.flatMap((branch) => branchesOf(contract, branch)) : [schema]
}

function at(contract: unknown, reference: string): unknown {
  return reference
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (value, part) => z.record(z.string(), z.unknown()).parse(value)[part],
      contract,
    )
}
