/**
 * A store with nothing in its environment but a key: the merchant types everything in the admin.
 */
import { randomBytes } from "node:crypto"
import fc from "fast-check"
import type { AccountsResponse } from "../../src/accounts/schemas/accounts"
import type { ConnectionTestResponse, HealthResponse } from "../../src/accounts/schemas/health"
import type { FeesResponse } from "../../src/accounts/schemas/fees"
import type { OneAccountResponse } from "../../src/accounts/schemas/accounts"
import type { RegionsResponse } from "../../src/accounts/schemas/regions"
import { readLedger } from "../support/evidence"
import { expectOk, PUSH, walletOf, type Answer, type Paid, type Region } from "./support/shop"
import { until } from "../support/until"
import { CREDENTIALS, useHarness } from "./support/harness"
import { runs } from "../support/whole-tables"

const OTHER = { clientId: "other-client", clientSecret: "CANARY-other-secret-91" }
const WRONG = "CANARY-wrong-secret-55"
const KEY = randomBytes(32).toString("base64")

const harness = useHarness({
  env: {
    MERCHANT_PAYMENTS_BASE_URL: "",
    MERCHANT_PAYMENTS_CLIENT_ID: "",
    MERCHANT_PAYMENTS_CLIENT_SECRET: "",
    MERCHANT_PAYMENTS_ENCRYPTION_KEY: KEY,
  },
  simulator: { merchants: [{ ownerId: 2, name: "Other Shop", ...OTHER }] },
})

const ROOT = "/admin/merchant-payments"
type Refused = { code?: string; field?: string; message?: string }
const answered: string[] = []

async function ask<T>(method: string, path: string, body?: unknown): Promise<Answer<T & Refused>> {
  const answer = await harness.admin.call<T & Refused>(method, `${ROOT}/${path}`, body)
  answered.push(JSON.stringify(answer.body))
  return answer
}

const client = () => ({
  base_url: harness.simulator.url,
  client_id: CREDENTIALS.clientId,
  client_secret: CREDENTIALS.clientSecret,
})

const accounts = async () => (await expectOk(ask<AccountsResponse>("GET", "accounts"))).accounts

/** Without the merchant's id, which the gateway's documents show at any time. */
const accountsAsTyped = async () =>
  (await accounts()).map((account) => ({
    ...account,
    credentials: account.credentials.map(({ owner_id: _shown, ...typed }) => typed),
  }))

afterAll(() => {
  for (const secret of [CREDENTIALS.clientSecret, OTHER.clientSecret, WRONG, KEY]) {
    expect(answered.filter((body) => body.includes(secret))).toEqual([])
  }
})

afterEach(async () => {
  const { dump } = await readLedger((text, values) => harness.sql(text, values ? [...values] : []))
  const credentials = await harness.sql("select * from mp_credential")
  const everything = [...dump, JSON.stringify(credentials), harness.store.output()].join("\n")
  for (const secret of [CREDENTIALS.clientSecret, OTHER.clientSecret, WRONG, KEY]) {
    expect(everything).not.toContain(secret)
  }
})

/** Pays a cart of a region by phone, and says whose the source is at the gateway. */
async function paidIn(region: Region): Promise<number | undefined> {
  const { shop, simulator } = harness
  const cartId = await shop.cart({ region })
  const sessionId = await shop.session(cartId, PUSH)
  // Another process would read the accounts anew within seconds.
  const { payment } = await expectOk(shop.start(sessionId, { phone: walletOf(region) }))
  simulator.handset.approve(payment?.reference ?? "")
  await until(async () => {
    const status = await expectOk<Paid>(shop.status(sessionId))
    return status.payment?.state === "paid" || undefined
  }, "the payment in Medusa")
  return simulator.book.documents().at(-1)?.ownerId
}

describe("a store without credentials", () => {
  it("boots, offers nothing, refuses to start and says in the log what to set", async () => {
    const { shop } = harness
    const cartId = await shop.cart()
    const { methods } = await expectOk(
      shop.call<{ methods: unknown[] }>(
        "GET",
        `/store/merchant-payments/methods?cart_id=${cartId}`,
      ),
    )
    expect(methods).toEqual([])
    const sessionId = await shop.session(cartId)
    const { status, body } = await shop.start(sessionId, { phone: walletOf() })
    expect([status, body.code]).toEqual([503, "not_configured"])
    const output = harness.store.output()
    expect(output).toContain("MERCHANT_PAYMENTS_BASE_URL")
    expect(output).toContain("MERCHANT_PAYMENTS_CLIENT_SECRET")
  })
})

