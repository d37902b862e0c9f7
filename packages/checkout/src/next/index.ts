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
export { PaymentReturn, returnTo } from "./payment-return.js"
export type { PaymentReturnProps } from "./payment-return.js"

export type PassOnOptions = {
  /** Where the server reaches Medusa, such as `http://localhost:9000`. */
  readonly baseUrl: string
  readonly publishableKey: string
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
/** Of the request; the address is for the store's limits, which count by network. */
const ASKED = ["accept", "content-type", "last-event-id", "x-forwarded-for"]
/** Of the answer; the rest is between this server and the store. */
const ANSWERED = ["content-type", "cache-control", "retry-after", "x-accel-buffering"]

/** 404 for a path that is not the kit's, 403 for another site, 502 where the store is away. */
export function passOn(options: PassOnOptions): { readonly GET: Handler; readonly POST: Handler } {
  const handle: Handler = async (request) => {
    const { pathname, search } = new URL(request.url)
    const path = pathname.slice(Math.max(0, pathname.indexOf("/store/")))
    if (!KIT_PATHS.some((known) => known.test(path)))
      return refused(404, "not_found", "There is no such route.")
    if (request.headers.get("sec-fetch-site") === "cross-site") {
      return refused(403, "cross_site", "Only the shop's own pages may ask.")
    }
    const headers = only(request.headers, ASKED)
    headers.set("x-publishable-api-key", options.publishableKey)
    const login = cookieOf(request, options.loginCookie ?? "_medusa_jwt")
    if (login !== null) headers.set("authorization", `Bearer ${login}`)
    try {
      const answer = await fetch(options.baseUrl + path + search, {
        method: request.method,
        headers,
        cache: "no-store",
        redirect: "manual",
        signal: request.signal,
        ...(request.method === "POST" && { body: await request.text() }),
      })
      // Not buffered: the store's events come through one by one.
      return new Response(answer.body, {
        status: answer.status,
        headers: only(answer.headers, ANSWERED),
      })
    } catch {
      // No message: the kit says in the shopper's language that nothing was answered.
      return new Response("{}", { status: 502, headers: { "content-type": "application/json" } })
    }
  }
  return { GET: handle, POST: handle }
}

function refused(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status })
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
