/**
 * What there is to be asked about: carts and orders in every state, and a shopper's who is none of
 * ours.
 */
import { randomUUID } from "node:crypto"
import { makeLink, unpaidOrder } from "../http/support/orders"
import { paidOrder } from "../http/support/refunds"
import { expectOk, HOSTED, PUSH, walletOf } from "../http/support/shop"
import { ADMIN } from "../http/support/store-process"
import type { Harness } from "../http/support/harness"
import type { Dice } from "../soak/dice"

export type Fixture = {
  readonly authorization: { readonly admin: string; readonly key: string }
  /** Of a customer who is logged in; nobody else may see or pay it. */
  readonly foreignSession: string
  /** A cart that nobody has paid, with a session to begin on; another one now and then. */
  fresh(): Promise<void>
  /** Something that fits in the place of a parameter, or in its neighbour's. */
  id(dice: Dice, parameter: string): string
  session(dice: Dice): string
  cart(dice: Dice): string
  operation(dice: Dice): string
}

const IDS = `
  select array(select id from mp_operation order by created_at desc limit 60) as operations,
         array(select return_token from mp_operation
                where return_token is not null order by created_at desc limit 20) as tokens`

const PROVIDERS = [PUSH, HOSTED]

export async function prepareFixture(harness: Harness): Promise<Fixture> {
  const { shop, admin } = harness
  const orders = [(await paidOrder(harness)).orderId, (await paidOrder(harness)).orderId]
  const unpaid = await unpaidOrder(harness)
  await makeLink(harness, unpaid)
  const others: Record<string, string[]> = {
    orders: [...orders, unpaid],
    sessions: [],
    carts: [],
    operations: ["mpop_none"],
    tokens: ["none"],
  }
  const known = (kind: string) => others[kind] ?? []
  const { api_key: key } = await expectOk(
    admin.call<{ api_key: { token: string } }>("POST", "/admin/api-keys", {
      title: `fuzz ${randomUUID()}`,
      type: "secret",
    }),
  )
  const { token } = await expectOk(
    shop.call<{ token: string }>("POST", "/auth/user/emailpass", ADMIN),
  )
  const newest = (kind: string, dice: Dice) => dice.oneOf(known(kind).slice(-12))
  const fixture: Fixture = {
    authorization: {
      admin: `Bearer ${token}`,
      key: `Basic ${Buffer.from(`${key.token}:`).toString("base64")}`,
    },
    foreignSession: await sessionOfCustomer(harness),
    async fresh() {
      const cart = await shop.cart({ phone: walletOf() })
      known("carts").push(cart)
      known("sessions").push(await shop.session(cart, PROVIDERS[known("carts").length % 2]))
      const [ids] = await harness.sql<{ operations: string[]; tokens: string[] }>(IDS)
      if (ids && ids.operations.length > 0) others["operations"] = ids.operations
      if (ids && ids.tokens.length > 0) others["tokens"] = ids.tokens
    },
    session: (dice) => newest("sessions", dice),
    cart: (dice) => newest("carts", dice),
    operation: (dice) => newest("operations", dice),
    id(dice, parameter) {
      const kind = KINDS.find(([pattern]) => pattern.test(parameter))?.[1] ?? "operations"
      return dice.fraction() < 0.8
        ? newest(kind, dice)
        : dice.oneOf([...Object.values(others).flat(), "mpacc_env", "test", "new", "none"])
    },
  }
  for (let carts = 0; carts < PROVIDERS.length * 2; carts++) await fixture.fresh()
  return fixture
}

/** By what stands before the parameter. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/carts/, "carts"],
  [/sessions/, "sessions"],
  [/orders/, "orders"],
  [/return/, "tokens"],
]

async function sessionOfCustomer({ shop }: Harness): Promise<string> {
  const email = `owner-${randomUUID()}@example.com`
  const login = { email, password: "a-long-password" }
  const given = await expectOk(
    shop.call<{ token: string }>("POST", "/auth/customer/emailpass/register", login),
  )
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  await expectOk(shop.call("POST", "/store/customers", { email }, bearer(given.token)))
  const { token } = await expectOk(
    shop.call<{ token: string }>("POST", "/auth/customer/emailpass", login),
  )
  const cart = await shop.cart()
  await expectOk(shop.call("POST", `/store/carts/${cart}/customer`, {}, bearer(token)))
  return shop.session(cart)
}
