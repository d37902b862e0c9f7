/** What no answer of ours may be, whatever was asked. */
import { STOREFRONT } from "../http/support/store-process"
import { CREDENTIALS } from "../http/support/harness"
import { CANARY } from "./nasty"
import type { Answer, Drawn } from "./requests"
import { PASSCODE, PAYEE } from "./two-admins"

const KEPT = [CREDENTIALS.clientSecret, PASSCODE, PAYEE.slice(1)]
const STACK = /\bat .{1,200}(?:\.[cm]?[jt]s|node:[\w/]+):\d+:\d+/
const DATABASE =
  /syntax error at or near|invalid byte sequence|violates (?:unique|check|foreign)|\bmp_operation\b/i
const TOKEN = /\beyJ[\w-]{8,}\.[\w-]{4,}/
/** Busy, or a gateway that is away: said in words, and for the moment only. */
const FOR_NOW = new Set([502, 503, 504])

/** @param phones digits of those who pay */
export function faultsOf(
  drawn: Drawn,
  answer: Answer | undefined,
  phones: ReadonlySet<string>,
): string[] {
  if (!answer) return [`${said(drawn)} was not answered`]
  const { status, text, location } = answer
  const found: string[] = []
  if (status >= 500 && !FOR_NOW.has(status) && !drawn.isMedusas) {
    found.push(`${said(drawn)} was answered ${status}: ${text.slice(0, 200)}`)
  }
  // An address may come back: in the 404 of one that there is not, and as the id that was asked
  // for.
  const [address = "", query] = drawn.path.split("?")
  const isTyped = `${query} ${drawn.body}`.includes(CANARY) && !address.includes(CANARY)
  const isOurs = address.includes("/merchant-payments/")
  const secrets = isOurs && isTyped ? [...KEPT, CANARY] : KEPT
  if (secrets.some((secret) => text.includes(secret))) found.push(`${said(drawn)} told a secret`)
  // Medusa asks for the login before it asks a plugin.
  if (isOurs && status !== 401 && !isKeptFromCaches(answer)) {
    found.push(`${said(drawn)} was answered ${status}, and a cache may keep it`)
  }
  if (TOKEN.test(text)) found.push(`${said(drawn)} told a token`)
  if (STACK.test(text)) found.push(`${said(drawn)} told where in the code it failed`)
  if (DATABASE.test(text)) found.push(`${said(drawn)} told what the database said`)
  // Medusa answers an admin who cancels an order with the whole of it.
  if (!drawn.isMedusas && hasPhone(text, phones)) found.push(`${said(drawn)} told a phone number`)
  if (location !== null && status < 400 && !location.startsWith(`${STOREFRONT}/`)) {
    found.push(`${said(drawn)} led to ${location}`)
  }
  return found
}

function isKeptFromCaches({ cacheControl, etag }: Answer): boolean {
  return etag === null && (cacheControl ?? "").includes("no-store")
}

function hasPhone(text: string, phones: ReadonlySet<string>): boolean {
  return [...text.matchAll(/\d{10,15}/g)].some(([digits]) => phones.has(digits))
}

const said = ({ method, path, headers, body }: Drawn) =>
  `${method} ${path.slice(0, 160)} (${headers["content-type"] ?? "no body"}) ${(body ?? "").slice(0, 160)}`
