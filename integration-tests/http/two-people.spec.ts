/**
 * [D1] One admin, or a program with an API key, tries to move money that needs two admins: through a
 * currency taken away, a second account of the same client, another gateway, or the code that
 * shoppers dial. The shop starts without accounts, so one admin may add the first.
 */
import { randomBytes, randomUUID } from "node:crypto"
import type {
  AccountBody,
  AccountResponse,
  AccountsResponse,
  OneAccountResponse,
} from "../../src/accounts/rules/account-responses"
import { PASSCODE } from "../fuzz/requests"
import { CREDENTIALS, useHarness } from "./support/harness"
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
let bob: Caller
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
  bob = await anotherAdmin(harness)
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
    const removal = waiting.find(({ name }) => name === "removed")
    const path = `account-changes/${removal?.id}`
    expect(said(await ask(key, path, undefined, "DELETE"))).toEqual([409, `${NEEDS}.person`])
    expect(said(await ask(bob, path, undefined, "DELETE"))).toEqual([200, "done"])
    const again = await ask(bob, path, undefined, "DELETE")
    expect(said(again)).toEqual([404, "account_not_found.change"])
    const bobs = await ask(bob, `accounts/${main.id}`, undefined, "DELETE")
    expect(said(bobs)).toEqual([409, NEEDS])
  })

  it("agrees to a second account, which has the first one's limit, cap and sums", async () => {
    expect(said(await payout(harness.admin, 60))).toEqual([200, "done"])
    const second = clientOf({ label: "Second", policies: { money_out: true } })
    const made = await expectOk(ask(bob, "accounts", second))
    expect(said(await change(bob, main.id, { currencies: [] }))).toEqual([200, "done"])
    const id = made.account?.id ?? ""
    expect(said(await change(harness.admin, id, { currencies: ["USD"] }))).toEqual([409, NEEDS])
    expect(said(await change(bob, id, { currencies: ["USD"] }))).toEqual([200, "done"])
    expect(said(await payout(harness.admin, 441))).toEqual([409, "money_out_above_cap"])
    expect(said(await payout(harness.admin, 41))).toEqual([409, "money_out_needs_second_admin"])
    expect(said(await payout(harness.admin, 40))).toEqual([200, "done"])
    expect(harness.simulator.book.payouts().map(({ amount }) => amount)).toEqual(["60.00", "40.00"])
  })
})

describe("[S15] a payout that one admin asks for and another approves", () => {
  type Requests = { requests: readonly { id: string; amount: number; asked_by: string }[] }
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
    const { requests } = await expectOk(harness.admin.call<Requests>("GET", `${ROOT}/requests`))
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

  it("can't be approved once the admin who asked for it is deleted", async () => {
    const asked = await payout(bob, 120)
    expect(said(asked)).toEqual([409, "money_out_needs_second_admin"])
    const { requests } = await expectOk(harness.admin.call<Requests>("GET", `${ROOT}/requests`))
    const waits = requests.find(({ amount }) => amount === 120)
    const before = amountsSent()
    await harness.sql(`update "user" set deleted_at = now() where id = $1`, [waits?.asked_by])
    const path = `payout-requests/${waits?.id}/approve`
    expect(said(await ask(harness.admin, path))).toEqual([409, "request_ended.closed"])
    const mine = await payout(harness.admin, 130)
    expect(said(mine)).toEqual([409, "money_out_needs_second_admin"])
    const left = await expectOk(harness.admin.call<Requests>("GET", `${ROOT}/requests`))
    const own = left.requests.find(({ amount }) => amount === 130)
    // The token of the deleted login still works, but it is nobody any more.
    const theirs = await ask(bob, `payout-requests/${own?.id}/approve`)
    expect(said(theirs)[1]).toBe("request_ended.people")
    expect(theirs.body.payout).toBeUndefined()
    expect(amountsSent()).toEqual(before)
  })
})
