/**
 * What there is to be asked about: carts and orders in every state, a row behind each door, and a
 * shopper's payment that is nobody else's.
 */
import { randomUUID } from "node:crypto"
import { makeLink, unpaidOrder } from "../http/support/orders"
import { walletsOf } from "../http/support/money-out"
import { paidOrder } from "../http/support/refunds"
import { unusedRegion } from "../http/support/regions"
import { ADA, expectOk, HOSTED, PUSH, walletOf } from "../http/support/shop"
import { ADMIN } from "../http/support/store-process"
import type { Harness } from "../http/support/harness"
import type { Dice } from "../soak/dice"
import { readRows, type RowKind, type Rows } from "./rows"
import { leaveStray, refundThatFails, withoutIntent } from "./doubt"
import { askForSecondAdmin, askForTwo, PAYEE, tokenOfSecond } from "./two-admins"

type Known = Record<
  "orders" | "sessions" | "carts" | "collections" | "regions" | "intents",
  readonly string[]
>
type Kind = RowKind | keyof Known

export type Fixture = {
  readonly authorization: Readonly<Record<"admin" | "second" | "key", string>>
  /** Of a customer who is logged in; nobody else may see or pay it. */
  readonly foreignSession: string
  /** That a cart may hold. */
  readonly variant: string
  readonly wallets: Awaited<ReturnType<typeof walletsOf>>
  /** Of the settings of notifications. */
  notificationsVersion(): number
  /** A cart that nobody has paid, with a session to begin on, and what others have used up. */
  fresh(): Promise<void>
  /** Something that fits in the place of a parameter, or in its neighbour's. */
  id(dice: Dice, address: string, parameter: string): string
  one(dice: Dice, kind: Kind): string
}

const PROVIDERS = [PUSH, HOSTED]
const KEPT = 12
/** Once in so many turns: an order that nobody has paid, money that is in doubt, and one admin. */
const UNPAID_EVERY = 8
const DOUBT_EVERY = 4
const ALONE_EVERY = 4

export async function prepareFixture(harness: Harness): Promise<Fixture> {
  const authorization = await loginsOf(harness)
  await paidOrder(harness)
  await paidOrder(harness)
  const regions = [await unusedRegion(harness)]
  const known: Known = {
    orders: [],
    sessions: [],
    carts: [],
    collections: [],
    regions,
    intents: [],
  }
  const keep = (kind: keyof Known, id: string) => {
    known[kind] = [...known[kind], id].slice(-KEPT)
  }
  let rows: Rows = await readRows(harness)
  let version = 0
  let turns = 0
  const wallets = await walletsOf(harness, PAYEE)
  const idsOf = (kind: Kind): readonly string[] =>
    kind in known ? known[kind as keyof Known] : rows[kind as RowKind]
  const one = (dice: Dice, kind: Kind) => {
    const ids = idsOf(kind)
    return hasSome(ids) ? dice.oneOf(ids) : "none"
  }
  const fixture: Fixture = {
    authorization,
    foreignSession: await sessionOfCustomer(harness),
    variant: await harness.shop.variant("market-tote"),
    wallets,
    notificationsVersion: () => version,
    async fresh() {
      turns += 1
      const { cart, session } = await cartOf(harness, turns)
      keep("carts", cart)
      keep("sessions", session)
      keep("collections", await harness.shop.collection(cart))
      if (turns % UNPAID_EVERY === 1) keep("orders", await orderWithLink(harness))
      if (turns % DOUBT_EVERY === 1) {
        // A shop that is busy just now may say no: the door shows whether it ever said yes.
        await refundThatFails(harness, turns).catch(() => undefined)
        await leaveStray(harness)
      }
      const intent = await withoutIntent(harness)
      if (intent) keep("intents", intent)
      await askForSecondAdmin(harness, turns % ALONE_EVERY !== 0)
      await askForTwo(harness, rows, wallets)
      rows = await readRows(harness)
      version = await versionOf(harness)
    },
    one,
    id(dice, address, parameter) {
      const all = () =>
        dice.oneOf([...Object.values(known), ...Object.values(rows)].filter(hasSome))
      if (dice.fraction() < 0.85) return one(dice, kindOf(address, parameter))
      return dice.oneOf([...all(), "mpacc_env", "test", "new", "none"])
    },
  }
  for (let carts = 0; carts < PROVIDERS.length * 2; carts++) await fixture.fresh()
  return fixture
}

const hasSome = (ids: readonly string[]) => ids.length > 0

/** By what stands in the address; the first that fits. */
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/carts/, "carts"],
  [/payment-collections/, "collections"],
  [/sessions\/:id\/receipt/, "paidSessions"],
  [/sessions/, "sessions"],
  [/orders\/:id\/prompt|payment-link/, "orders"],
  [/orders/, "paidOrders"],
  [/return\//, "tokens"],
  [/merchant-payments\/receipt\//, "receipts"],
  [/payout-requests/, "payoutRequests"],
  [/refund-requests/, "refundRequests"],
  [/account-changes/, "accountChanges"],
  [/accounts/, "accounts"],
  [/customers/, "customers"],
  [/regions/, "regions"],
  [/payouts/, "payouts"],
  [/transfers/, "transfers"],
  [/resend/, "links"],
  [/resolve/, "reviews"],
  [/retry/, "failedRefunds"],
  [/receipt/, "paid"],
]

function kindOf(address: string, parameter: string): Kind {
  if (parameter === ":credential_id") return "credentials"
  return KINDS.find(([pattern]) => pattern.test(address))?.[1] ?? "operations"
}

async function loginsOf(harness: Harness): Promise<Fixture["authorization"]> {
  const { shop, admin } = harness
  const second = await tokenOfSecond(harness)
  const { api_key: key } = await expectOk(
    admin.call<{ api_key: { token: string } }>("POST", "/admin/api-keys", {
      title: `fuzz ${randomUUID()}`,
      type: "secret",
    }),
  )
  const { token } = await expectOk(
    shop.call<{ token: string }>("POST", "/auth/user/emailpass", ADMIN),
  )
  return {
    admin: `Bearer ${token}`,
    second: `Bearer ${second}`,
    key: `Basic ${Buffer.from(`${key.token}:`).toString("base64")}`,
  }
}

/** Each second one is a customer's of its own, whose data can be erased without the others'. */
async function cartOf({ shop }: Harness, turn: number) {
  const email = turn % 2 === 0 ? ADA.email : `fuzz-${turn}@example.com`
  const cart = await shop.cart({ phone: walletOf(), person: { ...ADA, email } })
  return { cart, session: await shop.session(cart, PROVIDERS[turn % PROVIDERS.length]) }
}

async function orderWithLink(harness: Harness): Promise<string> {
  const order = await unpaidOrder(harness)
  await makeLink(harness, order)
  return order
}

async function versionOf({ sql }: Harness): Promise<number> {
  const [row] = await sql<{ version: number }>("select version from mp_notification_settings")
  return row?.version ?? 0
}

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
