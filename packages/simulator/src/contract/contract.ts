/**
 * Keeps the simulator true to the wire contract. A request that the contract does not allow gets
 * the API's 422 before any rule runs. An answer that the contract does not allow is a defect of the
 * simulator and is collected as a violation.
 *
 * Query and path parameters arrive as text and are converted to the contract's types here.
 */
import Ajv2020, { type ErrorObject, type ValidateFunction } from "ajv/dist/2020"
import addFormats from "ajv-formats"
import { z } from "zod"

import { Problem, type DetailItem } from "../problem"
import { readContract } from "./find-contract"

/** An answer that the contract does not allow. `message` names places and rules, never values. */
export type ContractViolation = { operation: string; status: number; message: string }

export type Input = {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

export type Contract = {
  /** Method and path of every operation, in the contract's order. */
  routes: readonly { operation: string; method: string; path: string; isSecured: boolean }[]
  /** The input with typed parameters. Throws a 422 `Problem` for what the contract refuses. */
  checkedInput(operation: string, input: Input): Input
  /**
   * What is wrong with an answer, or null. A status that the contract does not name is wrong too.
   */
  violation(operation: string, status: number, body: unknown): ContractViolation | null
}

const METHODS = ["get", "post", "put", "delete"] as const

const Parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query"]),
  required: z.boolean().optional(),
})
const Operation = z.object({
  operationId: z.string(),
  security: z.array(z.unknown()).optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), z.object({ $ref: z.string().optional() })),
})
const Document = z.object({
  paths: z.record(z.string(), z.partialRecord(z.enum(METHODS), Operation)),
})

type Checks = {
  params: ValidateFunction
  query: ValidateFunction
  body: ValidateFunction | null
  answers: Map<number, ValidateFunction>
}

const ROOT = "contract"
const JSON_SCHEMA = "content/application~1json/schema"
const pointer = (...parts: string[]) =>
  `${ROOT}#/${parts.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`

let own: Contract | null = null

/** The package's own contract, read once per process. */
export const ownContract = (): Contract => (own ??= loadContract(readContract()))

/**
 * Reads a contract. Each schema is compiled when its operation is first used, because compiling all
 * takes a second.
 */
function loadContract(source: unknown): Contract {
  const document = Document.parse(source)
  const strictTypes = compiler(source, false)
  const textTypes = compiler(source, true)
  const compiled = new Map<string, Checks>()
  const operations = new Map<string, { at: string; operation: z.infer<typeof Operation> }>()
  const routes: { operation: string; method: string; path: string; isSecured: boolean }[] = []

  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = methods[method]
      if (!operation) continue
      const id = operation.operationId
      const isSecured = operation.security?.length !== 0
      operations.set(id, { at: pointer("paths", path, method), operation })
      routes.push({ operation: id, method: method.toUpperCase(), path, isSecured })
    }
  }

  const checksOf = (id: string): Checks => {
    const known = compiled.get(id)
    if (known) return known
    const found = operations.get(id)
    if (!found) throw new Error(`The contract has no operation ${id}.`)
    const checks = compiledChecks(found.operation, found.at, strictTypes, textTypes)
    compiled.set(id, checks)
    return checks
  }

  return {
    routes,
    checkedInput(operation, { params, query, body }) {
      const { params: checkParams, query: checkQuery, body: checkBody } = checksOf(operation)
      const checked = { params: { ...params }, query: { ...query }, body }
      const detail = [
        ...itemsOf("path", checkParams, checked.params),
        ...itemsOf("query", checkQuery, checked.query),
        ...(checkBody ? itemsOf("body", checkBody, body ?? null) : []),
      ]
      if (detail.length > 0) throw new Problem(422, { detail })
      return checked
    },
    violation(operation, status, body) {
      const check = checksOf(operation).answers.get(status)
      if (!check) return { operation, status, message: "the contract does not know this status" }
      if (check(body)) return null
      const message = (check.errors ?? [])
        .map((error) => `${error.instancePath || "/"} ${error.message ?? error.keyword}`)
        .join("; ")
      return { operation, status, message }
    },
  }
}

function compiledChecks(
  operation: z.infer<typeof Operation>,
  at: string,
  strictTypes: Ajv2020,
  textTypes: Ajv2020,
): Checks {
  const parametersIn = (place: "path" | "query") => {
    const properties: Record<string, { $ref: string }> = {}
    const required: string[] = []
    operation.parameters.forEach((parameter, index) => {
      if (parameter.in !== place) return
      properties[parameter.name] = { $ref: `${at}/parameters/${index}/schema` }
      if (parameter.required) required.push(parameter.name)
    })
    return textTypes.compile({ type: "object", properties, required })
  }
  const answers = new Map<number, ValidateFunction>()
  for (const [status, response] of Object.entries(operation.responses)) {
    const place = response.$ref ? `${ROOT}${response.$ref}` : `${at}/responses/${status}`
    answers.set(Number(status), strictTypes.compile({ $ref: `${place}/${JSON_SCHEMA}` }))
  }
  const body = operation.requestBody
    ? strictTypes.compile({ $ref: `${at}/requestBody/${JSON_SCHEMA}` })
    : null
  return { params: parametersIn("path"), query: parametersIn("query"), body, answers }
}

function compiler(source: unknown, coerceTypes: boolean): Ajv2020 {
  // Not strict: the document carries x- marks and OpenAPI's own keywords beside the schemas.
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes })
  addFormats(ajv)
  if (typeof source !== "object" || source === null) throw new Error("The contract is no object.")
  ajv.addSchema({ ...source, $id: ROOT })
  return ajv
}

function itemsOf(place: string, check: ValidateFunction, value: unknown): DetailItem[] {
  if (check(value)) return []
  const items = new Map<string, DetailItem>()
  for (const error of check.errors ?? []) {
    const item = detailItem(place, error)
    const key = JSON.stringify(item.loc)
    // The branches of an anyOf report the same field one by one; one report is enough.
    if (!items.has(key)) items.set(key, item)
  }
  return [...items.values()]
}

function detailItem(place: string, error: ErrorObject): DetailItem {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  if (error.keyword === "required") {
    const missing = String(error.params["missingProperty"])
    return { loc: [place, ...path, missing], msg: "Field required", type: "value_error.missing" }
  }
  const msg = error.message ?? "Invalid value"
  return { loc: [place, ...path], msg, type: `value_error.${error.keyword}` }
}
