/**
 * For a shop on Next.js that keeps the store's key and the customer's login on its server: the page
 * that the payment page leads back to, and a route handler that passes the kit's calls on, and
 * nothing else. The handler is made of web standards alone.
 *
 * `app/api/payments/[...path]/route.ts`:
 *
 *     export const { GET, POST } = passOn({ baseUrl, publishableKey })
 *
 * and in the browser `createCheckout({ baseUrl: "/api/payments" })`.
 */
import { withoutSlash } from "../address.js"
import { within } from "../deadline.js"

export { PaymentReturn, returnTo } from "./payment-return.js"
export type { PaymentReturnProps } from "./payment-return.js"

export type PassOnOptions = {
  /** Where the server reaches Medusa, such as `http://localhost:9000`. */
  readonly baseUrl: string
  readonly publishableKey: string
  /**
   * How many proxies of the shop stand before this server. Each appends to `X-Forwarded-For` the
   * address that it was asked by; the one that the first of them appended is passed on. Default: 0,
   * and none is passed on, because what a browser writes there may be anyone's address.
   */
  readonly proxies?: number
  /** The cookie that holds the token as it is. Default: `_medusa_jwt`, as in Medusa's starter. */
  readonly loginCookie?: string
}

type Handler = (request: Request) => Promise<Response>

/** What the kit calls. A login must not open more of the store to a page than that. */
const KIT_PATHS = [
  /^\/store\/merchant-payments\/[\w./-]+$/,
  /^\/store\/payment-collections(\/[\w-]+\/payment-sessions)?$/,
  /^\/store\/carts\/[\w-]+\/complete$/,
]
/** Longer than the kit itself waits for anything. */
const ANSWER_MS = 45_000
const ASKED = [
  "accept",
  "content-type",
  "last-event-id",
  // The store sends the shopper back to a preview deployment only where the page that asked is on it.
  "origin",
]
/** Of the answer; the rest is between this server and the store. */
const ANSWERED = ["content-type", "cache-control", "retry-after", "x-accel-buffering"]

/** 404 for a path that is not the kit's, 403 for a page of another origin, 502 where the store is away. */
export function passOn(options: PassOnOptions): { readonly GET: Handler; readonly POST: Handler } {
  const handle: Handler = async (request) => {
    const { pathname, search } = new URL(request.url)
    const path = kitPathIn(pathname)
    if (path === undefined) return refused(404, "not_found", "There is no such route.")
    if (!isSameOrigin(request)) {
      return refused(403, "cross_site", "Only the shop's own pages may ask.")
    }
    const headers = only(request.headers, ASKED)
    const address = addressOf(request, options.proxies ?? 0)
    // For the store's limits, which count by network.
    if (address !== undefined) headers.set("x-forwarded-for", address)
    headers.set("x-publishable-api-key", options.publishableKey)
    const login = cookieOf(request, options.loginCookie ?? "_medusa_jwt")
    if (login !== null) headers.set("authorization", `Bearer ${login}`)
    try {
      const { method } = request
      const body = method === "POST" ? await request.text() : null
      const ask = (signal: AbortSignal) =>
        fetch(withoutSlash(options.baseUrl) + path + search, {
          ...{ method, headers, body, signal },
          cache: "no-store",
          redirect: "manual",
        })
      const answer = await within(ANSWER_MS, ask, request.signal)
      // Not buffered: the store's events come through one by one.
      return new Response(answer.body, {
        status: answer.status,
        headers: only(answer.headers, ANSWERED),
      })
    } catch {
      // No message: the kit says in the shopper's language that nothing was answered.
      return json("{}", 502)
    }
  }
  return { GET: handle, POST: handle }
}

/** Behind the path of the route handler, which may lie below a `/store/` itself. */
function kitPathIn(pathname: string): string | undefined {
  for (let at = pathname.length; at >= 0; at -= 1) {
    at = pathname.lastIndexOf("/store/", at)
    const path = pathname.slice(at)
    if (at >= 0 && KIT_PATHS.some((known) => known.test(path))) return path
  }
  return undefined
}

/** A browser without the first header names the origin, but for a GET of its own page. */
function isSameOrigin({ headers, method, url }: Request): boolean {
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin"
  const origin = headers.get("origin")
  if (origin === null) return method === "GET"
  // A proxy may have changed the host of the request's own address.
  const hosts = [new URL(url).host, headers.get("host"), headers.get("x-forwarded-host")]
  const host = hostOf(origin)
  return host !== undefined && hosts.includes(host)
}

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host
  } catch {
    // Of a page without an origin the browser says "null".
    return undefined
  }
}

function addressOf({ headers }: Request, proxies: number): string | undefined {
  const seen = (headers.get("x-forwarded-for") ?? "").split(",").map((one) => one.trim())
  return proxies > 0 && seen.length >= proxies
    ? seen[seen.length - proxies] || undefined
    : undefined
}

const json = (body: string, status: number) =>
  new Response(body, { status, headers: { "content-type": "application/json" } })

function refused(status: number, code: string, message: string): Response {
  return json(JSON.stringify({ code, message }), status)
}

function only(headers: Headers, names: readonly string[]): Headers {
  const kept = new Headers()
  for (const name of names) {
    const value = headers.get(name)
    if (value !== null) kept.set(name, value)
  }
  return kept
}

function cookieOf(request: Request, name: string): string | null {
  const cookies = (request.headers.get("cookie") ?? "").split(/; */)
  const found = cookies.find((cookie) => cookie.startsWith(`${name}=`))
  return found?.slice(name.length + 1) || null
}
