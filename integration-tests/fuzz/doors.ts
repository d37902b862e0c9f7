/**
 * What each route takes as it should be: whose rows stand in its address, its body, and who asks.
 * Behind this one request the door opens; what is disturbed is drawn around it.
 */
import type { Dice } from "../soak/dice"
import type { Fixture } from "./fixture"
import { CANARY } from "./nasty"
import { nameOf, type Route } from "./routes"
import { anotherAccount, payoutBody, transferBody } from "./two-admins"

export type Honest = {
  /** In the order of the address; left out: one of each kind. */
  readonly ids?: readonly string[]
  readonly body?: Readonly<Record<string, unknown>>
  /** Left out: any admin, and any program with a key. */
  readonly by?: "admin" | "second"
}

type Door = (fixture: Fixture, dice: Dice) => Honest

/** Ends in what the simulator does with it: approved, declined, no money, more than was asked. */
const phone = (dice: Dice) =>
  `+231886${String(dice.between(0, 9_999)).padStart(4, "0")}${dice.oneOf(["00", "00", "00", "01", "02", "09"])}`

const withPhone: Door = (_fixture, dice) => ({ body: { phone: phone(dice) } })

const note: Door = (_fixture, dice) => ({
  by: "second",
  body: dice.fraction() < 0.5 ? {} : { note: "looked it up" },
})

const recipient = (dice: Dice) => ({
  id: "feed",
  name: "Ada",
  channel: "feed",
  address: null,
  locale: dice.oneOf(["en", "fr"]),
  kinds: ["money_received"],
  schedule: { mode: "at_once" },
})

/** Two ids that belong together. */
const pair = (fixture: Fixture, dice: Dice, kind: Parameters<Fixture["one"]>[1]) => {
  const [id = "", other = ""] = fixture.one(dice, kind).split(" ")
  return [id, other] as const
}

const ADMIN = "/admin/merchant-payments"
const STORE = "/store/merchant-payments"

/** One that is not here takes nothing, or its nothing is all there is to send. */
const DOORS: Readonly<Record<string, Door>> = {
  [`POST ${STORE}/sessions/:id/start`]: withPhone,
  [`POST ${STORE}/operator`]: withPhone,
  [`GET ${STORE}/methods`]: (fixture, dice) => ({ body: { cart_id: fixture.one(dice, "carts") } }),
  [`GET ${STORE}/quote`]: (fixture, dice) => ({
    body: { cart_id: fixture.one(dice, "carts"), payment_method: "OPERATOR1_MOMO_LBR" },
  }),
  [`POST ${ADMIN}/operations/search`]: (_fixture, dice) => ({
    body: {
      q: dice.oneOf(["ada", "0886 731 904", "4111 1111 1111 1111", "19.99"]),
      limit: dice.between(1, 20),
    },
  }),
  [`POST ${ADMIN}/operations/:id/resolve`]: (_fixture, dice) => ({
    body: {
      action: dice.oneOf(["accept", "accept_asked", "dismiss", "refund", "refund_rest"]),
      note: "looked it up",
    },
  }),
  [`POST ${ADMIN}/operations/:id/payment-intent`]: (fixture, dice) => {
    const [id, intent] = pair(fixture, dice, "intents")
    return { ids: [id], body: { payment_intent_id: Number(intent) || 1 } }
  },
  [`POST ${ADMIN}/operations/:id/cancel-order`]: (fixture, dice) => {
    const [id, order] = pair(fixture, dice, "strays")
    return { ids: [id], body: { order_id: order } }
  },
  [`GET ${ADMIN}/operations/:id/receipt-page`]: (_fixture, dice) => ({
    body: { lang: dice.oneOf(["en", "fr"]) },
  }),
  [`POST ${ADMIN}/orders/:id/payment-link`]: withPhone,
  [`POST ${ADMIN}/orders/:id/prompt`]: withPhone,
  [`POST ${ADMIN}/payouts`]: (_fixture, dice) => ({
    body: payoutBody(`fuzz-payout-${dice.between(1, 40)}`, "1.50"),
  }),
  [`POST ${ADMIN}/transfers`]: (fixture, dice) => ({
    body: transferBody(`fuzz-transfer-${dice.between(1, 40)}`, "1.50", fixture.wallets),
  }),
  [`POST ${ADMIN}/payout-requests/:id/:action`]: note,
  [`POST ${ADMIN}/refund-requests/:id/:action`]: note,
  [`POST ${ADMIN}/account-changes/:id/:action`]: note,
  [`POST ${ADMIN}/accounts`]: (_fixture, dice) => ({
    body: {
      ...anotherAccount(`Another ${dice.between(1, 9)}`, CANARY),
      ...(dice.fraction() < 0.3 && { currencies: ["LRD"] }),
    },
  }),
  [`POST ${ADMIN}/accounts/:id/:action`]: () => ({}),
  [`POST ${ADMIN}/accounts/:id`]: (fixture, dice) => {
    const [id, version] = pair(fixture, dice, "versions")
    const change = dice.oneOf([
      { label: `Another ${dice.between(1, 9)}` },
      { client_id: `client-${dice.between(1, 9)}`, client_secret: CANARY },
    ])
    return { ids: [id], body: { version: Number(version) || 1, ...change } }
  },
  [`DELETE ${ADMIN}/accounts/:id/credentials/:credential_id`]: (fixture, dice) => ({
    ids: pair(fixture, dice, "formers"),
  }),
  [`GET ${ADMIN}/fees/prediction`]: () => ({
    body: { amount: "10.00", currency: "USD", payment_method: "OPERATOR1_MOMO_LBR" },
  }),
  [`POST ${ADMIN}/notifications`]: (fixture, dice) => ({
    body: {
      version: fixture.notificationsVersion(),
      recipients: [recipient(dice)],
      customers: { locale: "en", rules: [] },
    },
  }),
  [`POST ${ADMIN}/notifications/:action`]: () => ({
    body: { channel: "feed", address: null, locale: "en" },
  }),
  "POST /store/carts/:id/line-items": (fixture) => ({
    body: { variant_id: fixture.variant, quantity: 1 },
  }),
  "POST /store/payment-collections/:id/payment-sessions": () => ({
    body: { provider_id: "pp_mobile-money_merchant" },
  }),
}

export const honestOf = (route: Route, fixture: Fixture, dice: Dice): Honest =>
  DOORS[nameOf(route)]?.(fixture, dice) ?? {}

const ANSWERS = ["approve", "approve", "refuse", "withdraw"] as const

/** What may stand in the place of `:action`; one who withdraws refuses what they asked for. */
export const actionsOf = ({ address }: Route): readonly string[] =>
  !address.includes(":action") ? [] : /requests|changes/.test(address) ? ANSWERS : ["test"]

export const doorOf = (route: Route, action = ""): string =>
  nameOf(route).replace(":action", action)

/** Why a door may stay closed through a whole run. */
const STAYS_CLOSED: Readonly<Record<string, string>> = {
  "POST /store/payment-collections/:id": "Medusa has no such route; the guard stands before it",
}

/** All doors, each action of a route one of its own, but those that stay closed. */
export const doorsToOpen = (routes: readonly Route[]): readonly string[] =>
  routes
    .flatMap((route) => {
      const actions = [...new Set(actionsOf(route))]
      return actions.length > 0 ? actions.map((one) => doorOf(route, one)) : [doorOf(route)]
    })
    .filter((door) => STAYS_CLOSED[door] === undefined)
