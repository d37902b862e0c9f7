/**
 * Payouts and transfers as an admin, or a program with an admin's key, asks for them over HTTP. And
 * every route of ours, asked what nobody should ask: the short form of
 * `npm run proof -- --only fuzz`.
 */
import { randomBytes, randomUUID } from "node:crypto"
import fc from "fast-check"
import { fuzz, type Fuzzed } from "../fuzz/fuzz"
import { PASSCODE } from "../fuzz/two-admins"
import { guardedRoutes, nameOf, routesOfOurs } from "../fuzz/routes"
import { readLedger } from "../support/evidence"
import { expectOk, type Answer } from "./support/shop"
import { until } from "../support/until"
import { useHarness } from "./support/harness"
import { walletsOf } from "./support/money-out"
import { runs } from "../support/whole-tables"

const WRONG = "CANARY-wrong-passcode"
const PHONE = "+231770000042"

const harness = useHarness({
  simulator: { passcode: PASSCODE },
  env: { MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64") },
})

type Money = {
  id: string
  state: string
  amount: number
  reference: string | null
  created_by: string
  recipient: { name: string; phone_hint: string } | null
  from_wallet_id: number | null
}
type Answered = { payout?: Money; transfer?: Money; code?: string; field?: string; id?: string }

const PAYOUTS = "/admin/merchant-payments/payouts"
const TRANSFERS = "/admin/merchant-payments/transfers"

const payoutBody = (given: object = {}) => ({
  idempotency_key: randomUUID(),
  amount: "12.50",
  currency: "USD",
  name: "Ada Carpenter",
  phone: PHONE,
  passcode: PASSCODE,
  ...given,
})

const ask = (method: string, path: string, body?: unknown): Promise<Answer<Answered>> =>
  harness.admin.call<Answered>(method, path, body)

const completed = (path: string) =>
  until(async () => {
    const { payout, transfer } = await expectOk(ask("GET", path))
    const money = payout ?? transfer
    return money?.state === "completed" ? money : undefined
  }, "the end of the money")

const transferBody = async (given: object = {}) => ({
  idempotency_key: randomUUID(),
  amount: 30,
  currency: "USD",
  ...(await walletsOf(harness, PHONE)),
  ...given,
})

const sent = () =>
  harness.simulator.book.payouts().length + harness.simulator.book.transfers().length

describe("money that goes out", () => {
  afterEach(async () => {
    const { dump } = await readLedger((text, values) =>
      harness.sql(text, values ? [...values] : []),
    )
    const everything = [...dump, harness.store.output()].join("\n")
    for (const secret of [PASSCODE, WRONG, PHONE.slice(1)]) {
      expect(everything).not.toContain(secret)
    }
  })

  describe("payouts", () => {
    it("are paid out, followed to the end and listed", async () => {
      const body = payoutBody({ note: "the bill of May" })
      const { payout } = await expectOk(ask("POST", PAYOUTS, body))
      expect(payout).toMatchObject({
        amount: 12.5,
        recipient: { name: "Ada Carpenter", phone_hint: "042" },
        created_by: expect.stringMatching(/^user_/) as string,
      })
      expect(JSON.stringify(payout)).not.toContain(PASSCODE)
      const done = await completed(`${PAYOUTS}/${payout?.id}`)
      expect(harness.simulator.book.moneyOut(done.reference ?? "")).toMatchObject({
        status: "COMPLETED",
        amount: "12.50",
        timesCalled: 1,
      })
      const list = await expectOk(
        harness.admin.call<{ payouts: Money[]; count: number; limit: number }>(
          "GET",
          `${PAYOUTS}?limit=1&state=completed,failed`,
        ),
      )
      expect(list).toMatchObject({ payouts: [{ id: done.id }], count: 1, limit: 1 })
    })

    it("asked for twice at once under one key are one, in the header or in the body", async () => {
      const { idempotency_key, ...body } = payoutBody()
      const before = sent()
      const { shop } = harness
      const login = await expectOk(
        shop.call<{ token: string }>("POST", "/auth/user/emailpass", {
          email: "admin@example.com",
          password: "test-password",
        }),
      )
      const [first, second] = await Promise.all([
        ask("POST", PAYOUTS, { ...body, idempotency_key }),
        shop.call<Answered>("POST", PAYOUTS, body, {
          authorization: `Bearer ${login.token}`,
          "idempotency-key": idempotency_key,
        }),
      ])
      expect([first.status, second.status]).toEqual([200, 200])
      expect(first.body.payout?.id).toBe(second.body.payout?.id)
      const other = await ask("POST", PAYOUTS, { ...body, idempotency_key, amount: 1 })
      expect([other.status, other.body.code]).toEqual([409, "idempotency_key_reused"])
      expect(sent()).toBe(before + 1)
    })

    it("[S14] are paid out with an admin's API key where the account allows keys", async () => {
      const { api_key } = await expectOk(
        harness.admin.call<{ api_key: { token: string } }>("POST", "/admin/api-keys", {
          title: "payroll",
          type: "secret",
        }),
      )
      const authorization = `Basic ${Buffer.from(`${api_key.token}:`).toString("base64")}`
      const { shop } = harness
      const byKey = () => shop.call<Answered>("POST", PAYOUTS, payoutBody(), { authorization })
      const refused = await byKey()
      expect([refused.status, refused.body.code]).toEqual([409, "money_out_needs_person"])
      await harness.sql(
        `update mp_account set policies = policies || '{ "money_out_by_api_key": true }'::jsonb`,
      )
      const answer = await byKey()
      expect([answer.status, answer.body.payout?.amount]).toEqual([200, 12.5])
      await harness.sql("update mp_account set policies = policies - 'money_out_by_api_key'")
    })

    it.each([
      ["a wrong passcode", { passcode: WRONG }, 422, "wrong_passcode"],
      ["more than is in the wallet", { amount: 9_000_000 }, 409, "wallet_too_low"],
      ["half a cent", { amount: "0.005" }, 400, "amount_not_payable"],
      ["no operator's number", { phone: "+231555123456" }, 404, "operator_unknown"],
      ["no phone", { phone: "hello" }, 400, "invalid_phone"],
      ["no key", { idempotency_key: undefined }, 400, "invalid_request"],
      ["no passcode", { passcode: undefined }, 400, "invalid_request"],
    ])("with %s are refused, and send nothing", async (_name, change, status, code) => {
      const before = sent()
      const answer = await ask("POST", PAYOUTS, payoutBody(change))
      expect([answer.status, answer.body.code]).toEqual([status, code])
      expect(JSON.stringify(answer.body)).not.toContain("CANARY")
      expect(sent()).toBe(before)
    })
  })

  describe("transfers", () => {
    it("are made, and followed to the end", async () => {
      const body = await transferBody()
      const { transfer } = await expectOk(ask("POST", TRANSFERS, body))
      const again = await expectOk(ask("POST", TRANSFERS, body))
      expect(again.transfer?.id).toBe(transfer?.id)
      const done = await completed(`${TRANSFERS}/${transfer?.id}`)
      expect(done).toMatchObject({ from_wallet_id: body.from_wallet_id, recipient: null })
      expect((await ask("GET", `${PAYOUTS}/${done.id}`)).body.code).toBe("operation_not_found")
    })

    it("from a wallet that is not theirs are refused", async () => {
      const { status, body } = await ask(
        "POST",
        TRANSFERS,
        await transferBody({ from_wallet_id: 1 }),
      )
      expect([status, body.code]).toEqual([422, "gateway_refused"])
    })
  })

  const ROUTES = [PAYOUTS, TRANSFERS].flatMap((path) => [
    ["GET", path],
    ["POST", path],
    ["GET", `${path}/mpop_1`],
  ])

  it.each(ROUTES)("[S07] %s %s is for admins alone", async (method = "", path = "") => {
    const body = method === "POST" ? payoutBody() : undefined
    expect((await harness.shop.call(method, path, body)).status).toBe(401)
  })

  it("whatever is asked is answered, and never with an error of ours", async () => {
    const before = sent()
    const anything = fc.oneof(fc.jsonValue(), fc.string(), fc.double(), fc.bigInt().map(String))
    const bodies = fc.record(
      {
        idempotency_key: fc.oneof(fc.uuid(), anything),
        amount: fc.oneof(fc.constantFrom("0", "-1", "1e400", 1e21, "0.001"), anything),
        currency: fc.oneof(fc.constantFrom("USD", "RWF", "XXX", "ß€ß"), anything),
        name: anything,
        phone: fc.oneof(fc.constant("+14155550123"), anything),
        country_code: anything,
        note: anything,
        passcode: fc.oneof(fc.constant(WRONG), anything),
        passcode_phone: anything,
        from_wallet_id: fc.oneof(fc.maxSafeInteger(), anything),
        to_counterparty_id: fc.oneof(fc.maxSafeInteger(), anything),
      },
      { requiredKeys: [] },
    )
    const route = fc.constantFrom(PAYOUTS, TRANSFERS)
    const query = fc.dictionary(fc.constantFrom("limit", "offset", "state", "x"), fc.string())
    const property = fc.asyncProperty(route, bodies, query, fc.string(), async (path, ...given) => {
      const [body, asked, id] = given
      const search = new URLSearchParams(asked).toString()
      const answers = [
        await ask("POST", path, body),
        await ask("GET", `${path}?${search}`),
        await ask("GET", `${path}/${encodeURIComponent(id)}`),
      ]
      for (const { status } of answers) expect(status).toBeLessThan(500)
    })
    await fc.assert(property, { numRuns: runs(60) })
    const strange = [
      `${PAYOUTS}/%00`,
      `${PAYOUTS}?offset=1e99`,
      `${TRANSFERS}?state[]=a&limit[x]=1`,
    ]
    for (const path of strange) expect((await ask("GET", path)).status).toBeLessThan(500)
    expect(sent()).toBe(before)
  })
})

describe("every route", () => {
  const REQUESTS = 600
  const START = "POST /store/merchant-payments/sessions/:id/start"

  let fuzzed: Fuzzed

  beforeAll(async () => {
    fuzzed = await fuzz({ harness, requests: REQUESTS, seed: 1 })
  }, 1_800_000)

  it("[S29] no request is answered with an error of ours, a leak, or not at all, and the money agrees", () => {
    expect(fuzzed.requests).toBeGreaterThanOrEqual(REQUESTS)
    expect(fuzzed.violations).toEqual([])
  })

  it("[S29] each route is asked, and payments are begun among it", () => {
    const routes = [...routesOfOurs(), ...guardedRoutes()].map(nameOf)
    expect(routes.filter((route) => !fuzzed.answers.has(route))).toEqual([])
    expect(fuzzed.answers.get(START)?.get(200)).toBeGreaterThan(0)
  })
})