/** Without the line that compares with the shop's regions, which sell in more than one account takes. */
/** What a new merchant's gateway can't teach yet is no trouble. */
const troublesIn = ({ lines }: ConnectionTestResponse) =>
  lines.filter(
    ({ name, status, code }) => name !== "sold" && status !== "ok" && code !== "not_learned",
  )

describe("a merchant who begins with nothing", () => {
  it("is told by the setup check what is missing", async () => {
    const { status, body } = await ask<HealthResponse>("GET", "health")
    expect([status, body.status]).toEqual([503, "down"])
    const failed = body.checks.filter((check) => check.status === "failed")
    expect(failed.map(({ name }) => name)).toContain("accounts")
    const { encryption } = await expectOk(ask<AccountsResponse>("GET", "accounts"))
    expect(encryption).toMatchObject({ has_key: true, message: null })
  })

  it("tests credentials before they are saved, wrong ones and right ones", async () => {
    const wrong = await expectOk(
      ask<ConnectionTestResponse>("POST", "accounts/new/test", {
        ...client(),
        client_secret: WRONG,
      }),
    )
    expect(wrong.lines.map(({ name, status }) => [name, status])).toEqual([
      ["reachable", "ok"],
      ["credentials", "failed"],
      ...["token_lifetime"].map((name) => [name, "skipped"]),
      ["clock", "ok"],
      ["verified", "skipped"],
      ["fees", "skipped"],
      ["sold", "warning"],
    ])
    const right = await expectOk(
      ask<ConnectionTestResponse>("POST", "accounts/new/test", {
        ...client(),
        currencies: ["USD"],
      }),
    )
    expect(troublesIn(right)).toEqual([])
    expect(right.lines.map(({ name }) => name)).toContain("operator:OPERATOR1_MOMO_LBR")
    expect((await accounts()).length).toBe(0)
  })

  it("saves an account, and takes a payment with it", async () => {
    const { account } = await expectOk(
      ask<OneAccountResponse>("POST", "accounts", {
        label: "Main",
        ...client(),
        currencies: ["USD", "RWF"],
      }),
    )
    expect(account).toMatchObject({
      state: "ready",
      has_secret: true,
      is_default: true,
      version: 1,
    })
    expect(await paidIn("International")).toBe(1)
    // The store that filled the database with goods may have ended within the last half minute.
    await harness.sql(
      "delete from mp_worker where id <> (select id from mp_worker order by seen_at desc limit 1)",
    )
    const { body, status } = await ask<HealthResponse>("GET", "health")
    expect([status, body.checks.filter((check) => check.status === "failed")]).toEqual([200, []])
  })

  it("adds another merchant's for another currency; each payment goes to its own", async () => {
    const taken = await ask("POST", "accounts", { label: "Two", ...client(), currencies: ["RWF"] })
    expect([taken.status, taken.body.code]).toEqual([409, "currency_taken"])
    const { account } = await expectOk(
      ask<OneAccountResponse>("POST", "accounts", {
        label: "Liberia",
        base_url: harness.simulator.url,
        client_id: OTHER.clientId,
        client_secret: OTHER.clientSecret,
        currencies: ["LRD"],
      }),
    )
    expect(await paidIn("Liberia")).toBe(2)
    expect(await paidIn("Rwanda")).toBe(1)
    const tested = await expectOk(
      ask<ConnectionTestResponse>("POST", `accounts/${account.id}/test`, {}),
    )
    expect(troublesIn(tested)).toEqual([])
    await expectOk(ask("POST", `accounts/${account.id}`, { label: "LR", version: 1 }))
    const stale = await ask("POST", `accounts/${account.id}`, { label: "LBR", version: 1 })
    expect([stale.status, stale.body.code]).toEqual([409, "changed_meanwhile"])
  })

  it("offers the plugin's providers in a region by one click", async () => {
    const { region } = await expectOk(
      harness.admin.call<{ region: { id: string } }>("POST", "/admin/regions", {
        name: "Ghana and Kenya",
        currency_code: "usd",
        payment_providers: ["pp_system_default"],
      }),
    )
    const enabled = await expectOk(ask("POST", `regions/${region.id}/enable`, {}))
    expect(enabled).toMatchObject({ region: { name: "Ghana and Kenya", currency_code: "USD" } })
    const { regions } = await expectOk(ask<RegionsResponse>("GET", "regions"))
    const own = regions.find(({ id }) => id === region.id)
    expect(own?.providers.map(({ is_enabled }) => is_enabled)).toEqual([true, true])
    const links = await harness.sql(
      "select 1 from region_payment_provider where region_id = $1 and deleted_at is null",
      [region.id],
    )
    expect(links).toHaveLength(3)
  })

  it("takes them out again, and leaves the region's others, its name and its currency", async () => {
    const { regions } = await expectOk(ask<RegionsResponse>("GET", "regions"))
    const own = regions.find(({ name }) => name === "Ghana and Kenya")
    const disabled = await expectOk(ask("POST", `regions/${own?.id ?? ""}/disable`))
    expect(disabled).toMatchObject({ region: { name: "Ghana and Kenya", currency_code: "USD" } })
    type Providers = { payment_providers: { id: string }[] }
    const { payment_providers: offered } = await expectOk(
      harness.shop.call<Providers>("GET", `/store/payment-providers?region_id=${own?.id ?? ""}`),
    )
    expect(offered.map(({ id }) => id)).toEqual(["pp_system_default"])
  })

  it("names the operators for the shoppers, and what to dial where no request shows", async () => {
    const main = (await accounts()).find(({ label }) => label === "Main")
    const wire_names = {
      "OPERATOR1_MOMO_RWA.label": "Blue Money",
      "OPERATOR1_MOMO_RWA.menu_code": "*100#",
    }
    await expectOk(
      ask("POST", `accounts/${main?.id ?? ""}`, { wire_names, version: main?.version }),
    )
    const cartId = await harness.shop.cart({ region: "Rwanda" })
    const { methods } = await expectOk(
      harness.shop.call<{ methods: { flow: string; operators: object[] }[] }>(
        "GET",
        `/store/merchant-payments/methods?cart_id=${cartId}`,
      ),
    )
    const [first, second] = methods.find(({ flow }) => flow === "push")?.operators ?? []
    expect(first).toEqual({
      payment_method: "OPERATOR1_MOMO_RWA",
      provider: "MOBILE_MONEY_GATEWAY",
      label: "Blue Money",
      country: "RW",
      currencies: ["RWF"],
      menu_code: "*100#",
      status: "ok",
    })
    expect(second).toMatchObject({ menu_code: null })
  })

  it("keeps whether a disrupted operator is hidden, and takes nothing else for it", async () => {
    const main = (await accounts()).find(({ label }) => label === "Main")
    const policy = (disrupted_methods: unknown, version = main?.version) =>
      ask<OneAccountResponse>("POST", `accounts/${main?.id ?? ""}`, {
        policies: { disrupted_methods },
        version,
      })
    expect(main?.policies.disrupted_methods).toBe("warn")
    for (const wrong of ["never", "", null, true]) {
      expect([wrong, (await policy(wrong)).status]).toEqual([wrong, 400])
    }
    await expectOk(policy("hide"))
    const hidden = (await accounts()).find(({ label }) => label === "Main")
    expect(hidden?.policies).toEqual({ ...main?.policies, disrupted_methods: "hide" })
    await expectOk(policy("warn", hidden?.version))
  })

  it("reads the fees, and what a payment would cost whom", async () => {
    const fees = await expectOk(ask<FeesResponse>("GET", "fees"))
    expect(fees.tiers.length).toBeGreaterThan(0)
    expect(fees.tiers[0]?.rates.length).toBeGreaterThan(0)
    expect(fees.gateway.map(({ payment_method }) => payment_method)).toContain("CREDIT_CARD")
    const query = "currency=USD&payment_method=OPERATOR1_MOMO_LBR"
    const asked = (more: string) =>
      expectOk(
        ask<{ quote: { payer_amount: number; payee_amount: number; fee_bearer: string } }>(
          "GET",
          `fees/prediction?amount=100&${query}&${more}`,
        ),
      )
    const { quote: payee } = await asked("bearer=PAYEE")
    expect(payee).toMatchObject({ payer_amount: 100, fee_bearer: "PAYEE" })
    const { quote: payer } = await asked("bearer=PAYER")
    expect(payer.payer_amount).toBeGreaterThan(100)
    const cartId = await harness.shop.cart()
    const { quote } = await expectOk(
      harness.shop.call<{ quote: { payer_amount: number; payer_currency: string } }>(
        "GET",
        `/store/merchant-payments/quote?cart_id=${cartId}&payment_method=OPERATOR1_MOMO_LBR`,
      ),
    )
    expect(quote).toMatchObject({ payer_currency: "USD" })
    expect(quote.payer_amount).toBeCloseTo(await harness.shop.total(cartId), 2)
  })
})

