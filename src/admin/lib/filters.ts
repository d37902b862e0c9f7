/**
 * Turns the list's address into a query for the store. The dashboard's table keeps its filters in
 * the address, each as JSON, so that a list can be bookmarked. Its content may have been typed and
 * is parsed with care.
 */
import type { Query } from "./api"
import { isRecord } from "./api"

export const PAGE_SIZE = 20

/** Filters that are one text, with the store's names for them. */
const TEXTS = {
  flow: "flow",
  currency: "currency",
  operator: "payment_method",
  account: "account_id",
  order: "order_id",
  reference: "reference",
  phone: "phone",
} as const

/** Asked only when complete; half typed they are no query. */
const WHOLE: Readonly<Record<string, RegExp>> = {
  phone: /^\d{3}$/,
  reference: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
}

/** The shape of an id, the same as the store's. */
const ID = /^[\x21-\x7e]{1,100}$/

/** @returns null if nothing can match, as in a search for words */
export function queryFrom(search: URLSearchParams): Query | null {
  const q = search.get("q")?.trim() ?? ""
  if (q !== "" && !ID.test(q)) return null
  const texts = Object.entries(TEXTS).map(([id, name]) => [name, textOf(search, id)] as const)
  return {
    ...Object.fromEntries(texts),
    ...createdOf(search),
    state: listOf(search, "state"),
    type: listOf(search, "type"),
    q: q || undefined,
    offset: numberOf(search, "offset"),
    limit: PAGE_SIZE,
  }
}

function valueOf(search: URLSearchParams, id: string): unknown {
  const raw = search.get(id)
  if (raw === null) return undefined
  try {
    const value: unknown = JSON.parse(raw)
    return value
  } catch {
    return raw
  }
}

function textOf(search: URLSearchParams, id: string): string | undefined {
  const value = valueOf(search, id)
  const found = Array.isArray(value) ? String(value[0]) : value
  const text = typeof found === "string" || typeof found === "number" ? String(found).trim() : ""
  return (WHOLE[id] ?? ID).test(text) ? text : undefined
}

function listOf(search: URLSearchParams, id: string): string | undefined {
  const value = valueOf(search, id)
  return Array.isArray(value) && value.length > 0 ? value.join(",") : textOf(search, id)
}

function numberOf(search: URLSearchParams, id: string): number | undefined {
  const value = Number(search.get(id) ?? "")
  return Number.isInteger(value) && value > 0 ? value : undefined
}

function createdOf(search: URLSearchParams): Query {
  const value = valueOf(search, "created")
  if (!isRecord(value)) return {}
  const { $gte: from, $lte: to } = value
  return {
    created_from: typeof from === "string" ? from : undefined,
    created_to: typeof to === "string" ? endOf(to) : undefined,
  }
}

/** The picked day is included. */
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
