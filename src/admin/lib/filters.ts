/**
 * Turns the list's URL into a query for the store. The dashboard's table keeps its filters in the
 * URL, each as JSON, so that a list can be bookmarked. An admin may have typed the URL, so it is
 * parsed with care. A search is a name or a number, so it is in no URL.
 */
import type { MoneyPlace } from "../../core/money-place"
import type { Flow } from "../../core/operation"
import type { Query } from "./api"
import { isRecord } from "./api"

export const PAGE_SIZE = 20

/** In the order of the reconciliation; the compiler asks for each place that the server knows. */
const PLACES: Readonly<Record<MoneyPlace, true>> = {
  recorded: true,
  under_review: true,
  given_back: true,
  dismissed: true,
  under_way: true,
}
export const MONEY_PLACES = Object.keys(PLACES) as readonly MoneyPlace[]

/** The compiler asks for each flow that the server knows. */
const STARTED_WITH: Readonly<Record<Flow, true>> = {
  push: true,
  hosted: true,
  card: true,
  link: true,
}
export const FLOWS = Object.keys(STARTED_WITH) as readonly Flow[]

/** All money that came in, wherever it is: a filter of the list, but no place of the bridge. */
export const RECEIVED = "received"

/** Payments that were paid and that their operators took back; no place of the bridge either. */
export const TAKEN_BACK = "taken_back"

/** Filters that are one text, with the store's names for them. */
const TEXTS = {
  flow: "flow",
  money: "money",
  currency: "currency",
  operator: "payment_method",
  account: "account_id",
  order: "order",
} as const

const SHAPES: Readonly<Record<string, RegExp>> = {
  order: /^-?(created|amount)$/,
  // Several codes with commas: an operator's name may stand for several payment methods.
  operator: /^[\x21-\x7e]{1,500}$/,
}

/** The path of the list of payments. */
export const LIST = "/merchant-payments/payments"

/** The shape of an id, the same as the store's. */
const ID = /^[\x21-\x7e]{1,100}$/
const SEARCH_LENGTH_MAX = 100

export function queryFrom(search: URLSearchParams): Query {
  const texts = Object.entries(TEXTS).map(([id, name]) => [name, textOf(search, id)] as const)
  return {
    ...Object.fromEntries(texts),
    ...timesOf(search, "created"),
    ...timesOf(search, "moved"),
    state: listOf(search, "state"),
    type: listOf(search, "type"),
    offset: numberOf(search, "offset"),
    limit: PAGE_SIZE,
  }
}

/** What is typed into the search; undefined where it is blank. */
export function wordsOf(typed: string): string | undefined {
  return typed.trim().slice(0, SEARCH_LENGTH_MAX) || undefined
}

function valueOf(search: URLSearchParams, id: string): unknown {
  const raw = search.get(id)
  // The table writes "undefined" for a filter that is added and has no value yet.
  if (raw === null || raw === "undefined") return undefined
  try {
    const value: unknown = JSON.parse(raw)
    return value
  } catch {
    return raw
  }
}

function textOf(search: URLSearchParams, id: string): string | undefined {
  const value = valueOf(search, id)
  const found: unknown = Array.isArray(value) ? value[0] : value
  const text = typeof found === "string" || typeof found === "number" ? String(found).trim() : ""
  return (SHAPES[id] ?? ID).test(text) ? text : undefined
}

function listOf(search: URLSearchParams, id: string): string | undefined {
  const value = valueOf(search, id)
  if (!Array.isArray(value)) return textOf(search, id)
  return value.length > 0 ? value.join(",") : undefined
}

function numberOf(search: URLSearchParams, id: string): number | undefined {
  const value = Number(search.get(id) ?? "")
  return Number.isInteger(value) && value > 0 ? value : undefined
}

/** `created`: when the operation began; `moved`: when its money moved. */
function timesOf(search: URLSearchParams, id: "created" | "moved"): Query {
  const value = valueOf(search, id)
  if (!isRecord(value)) return {}
  const { $gte: from, $lte: to, $lt: before } = value
  return {
    [`${id}_from`]: typeof from === "string" ? from : undefined,
    [`${id}_to`]:
      typeof to === "string" ? endOf(to) : typeof before === "string" ? before : undefined,
  }
}

/** The address of the list with these filters, as the dashboard's table writes them. */
export function listAddress(filters: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(filters).map(([id, value]) => [id, JSON.stringify(value)])
  return `${LIST}?${new URLSearchParams(texts).toString()}`
}

/** The end of a picked day, so that the day is included. */
function endOf(day: string): string | undefined {
  const end = new Date(day)
  if (Number.isNaN(end.getTime())) return undefined
  end.setHours(23, 59, 59, 999)
  return end.toISOString()
}

/** Midnight that many days ago, in the admin's time zone. */
export function daysAgo(days: number, now = new Date()): string {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - days)
  return day.toISOString()
}
