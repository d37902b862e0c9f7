/**
 * A layer over the simulator's answers: from the answer of the contract it makes the one that a
 * gateway of another temper sends. It changes the form and never the meaning. It does not see the
 * book, so the book is the same in each temper.
 */
import type { ApiResponse } from "../api/answers"
import { createDraws, type Draws } from "./draws"
import { groupOf, type Habit, type HabitGroup } from "./habits"
import { fieldsOf, type Fields } from "./optional-fields"
import { writtenRefusal } from "./refusals"
import { writtenValue, type Drawn } from "./values"
import { DOCUMENT_WORDS, EXECUTION_WORDS, MONEY_OUT_WORDS, REASONS } from "./words"

export type Wire = {
  /** Counts a call, and answers it in the gateway's place if a proxy does. */
  intercepted(operation: string): ApiResponse | null
  /** The answer of the temper. Without habits it is the same answer. */
  written(operation: string, answer: ApiResponse): ApiResponse
}

type Row = Record<string, unknown>

/** One run of calls in so many is the proxy's. */
const PROXY_ONE_IN = 25
const PROXY_PAGE = "<html><head><title>404 Not Found</title></head><body>Not Found</body></html>"
const PAGE = "https://origin.invalid"
const TYPES: Partial<Record<Habit, string>> = {
  html_type: "text/html; charset=UTF-8",
  plain_type: "text/plain; charset=utf-8",
}

export function createWire(habits: readonly Habit[], seed: string): Wire {
  const draws = createDraws(habits, `${seed}:wire`)
  const counts = new Map<string, number>()
  return {
    intercepted(operation) {
      if (draws.struckRun("proxy_404", operation, PROXY_ONE_IN) === null) return null
      return { status: 404, body: PROXY_PAGE, headers: {}, isCut: false, ...asText(PROXY_PAGE) }
    },
    written(operation, answer) {
      if (habits.length === 0) return answer
      const count = (counts.get(operation) ?? 0) + 1
      counts.set(operation, count)
      return written(operation, answer, drawnFor(draws, `${operation}:${count}`))
    },
  }
}

const asText = (text: string) => ({ text, contentType: "text/html" })

type Temper = {
  has(habit: Habit): boolean
  ofGroup(group: HabitGroup): Habit | null
  draws: Draws
}

function drawnFor(draws: Draws, answer: string): Temper {
  const ofGroup = (group: HabitGroup) => draws.ofGroup(group, answer)
  const has = (habit: Habit) => {
    const group = groupOf(habit)
    return group === undefined ? draws.has(habit) : ofGroup(group) === habit
  }
  return { has, ofGroup, draws }
}

function written(operation: string, answer: ApiResponse, temper: Temper): ApiResponse {
  const isGood = answer.status === 200
  const { status, body } = isGood
    ? { status: goodStatus(operation, temper), body: goodBody(operation, answer.body, temper) }
    : writtenRefusal(answer, temper.ofGroup("refusals"), temper.has)
  const json = JSON.stringify(body, null, temper.has("pretty_printed") ? 4 : 0)
  const lines = temper.has("leading_blank_lines") ? "\r\n\r\n" : ""
  const mark = temper.has("byte_order_mark") ? "\uFEFF" : ""
  const type = temper.ofGroup("type")
  const contentType = (type && TYPES[type]) ?? "application/json; charset=utf-8"
  return { ...answer, status, body, text: `${mark}${lines}${json}`, contentType }
}

function goodStatus(operation: string, temper: Temper): number {
  if (!temper.has("created_status")) return 200
  if (/^execute/.test(operation)) return 202
  return /^(create|add)/.test(operation) ? 201 : 200
}

function goodBody(operation: string, body: unknown, temper: Temper): unknown {
  const fields = fieldsOf(operation)
  const top = (row: Row) => {
    const known = withoutFields(operation, writtenRow(row, fields, temper), temper)
    return temper.has("extra_fields") ? { ...known, ...extra(operation) } : known
  }
  const elements: unknown[] | null = Array.isArray(body) ? body : null
  if (elements) return elements.map((one) => (isRow(one) ? top(one) : one))
  return isRow(body) ? top(body) : body
}

const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** About the call, as many gateways add to each answer; nothing about the money. */
const extra = (operation: string): Row => ({
  success: true,
  code: "00",
  message: "Request processed successfully",
  _meta: { operation, version: "1.0", node: "a" },
})

function writtenRow(row: Row, fields: Fields, temper: Temper): Row {
  const drawn: Drawn = { has: temper.has, stateWord: (state) => stateWord(row, state, temper) }
  const result: Row = {}
  for (const [name, value] of Object.entries(withOptional(row, fields, temper))) {
    const inner: Fields = fields.get(name)?.inner ?? new Map<string, never>()
    const rows: unknown[] = Array.isArray(value) ? value : []
    if (isRow(value)) result[name] = writtenRow(value, inner, temper)
    else if (rows.some(isRow)) {
      result[name] = rows.map((one) => (isRow(one) ? writtenRow(one, inner, temper) : one))
    } else result[name] = writtenValue(name, special(name, value, temper), drawn)
  }
  return result
}

/** The same word for the same record, whatever answer it stands in. */
function stateWord(row: Row, state: string, { has, draws }: Temper): string {
  if (!has("other_words")) return state
  const type = row["operation_type"]
  const record =
    type === undefined
      ? (row["source_id"] ?? row["order_id"] ?? row["invoice_id"] ?? row["id"])
      : row["reference_id"]
  const words = wordsFor(type, has)
  return draws.oneOf(words[state] ?? [state], `${state}:${String(record)}`) ?? state
}

/** Only an execution has an operation type. */
function wordsFor(type: unknown, has: Temper["has"]) {
  if (type === undefined) return DOCUMENT_WORDS
  return type === "COLLECTION" || has("ambiguous") ? EXECUTION_WORDS : MONEY_OUT_WORDS
}

function withOptional(row: Row, fields: Fields, { has, ofGroup }: Temper): Row {
  const habit = ofGroup("absent")
  if (habit === null) return row
  const result: Row = { ...row }
  for (const [name, { isOptional, isText }] of fields) {
    if (!isOptional || (result[name] ?? null) !== null) continue
    if (has("absent_for_null")) delete result[name]
    else if (has("null_for_absent")) result[name] = null
    else if (isText) result[name] = has("empty_for_absent") ? "" : "N/A"
  }
  return result
}

/** Fields whose habit is their own. */
function special(name: string, value: unknown, { has }: Temper): unknown {
  if (typeof value !== "string") return value
  if (name === "url" && value !== "" && has("relative_addresses")) {
    const { pathname, search } = new URL(value, PAGE)
    return `${pathname}${search}`
  }
  if (name !== "gateway_message" && name !== "wallet_message") return value
  const reason = REASONS[value]
  if (reason && has("reasons_as_codes")) return reason.code
  return reason && has("reasons_in_french") ? reason.french : value
}

const IS_EXECUTION = /^(execute|get(Collection|Payout|Transfer|Refund)Status$)/

function withoutFields(operation: string, row: Row, { has }: Temper): Row {
  const result = { ...row }
  const isExecution = IS_EXECUTION.test(operation)
  if (isExecution && has("payer_currency_absent")) delete result["payer_currency"]
  if (isExecution && has("payer_currency_null")) result["payer_currency"] = null
  const echoes = isExecution || operation === "createCheckoutSource"
  if (echoes && has("reference_not_echoed")) delete result["reference_id"]
  if (operation === "createPaymentAccount" && has("is_active_absent")) delete result["is_active"]
  return result
}
