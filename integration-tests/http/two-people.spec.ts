/**
 * [D1] One admin, or a program with an API key, tries to move money that needs two admins: through a
 * currency taken away, a second account of the same client, another gateway, or the code that
 * shoppers dial. The shop starts without accounts, so one admin may add the first.
 */
import { randomBytes, randomUUID } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import type { AccountsResponse } from "../../src/accounts/schemas/accounts"
import type {
  AccountBody,
  AccountResponse,
  OneAccountResponse,
} from "../../src/accounts/schemas/accounts"
import type { RequestsResponse } from "../../src/payouts/schemas/requests"
import { PASSCODE } from "../fuzz/two-admins"
import { CREDENTIALS, useHarness } from "./support/harness"
import { walletsOf } from "./support/money-out"
import { paidOrder, type PaidOrder } from "./support/refunds"
import { anApiKey, anotherAdmin, type Caller } from "./support/second-admin"
import { expectOk, type Answer } from "./support/shop"

const harness = useHarness({
  env: {
    MERCHANT_PAYMENTS_BASE_URL: "",
    MERCHANT_PAYMENTS_CLIENT_ID: "",
    MERCHANT_PAYMENTS_CLIENT_SECRET: "",
    MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  },
  simulator: { passcode: PASSCODE },
})

type Refused = { code?: string; situation?: string; fields?: string[] }
type Answered = Partial<OneAccountResponse> & Refused & { payout?: { id: string } }

const ROOT = "/admin/merchant-payments"
const NEEDS = "account_needs_second_admin"
const BOB = { email: "bob@example.com", password: "another-password" }
const EVE = { email: "eve@example.com", password: "a-third-password" }
let bob: Caller
let eve: Caller
let key: Caller
let main: AccountResponse

const clientOf = (more: AccountBody): AccountBody => ({
  label: "Main",
  base_url: harness.simulator.url,
  client_id: CREDENTIALS.clientId,
  client_secret: CREDENTIALS.clientSecret,
  ...more,
})

const ask = (by: Caller, path: string, body?: unknown, method = "POST") =>
  by.call<Answered>(method, `${ROOT}/${path}`, body)
const said = ({ status, body }: Answer<Answered>) => [status, body.situation ?? body.code ?? "done"]
const accounts = () => expectOk(harness.admin.call<AccountsResponse>("GET", `${ROOT}/accounts`))

async function change(by: Caller, id: string, body: AccountBody): Promise<Answer<Answered>> {
  const found = (await accounts()).accounts.find((account) => account.id === id)
  return ask(by, `accounts/${id}`, { ...body, version: found?.version })
}

const payout = (by: Caller, amount: number) =>
  ask(by, "payouts", {
    idempotency_key: randomUUID(),
    amount,
    currency: "USD",
    name: "Eve",
    phone: "+231770000042",
    passcode: PASSCODE,
  })

beforeAll(async () => {
  bob = await anotherAdmin(harness, BOB)
  eve = await anotherAdmin(harness, EVE)
  key = await anApiKey(harness)
  const policies = {
    money_out: true,
    money_out_by_api_key: true,
    money_out_daily_cap: { USD: 500 },
    money_out_second_admin_above: { USD: 100 },
  }
  const body = clientOf({ currencies: ["USD"], policies })
  const { account } = await expectOk(
    harness.admin.call<OneAccountResponse>("POST", `${ROOT}/accounts`, body),
  )
  main = account
})

