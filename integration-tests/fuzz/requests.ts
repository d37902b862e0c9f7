/**
 * One request after the other, drawn by a seed: some as they should be, most as they should not.
 */
import type { Harness } from "../http/support/harness"
import type { Dice } from "../soak/dice"
import type { Fixture } from "./fixture"
import { actionsOf, doorOf, honestOf, type Honest } from "./doors"
import { contentType, headersOf, NASTY, nastyQuery, nastyText } from "./nasty"
import { nameOf, type Route } from "./routes"

export type Drawn = {
  readonly route: string
  /** The route with the action that is asked for, or without one that is none. */
  readonly door: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Medusa's own route answers it: only a leak or a hang would be ours. */
  readonly isMedusas: boolean
}

const BODILESS = new Set(["GET", "HEAD"])

export function drawRequest(dice: Dice, route: Route, fixture: Fixture): Drawn {
  const isHonest = dice.fraction() < 0.4
  const isStrange = !isHonest && (route.isGuarded || dice.fraction() < 0.4)
  const asked = askedOf(route, fixture, dice)
  const { body = {} } = asked.honest
  const hasBody = !BODILESS.has(route.method)
  const query = hasBody
    ? ""
    : isHonest
      ? new URLSearchParams(texts(body)).toString()
      : nastyQuery(dice)
  const isWhole = isHonest || route.isGuarded
  const path = filled(asked, fixture, dice, isStrange ? "strange" : isHonest ? "honest" : "other")
  return {
    route: nameOf(route),
    door: isStrange ? nameOf(route) : asked.door,
    method: route.method,
    path: `${path}${query && `?${query}`}`,
    headers: {
      ...headersOf(dice),
      ...login(asked, fixture, dice, isHonest),
      ...(hasBody && { "content-type": isWhole ? "application/json" : contentType(dice) }),
    },
    // With what it takes, Medusa's own 500 for an unknown id would stand in the guard's place.
    body: !hasBody
      ? undefined
      : isStrange && route.isGuarded
        ? "{}"
        : isWhole
          ? JSON.stringify(body)
          : nastyText(dice, body),
    isMedusas: route.isGuarded && !isStrange,
  }
}

type Asked = {
  readonly address: string
  readonly action: string | undefined
  readonly door: string
  readonly honest: Honest
}

function askedOf(route: Route, fixture: Fixture, dice: Dice): Asked {
  const actions = actionsOf(route)
  const action = actions.length > 0 ? dice.oneOf(actions) : undefined
  const honest = honestOf(route, fixture, dice)
  return {
    address: route.address,
    action: action === "withdraw" ? "refuse" : action,
    door: doorOf(route, action),
    honest: action === "withdraw" ? { ...honest, by: "admin" } : honest,
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
  "POST /admin/merchant-payments/operations/:id/receipt-link",
  "POST /admin/merchant-payments/payouts",
  "POST /admin/merchant-payments/transfers",
  "POST /admin/merchant-payments/payout-requests/:id/:action",
  "POST /admin/merchant-payments/refund-requests/:id/:action",
  "POST /admin/merchant-payments/account-changes/:id/:action",
  "POST /admin/merchant-payments/notifications/:action",
  "POST /admin/orders/:id/cancel",
]

/** As it should be, so that nothing but its twins is in its way. */
export function drawMutation(dice: Dice, route: Route, fixture: Fixture): Drawn {
  const asked = askedOf(route, fixture, dice)
  return {
    route: nameOf(route),
    door: asked.door,
    method: route.method,
    path: filled(asked, fixture, dice, "honest"),
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": `198.51.100.${dice.between(1, 250)}`,
      ...login(asked, fixture, dice, true),
    },
    body: JSON.stringify(asked.honest.body ?? {}),
    isMedusas: route.isGuarded,
  }
}

/** @param as what belongs there, sometimes something else, or what belongs nowhere */
function filled(
  { address, action, honest }: Asked,
  fixture: Fixture,
  dice: Dice,
  as: "honest" | "other" | "strange",
): string {
  let place = 0
  return address.replace(/:\w+/g, (parameter) => {
    if (parameter === ":action" && as !== "strange") return action ?? ""
    const own = honest.ids?.[place]
    place += 1
    const isOwn = as === "honest" || (as === "other" && dice.fraction() < 0.7)
    // What PostgreSQL takes in no text is tried everywhere.
    const strange = dice.fraction() < 0.3 ? "a\0b" : String(dice.oneOf(NASTY))
    const other = own !== undefined && isOwn ? own : fixture.id(dice, address, parameter)
    const id = as === "strange" ? strange : other
    // Half a pair can't be written into an address, and an empty part leads to another route.
    return encodeURIComponent(id.replace(/[\uD800-\uDFFF]/gu, "?").slice(0, 1_500) || "x")
  })
}

function login(
  { address, honest: { by } }: Asked,
  { authorization }: Fixture,
  dice: Dice,
  isHonest: boolean,
): Record<string, string> {
  if (!address.startsWith("/admin")) return {}
  const { admin, second, key } = authorization
  const anyone = by ? [authorization[by]] : [admin, second, second, key]
  const given = isHonest
    ? dice.oneOf(anyone)
    : dice.oneOf([
        ...anyone,
        admin,
        second,
        key,
        "Bearer eyJub3QiOiJhIHRva2VuIn0.x.y",
        "Basic !",
        "",
      ])
  return given === "" ? {} : { authorization: given }
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