const ROUTES = [
  ["GET", "accounts"],
  ["POST", "accounts"],
  ["GET", "accounts/mpacc_1"],
  ["POST", "accounts/mpacc_1"],
  ["DELETE", "accounts/mpacc_1"],
  ["POST", "accounts/mpacc_1/test"],
  ["DELETE", "accounts/mpacc_1/credentials/mpcred_1"],
  ["GET", "health"],
  ["GET", "fees"],
  ["GET", "fees/prediction"],
  ["GET", "regions"],
  ["POST", "regions/reg_1/enable"],
] as const

it.each(ROUTES)("[S07] %s %s is for admins alone", async (method, path) => {
  const body = method === "POST" ? {} : undefined
  expect((await harness.shop.call(method, `${ROOT}/${path}`, body)).status).toBe(401)
})

it("a monitor reads the setup check with an API key", async () => {
  const { api_key } = await expectOk(
    harness.admin.call<{ api_key: { token: string } }>("POST", "/admin/api-keys", {
      title: "monitor",
      type: "secret",
    }),
  )
  const authorization = `Basic ${Buffer.from(`${api_key.token}:`).toString("base64")}`
  const answer = await harness.shop.call("GET", `${ROOT}/health`, undefined, { authorization })
  expect(answer.status).toBe(200)
})