describe("[D1] one admin or an API key", () => {
  const ATTACKS: readonly (readonly [string, (by: Caller) => Promise<Answer<Answered>>])[] = [
    ["takes the currency away", (by) => change(by, main.id, { currencies: [] })],
    [
      "makes a second account of the client, which may send money",
      (by) => ask(by, "accounts", clientOf({ label: "Second", policies: { money_out: true } })),
    ],
    [
      "makes an account that takes another currency",
      (by) => ask(by, "accounts", clientOf({ label: "Third", currencies: ["LRD"] })),
    ],
    [
      "points the takings at another gateway",
      (by) => change(by, main.id, clientOf({ base_url: "http://localhost:9" })),
    ],
    [
      "sets what shoppers are told to dial",
      (by) => change(by, main.id, { wire_names: { "OPERATOR1_MOMO_LBR.menu_code": "*999#" } }),
    ],
    [
      "lifts the rule",
      (by) => change(by, main.id, { policies: { money_out_second_admin_above: null } }),
    ],
    ["removes the account", (by) => ask(by, `accounts/${main.id}`, undefined, "DELETE")],
  ]

  it.each(ATTACKS)("who %s is refused, and nothing changes", async (_name, attack) => {
    const before = (await accounts()).accounts
    expect(said(await attack(harness.admin))).toEqual([409, NEEDS])
    expect(said(await attack(harness.admin))).toEqual([409, NEEDS])
    expect(said(await attack(key))).toEqual([409, `${NEEDS}.person`])
    expect((await accounts()).accounts).toEqual(before)
  })

  it("sends no more than the rules allow", async () => {
    expect(said(await payout(harness.admin, 900))).toEqual([409, "money_out_above_cap"])
    expect(said(await payout(harness.admin, 101))).toEqual([409, "money_out_needs_second_admin"])
    expect(said(await payout(key, 101))).toEqual([409, "money_out_needs_second_admin.person"])
    expect(harness.simulator.book.payouts()).toEqual([])
  })
})

describe("[D1] another admin", () => {
  it("sees and refuses a change that waits, which an API key can't", async () => {
    const { waiting } = await accounts()
    expect(waiting).toHaveLength(7)
    const { requests } = await expectOk(
      harness.admin.call<RequestsResponse>("GET", `${ROOT}/requests`),
    )
    const changes = requests.filter(({ kind }) => kind === "ACCOUNT")
    expect(changes.map(({ id, change }) => [id, change])).toEqual(
      waiting.map(({ id, change }) => [id, change]),
    )
    const removal = waiting.find(({ name }) => name === "removed")
    const path = `account-changes/${removal?.id}`
    expect(said(await ask(key, `${path}/approve`))).toEqual([409, "request_needs_person"])
    expect(said(await ask(harness.admin, `${path}/approve`))).toEqual([409, "request_is_own"])
    expect(said(await ask(key, path, undefined, "DELETE"))).toEqual([409, `${NEEDS}.person`])
    expect(said(await ask(bob, path, undefined, "DELETE"))).toEqual([200, "done"])
    const again = await ask(bob, path, undefined, "DELETE")
    expect(said(again)).toEqual([404, "account_not_found.change"])
    const bobs = await ask(bob, `accounts/${main.id}`, undefined, "DELETE")
    expect(said(bobs)).toEqual([409, NEEDS])
  })

  /** What waits of this name, approved by its id alone. */
  async function approved(by: Caller, path: string, name: string, label: string) {
    const { waiting } = await accounts()
    const found = waiting.find((one) => one.name === name && one.label === label)
    expect(said(await ask(by, path.replace(":id", found?.id ?? "")))).toEqual([200, "done"])
    return found?.account_id ?? ""
  }

  it("approves a second account, which has the first one's limit, cap and sums", async () => {
    expect(said(await payout(harness.admin, 60))).toEqual([200, "done"])
    const path = "account-changes/:id/approve"
    const id = await approved(bob, path, "created", "Second")
    const { waiting } = await accounts()
    const loses = waiting.find(
      ({ changes }) => "currencies" in changes && changes["label"] === undefined,
    )
    expect(said(await ask(bob, path.replace(":id", loses?.id ?? "")))).toEqual([200, "done"])
    expect(said(await change(harness.admin, id, { currencies: ["USD"] }))).toEqual([409, NEEDS])
    expect(said(await change(bob, id, { currencies: ["USD"] }))).toEqual([409, NEEDS])
    await approved(bob, path, "changed", "Second")
    expect(said(await payout(harness.admin, 441))).toEqual([409, "money_out_above_cap"])
    expect(said(await payout(harness.admin, 41))).toEqual([409, "money_out_needs_second_admin"])
    expect(said(await payout(harness.admin, 40))).toEqual([200, "done"])
    expect(harness.simulator.book.payouts().map(({ amount }) => amount)).toEqual(["60.00", "40.00"])
  })
})

