/**
 * What holds for every answer of the plugin's own addresses, by a route or not: a result, a refusal,
 * Medusa's error handler, or Express for an address that does not exist.
 *
 * Not covered: what Medusa answers before it asks a plugin, such as 401 without a login. Such an
 * answer says nothing about a payment.
 */
import type {
  MedusaErrorHandlerFunction,
  MedusaNextFunction,
  MedusaRequest,
  MedusaResponse,
} from "@medusajs/framework/http"
import { errorHandler } from "@medusajs/framework/http"
import { refusal, type RefusalKey } from "../core/refusal"
import { TablesNotMigrated } from "../ledger/fitting-tables"
import { logTrouble, refusalIn, refuse, withoutCaches } from "./respond"
import { isJson } from "./json-body"

const OWN = /^\/(?:(?:admin|store)\/)?merchant-payments(?:\/|$)/

/**
 * Keeps the answer out of every cache: it holds names, amounts and what became of a payment. A 304
 * would confirm a cached copy, so the conditions of the request are removed.
 */
export function neverCached(
  request: MedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction,
): void {
  delete request.headers["if-none-match"]
  delete request.headers["if-modified-since"]
  withoutCaches(response)
  next()
}

/** Express finds a route in either case; a token behind two slashes leads nowhere, and is one. */
const TOKEN = /^(\/merchant-payments\/+(?:receipt|return)\/+)[^?]+/i

/** Keeps tokens out of Medusa's access log, which writes the address once the answer is sent. */
export function unlogged(
  request: MedusaRequest,
  _response: MedusaResponse,
  next: MedusaNextFunction,
): void {
  request.originalUrl = request.originalUrl.replace(TOKEN, "$1***")
  next()
}

const SAFE: readonly string[] = ["GET", "HEAD", "OPTIONS"]

/**
 * A page of another origin can make a browser send a request with the admin's cookie. It can't
 * send JSON, nor a login header, unless the store's CORS settings let it: the browser asks first.
 */
export function ownOrigin(
  request: MedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction,
): void {
  if (SAFE.includes(request.method) || isJson(request) || isOwn(request)) return next()
  refuse(response, refusal("unsupported_media_type.origin"))
}

function isOwn({ headers }: MedusaRequest): boolean {
  const { origin, host, authorization = "" } = headers
  const site = headers["sec-fetch-site"]
  // Without both headers, the sender is an old browser or a program. A browser may carry the
  // admin's cookie for a foreign page, so only a login header passes.
  if (site === undefined && origin === undefined) return authorization !== ""
  if (site !== undefined && site !== "same-origin" && site !== "none") return false
  if (origin === undefined) return true
  // A proxy may have changed the host, so what the browser says of its page decides.
  if (site === "same-origin") return true
  return URL.canParse(origin) && new URL(origin).host === host
}

/** The refusal of an unknown id, by address; the first pattern that fits decides. */
const UNKNOWN: readonly (readonly [RegExp, RefusalKey])[] = [
  [/^\/store\//, "session_not_found"],
  [/^\/merchant-payments\//, "session_not_found.return"],
  [/\/accounts\//, "account_not_found"],
  [/\/customers\//, "customer_not_found"],
  [/\/regions\//, "region_not_found"],
]

const usual = errorHandler()

/**
 * Medusa's own error handler, except for missing tables, for a database that is away before a
 * route of ours begins (a key or a login is read there), and for an id that can't be decoded, such
 * as `%E0%A4%A`. Express fails on it before any route, so it is answered like an unknown id. Medusa
 * has one error handler: a shop's own handler replaces this one.
 */
export const undecodableIsUnknown: MedusaErrorHandlerFunction = (
  error,
  request,
  response,
  next,
) => {
  const [address = ""] = request.originalUrl.split("?")
  const isOwn = OWN.test(address)
  const refused = refusalIn(error)
  // An error of Medusa's own routes is Medusa's to answer.
  if (refused && (isOwn || error instanceof TablesNotMigrated)) {
    logTrouble(request, refused, error)
    return refuse(response, refused)
  }
  if (!(error instanceof URIError) || !isOwn) return usual(error, request, response, next)
  const [, unknown] = UNKNOWN.find(([pattern]) => pattern.test(address)) ?? []
  refuse(response, refusal(unknown ?? "operation_not_found"))
}