it("whatever is asked is answered, and never with an error of ours", async () => {
  const before = await accountsAsTyped()
  const anything = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }), fc.double())
  const bodies = fc.record(
    {
      label: fc.oneof(fc.constant("Fuzz"), anything),
      base_url: fc.oneof(fc.constant("https://gateway.example"), fc.webUrl(), anything),
      client_id: fc.oneof(fc.constant("x"), anything),
      client_secret: fc.oneof(fc.constant("y"), anything),
      currencies: fc.oneof(fc.constant(["USD"]), fc.array(fc.string()), anything),
      wire_names: fc.oneof(fc.dictionary(fc.string(), fc.string()), anything),
      policies: anything,
      push_window_minutes: anything,
      version: fc.oneof(fc.nat(), anything),
    },
    { requiredKeys: [] },
  )
  // Nothing that would be saved: each body has something wrong.
  const wrong = bodies.map((body) => ({ ...body, is_default: "no" }))
  const ids = fc.oneof(fc.constant(before[0]?.id ?? ""), fc.string().map(encodeURIComponent))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ROUTES),
      ids,
      wrong,
      fc.string(),
      async (route, id, body, text) => {
        const [method, path] = route
        const to = path.replace(/(mpacc|mpcred|reg)_1/g, id || "x")
        const query = new URLSearchParams({
          amount: text,
          currency: text,
          account_id: text,
          payment_method: text,
        })
        const isRead = method === "GET"
        if (method === "DELETE" && before.some((one) => to.endsWith(one.id))) return
        const { status } = await ask(
          method,
          isRead ? `${to}?${query}` : to,
          isRead ? undefined : body,
        )
        expect(status).toBeLessThan(500)
      },
    ),
    { numRuns: runs(60) },
  )
  expect(await accountsAsTyped()).toEqual(before)
})