describe("[S15] a payout that one admin asks for and another approves", () => {
  const amountsSent = () => harness.simulator.book.payouts().map(({ amount }) => amount)

  it("goes once where the second admin clicks twice and the first one presses again", async () => {
    const before = amountsSent()
    const body = {
      idempotency_key: randomUUID(),
      amount: 110,
      currency: "USD",
      name: "Eve",
      phone: "+231770000042",
      passcode: PASSCODE,
      note: "the roof",
    }
    expect(said(await ask(harness.admin, "payouts", body))).toEqual([
      409,
      "money_out_needs_second_admin",
    ])
    const { requests } = await expectOk(
      harness.admin.call<RequestsResponse>("GET", `${ROOT}/requests`),
    )
    const waits = requests.find(({ amount }) => amount === 110)
    const path = `payout-requests/${waits?.id}`
    expect(said(await ask(harness.admin, `${path}/approve`))).toEqual([409, "request_is_own"])
    expect(said(await ask(key, `${path}/approve`))).toEqual([409, "request_needs_person"])
    const clicks = await Promise.all([
      ask(bob, `${path}/approve`, { note: "seen the bill" }),
      ask(bob, `${path}/approve`, { note: "seen the bill" }),
      ask(harness.admin, "payouts", body),
    ])
    const ids = clicks.flatMap(({ body: { payout } }) => payout?.id ?? [])
    expect(new Set(ids).size).toBe(1)
    const again = await expectOk(ask(harness.admin, "payouts", body))
    expect(again.payout?.id).toBe(ids[0])
    expect(said(await ask(bob, "payouts", { ...body, idempotency_key: randomUUID() }))).toEqual([
      409,
      "money_out_needs_second_admin",
    ])
    expect((await expectOk(ask(harness.admin, "payouts", body))).payout?.id).toBe(ids[0])
    expect(amountsSent()).toEqual([...before, "110.00"])
  })
})

