/**
 * One request after the other, drawn by a seed: some as they should be, most as they should not.
 */
import type { Harness } from "../http/support/harness"
import type { Dice } from "../soak/dice"
import type { Fixture } from "./fixture"
import { CANARY, contentType, headersOf, NASTY, nastyQuery, nastyText } from "./nasty"
import { nameOf, type Route } from "./routes"

export const PASSCODE = "CANARY-passcode-5519"

export type Drawn = {
  readonly route: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Medusa's own route answers it: only a leak or a hang would be ours. */
  readonly isMedusas: boolean
}

type Sane = (fixture: Fixture, dice: Dice) => Record<string, unknown>

/** Ends in what the simulator does with it: approved after some seconds, declined, no money. */
const phone = (dice: Dice) =>
  `+231886${String(dice.between(0, 9_999)).padStart(4, "0")}${dice.oneOf(["00", "00", "01", "02"])}`

const link: Sane = (_ground, dice) => ({ phone: phone(dice) })

/**
 * What a route takes; one that is not here takes nothing, or its nothing is all there is to send.
 */
const SANE: Readonly<Record<string, Sane>> = {
  "POST /store/merchant-payments/sessions/:id/start": (_ground, dice) => ({ phone: phone(dice) }),
  "POST /store/merchant-payments/operator": (_ground, dice) => ({ phone: phone(dice) }),
  "GET /store/merchant-payments/methods": (fixture, dice) => ({ cart_id: fixture.cart(dice) }),
  "GET /store/merchant-payments/quote": (fixture, dice) => ({
    cart_id: fixture.cart(dice),
    payment_method: "OPERATOR1_MOMO_LBR",
  }),
  "POST /admin/merchant-payments/operations/search": (_ground, dice) => ({
    q: dice.oneOf(["ada", "0886 731 904", "4111 1111 1111 1111", "19.99"]),
    limit: dice.between(1, 20),
  }),
  "POST /admin/merchant-payments/operations/:id/resolve": (_ground, dice) => ({
    action: dice.oneOf(["accept", "dismiss", "refund"]),
    note: "looked it up",
  }),
  "POST /admin/merchant-payments/operations/:id/payment-intent": (_ground, dice) => ({
    payment_intent_id: `pi_${dice.between(1, 9)}`,
  }),
  "POST /admin/merchant-payments/orders/:id/payment-link": link,
  "POST /admin/merchant-payments/payouts": (_ground, dice) => ({
    idempotency_key: `fuzz-${dice.between(1, 40)}`,
    amount: "1.50",
    currency: "USD",
    name: "Ada Carpenter",
    phone: "+231770000042",
    passcode: PASSCODE,
  }),
  "POST /admin/merchant-payments/accounts": () => ({
    label: "Another",
    base_url: "http://localhost:9",
    client_id: "somebody",
    client_secret: CANARY,
    currencies: ["LRD"],
  }),
  "POST /admin/merchant-payments/accounts/:id/:action": () => ({
    base_url: "http://localhost:9",
    client_id: "somebody",
    client_secret: CANARY,
    currencies: ["LRD"],
  }),
}

const BODILESS = new Set(["GET", "HEAD"])

export function drawRequest(dice: Dice, route: Route, fixture: Fixture): Drawn {
  const isSane = dice.fraction() < 0.4
  const isStrange = route.isGuarded || (!isSane && dice.fraction() < 0.4)
  const sane = SANE[nameOf(route)]?.(fixture, dice) ?? {}
  const hasBody = !BODILESS.has(route.method)
  const query = hasBody
    ? ""
    : isSane
      ? new URLSearchParams(texts(sane)).toString()
      : nastyQuery(dice)
  const body = isSane || route.isGuarded ? JSON.stringify(sane) : nastyText(dice, sane)
  return {
    route: nameOf(route),
    method: route.method,
    path: `${filled(route.address, fixture, dice, isStrange)}${query && `?${query}`}`,
    headers: {
      ...headersOf(dice),
      ...login(route, fixture, dice, isSane),
      ...(hasBody && {
        "content-type": isSane || route.isGuarded ? "application/json" : contentType(dice),
      }),
    },
    body: hasBody ? body : undefined,
    isMedusas: false,
  }
}