describe("[D1] [D8] what waits for another admin is approved by nobody else, whatever it is", () => {
  let paid: PaidOrder
  let wallets: Awaited<ReturnType<typeof walletsOf>>
  let turn = 0

  beforeAll(async () => {
    await harness.sql(
      `update mp_account set policies = policies || $1::jsonb
        where deleted_at is null and policies ? 'money_out'`,
      [JSON.stringify({ money_out_daily_cap: {}, refund_second_admin_above: { USD: 0 } })],
    )
    paid = await paidOrder(harness)
    wallets = await walletsOf(harness, "+231770000042")
  })

  type Kind = {
    readonly ask: (by: Caller, turn: number) => Promise<unknown>
    readonly route: "payout-requests" | "refund-requests" | "account-changes"
  }
  /** Each asks for another amount, or client, so that it is a request of its own. */
  const KINDS: Readonly<Record<string, Kind>> = {
    "a payout": { ask: (by, n) => payout(by, 110 + n), route: "payout-requests" },
    "a transfer": {
      ask: (by, n) =>
        ask(by, "transfers", {
          idempotency_key: randomUUID(),
          amount: 110 + n,
          currency: "USD",
          ...wallets,
        }),
      route: "payout-requests",
    },
    "a refund": {
      ask: (by, n) =>
        by.call("POST", `/admin/payments/${paid.paymentId}/refund`, { amount: n / 100 }),
      route: "refund-requests",
    },
    "an account": {
      ask: (by, n) =>
        ask(by, "accounts", clientOf({ client_id: `new-${n}`, policies: { money_out: true } })),
      route: "account-changes",
    },
    "a rule": {
      ask: (by, n) =>
        change(by, main.id, { policies: { money_out_second_admin_above: { USD: 100 + n } } }),
      route: "account-changes",
    },
  }
  const ROUTES = ["payout-requests", "refund-requests", "account-changes"] as const

  const user = ({ email }: { email: string }, changes: string) =>
    harness.sql(`update "user" set ${changes} where email in ($1, 'x' || $1)`, [email])

  /** A second login of the same person, or a cookie in the place of the token. */
  async function again(login: { email: string; password: string }, isCookie = false) {
    const { token } = await expectOk(
      harness.shop.call<{ token: string }>("POST", "/auth/user/emailpass", login),
    )
    const bearer = { authorization: `Bearer ${token}` }
    if (!isCookie) return callerBy(bearer)
    const answer = await fetch(`${harness.shop.url}/auth/session`, {
      method: "POST",
      headers: bearer,
    })
    return callerBy({ cookie: (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "" })
  }
  const callerBy = (headers: Record<string, string>): Caller => ({
    call: (method, path, body) => harness.shop.call(method, path, body, headers),
  })

  type Attack = {
    readonly by: () => Caller | Promise<Caller>
    /** Left out: by its own id, at its own route. */
    readonly at?: (route: string, id: string) => readonly string[]
    /** What happens between asking and approving, and what is made of it afterwards. */
    readonly between?: (id: string) => Promise<unknown>
    readonly after?: () => Promise<unknown>
  }
  const spelled = (route: string, id: string) =>
    [id.toUpperCase(), `%20${id}`, `${id}%20`, `${id}%00`, `${id}/`, `${id},${id}`, `./${id}`].map(
      (one) => `${route}/${one}`,
    )
  const BACK = "deleted_at = null"
  const ATTACKS: Readonly<Record<string, Attack>> = {
    "the admin who asked": { by: () => bob },
    "a second login of the admin who asked": { by: () => again(BOB) },
    "a cookie of the admin who asked": { by: () => again(BOB, true) },
    "a key that the admin who asked has made": {
      by: () => anApiKey({ shop: harness.shop, admin: bob }),
    },
    "the admin who asked, by another spelling of the id": { by: () => bob, at: spelled },
    "another admin, at the route of another kind": {
      by: () => harness.admin,
      at: (own, id) => ROUTES.filter((one) => one !== own).map((one) => `${one}/${id}`),
    },
    "another admin, more than a day later": {
      by: () => harness.admin,
      between: (id) =>
        harness.sql(
          "update mp_approval set asked_at = asked_at - interval '25 hours' where id = $1",
          [id],
        ),
    },
    "another admin, once the one who asked is deleted, and is back": {
      by: () => harness.admin,
      between: () => user(BOB, "deleted_at = now()"),
      after: () => user(BOB, BACK),
    },
    "another admin, once the one who asked has another address, and has the former again": {
      by: () => harness.admin,
      between: () => user(BOB, "email = 'x' || email"),
      after: () => user(BOB, "email = substr(email, 2)"),
    },
    "the former login of a deleted admin": {
      by: () => eve,
      between: () => user(EVE, "deleted_at = now()"),
      after: () => user(EVE, BACK),
    },
  }

  /** Money that is to move, and accounts as they are now. */
  async function moved(): Promise<unknown> {
    const [row] = await harness.sql(
      `select (select count(*) from mp_operation where type <> 'COLLECTION') as money,
              (select count(*) from mp_approval where approved_by is not null) as approved,
              (select jsonb_agg(jsonb_build_array(id, version, deleted_at) order by id)
                 from mp_account) as accounts`,
    )
    return row
  }

  async function waitingOf({ ask: askFor }: Kind): Promise<string> {
    turn += 1
    const asked = "select id from mp_approval order by asked_at desc limit 1"
    const [before] = await harness.sql<{ id: string }>(asked)
    const answer = await askFor(bob, turn)
    const [row] = await harness.sql<{ id: string }>(asked)
    if (!row || row.id === before?.id) throw new Error(`nothing waits: ${JSON.stringify(answer)}`)
    return row.id
  }

  it.each(Object.entries(KINDS))("%s", async (_name, kind) => {
    const lets: string[] = []
    for (const [name, { by, at, between, after }] of Object.entries(ATTACKS)) {
      const id = await waitingOf(kind)
      const before = await moved()
      const caller = await by()
      await expectOk(caller.call("GET", `${ROOT}/requests`))
      const paths = at?.(kind.route, id) ?? [`${kind.route}/${id}`]
      await between?.(id)
      for (const path of paths) await ask(caller, `${path}/approve`, {})
      await after?.()
      // What was closed does not count again.
      if (after && !name.startsWith("the former login")) {
        await ask(harness.admin, `${kind.route}/${id}/approve`, {})
      }
      if (!isDeepStrictEqual(await moved(), before)) lets.push(name)
    }
    expect(lets).toEqual([])
    const before = await moved()
    const approval = await ask(eve, `${kind.route}/${await waitingOf(kind)}/approve`, {})
    expect(said(approval)).toEqual([200, "done"])
    expect(await moved()).not.toEqual(before)
  })
})