/** Each at the same moment: a shopper's start, an admin's decision, a payout under one key. */
export const MUTATIONS: readonly string[] = [
  "POST /store/merchant-payments/sessions/:id/start",
  "POST /store/merchant-payments/sessions/:id/cancel",
  "POST /admin/merchant-payments/operations/:id/resolve",
  "POST /admin/merchant-payments/operations/:id/check",
  "POST /admin/merchant-payments/operations/:id/retry",
  "POST /admin/merchant-payments/orders/:id/payment-link",
  "POST /admin/merchant-payments/orders/:id/payment-link/cancel",
  "POST /admin/merchant-payments/payouts",
  "POST /admin/orders/:id/cancel",
]

/** As it should be, so that nothing but its twins is in its way. */
export function drawMutation(dice: Dice, route: Route, fixture: Fixture): Drawn {
  const sane = SANE[nameOf(route)]?.(fixture, dice) ?? {}
  return {
    route: nameOf(route),
    method: route.method,
    path: filled(route.address, fixture, dice, false),
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": `198.51.100.${dice.between(1, 250)}`,
      ...login(route, fixture, dice, true),
    },
    body: JSON.stringify(sane),
    isMedusas: route.isGuarded,
  }
}

function filled(address: string, fixture: Fixture, dice: Dice, isStrange: boolean): string {
  return address.replace(/:\w+/g, (parameter) => {
    if (parameter === ":action" && !isStrange) return "test"
    // What PostgreSQL takes in no text is tried everywhere.
    const strange = dice.fraction() < 0.3 ? "a\0b" : String(dice.oneOf(NASTY))
    const id = isStrange ? strange : fixture.id(dice, address)
    // Half a pair can't be written into an address, and an empty part leads to another route.
    return encodeURIComponent(id.replace(/[\uD800-\uDFFF]/gu, "?").slice(0, 1_500) || "x")
  })
}

function login(
  route: Route,
  fixture: Fixture,
  dice: Dice,
  isSane: boolean,
): Record<string, string> {
  if (!route.address.startsWith("/admin")) return {}
  const { admin, key } = fixture.authorization
  const authorization = isSane
    ? dice.oneOf([admin, admin, key])
    : dice.oneOf([admin, admin, admin, key, "Bearer eyJub3QiOiJhIHRva2VuIn0.x.y", "Basic !", ""])
  return authorization === "" ? {} : { authorization }
}

const texts = (given: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))

export type Answer = {
  readonly status: number
  readonly text: string
  readonly location: string | null
  /** Of the headers by which a cache keeps an answer or asks whether it is still true. */
  readonly cacheControl: string | null
  readonly etag: string | null
}

/** Longer than any of ours may take; what has not answered by then is stuck. */
const STUCK_AFTER_MS = 120_000

/** @returns undefined where nothing was answered at all */
export async function send(harness: Harness, drawn: Drawn): Promise<Answer | undefined> {
  const { method, path, headers, body } = drawn
  const response = await fetch(`${harness.shop.url}${path}`, {
    method,
    redirect: "manual",
    headers: { "x-publishable-api-key": harness.store.publishableKey, ...headers },
    signal: AbortSignal.timeout(STUCK_AFTER_MS),
    ...(body === undefined ? {} : { body }),
  }).catch(() => undefined)
  if (!response) return undefined
  const text = await response.text().catch(() => "")
  const { status, headers: answered } = response
  const [location, cacheControl, etag] = ["location", "cache-control", "etag"].map((name) =>
    answered.get(name),
  )
  return {
    status,
    text,
    location: location ?? null,
    cacheControl: cacheControl ?? null,
    etag: etag ?? null,
  }
}
