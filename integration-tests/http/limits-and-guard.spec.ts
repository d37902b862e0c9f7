/**
 * What a stranger's loop of quotes, look-ups and starts may cost the gateway; and the guard: what
 * nobody may do to a cart while its money moves, and what nobody can pretend.
 */
import { LIMITS } from "../../src/core/limits"
import { expectPaidInFull, operationsOf, settled, timesCharged } from "./support/payments"
import { HOSTED, PUSH, expectOk, from, walletOf } from "./support/shop"
import { until } from "../support/until"
import { changingRoutes, HARMLESS } from "../support/medusa-store-routes"
import { useHarness } from "./support/harness"

/** One process, which begins with all that it may ask. */
const harness = useHarness()

type Asked = { readonly code?: string; readonly currencies?: string[] }

const quote = (cartId: string, more: string, network = "192.0.2.1") =>
  harness.shop.call<Asked>(
    "GET",
    `/store/merchant-payments/quote?cart_id=${cartId}&payment_method=${more}`,
    undefined,
    from(network),
  )

const lookUp = (n: number, network: string) =>
  harness.shop.call<Asked>(
    "POST",
    "/store/merchant-payments/operator",
    { phone: `+23188600${String(1_000 + n)}` },
    from(network),
  )

const callsAtGateway = () => harness.simulator.calls["predictAmountAndFees"] ?? 0

async function waiting() {
  const phone = walletOf()
  const cartId = await harness.shop.cart({ phone })
  const sessionId = await harness.shop.session(cartId)
  await expectOk(harness.shop.start(sessionId))
  return { cartId, sessionId, digits: phone.slice(1) }
}

type Call = [method: string, path: string, body?: Record<string, unknown>]

async function changes(cartId: string): Promise<Call[]> {
  const { shop } = harness
  const { cart } = await expectOk(
    shop.call<{ cart: { items: { id: string }[] } }>("GET", `/store/carts/${cartId}`),
  )
  const line = cart.items[0]?.id ?? ""
  const base = `/store/carts/${cartId}`
  return [
    ["POST", base, { email: "other@example.com" }],
    ["POST", `${base}/customer`, {}],
    ["POST", `${base}/line-items`, { variant_id: await shop.variant("enamel-mug"), quantity: 1 }],
    ["POST", `${base}/line-items/${line}`, { quantity: 9 }],
    ["DELETE", `${base}/line-items/${line}`],
    ["POST", `${base}/shipping-methods`, { option_id: "so_any" }],
    ["POST", `${base}/promotions`, { promo_codes: ["WELCOME10"] }],
    ["DELETE", `${base}/promotions`, { promo_codes: ["WELCOME10"] }],
    ["POST", `${base}/taxes`, {}],
    [
      "POST",
      `/store/payment-collections/${await shop.collection(cartId)}/payment-sessions`,
      { provider_id: HOSTED },
    ],
  ]
}

// First: nothing has been asked for yet.
describe("what a stranger's loop may cost", () => {
  it("a currency that the way to pay does not take is refused before the gateway is asked", async () => {
    const cartId = await harness.shop.cart()
    const { status, body } = await quote(cartId, "OPERATOR1_MOMO_LBR&payer_currency=rwf")
    expect([status, body.code, body.currencies]).toEqual([
      400,
      "currency_not_served",
      ["LRD", "USD"],
    ])
    expect((await quote(cartId, "OPERATOR1_MOMO_LBR&payer_currency=xts")).status).toBe(400)
    expect((await quote(cartId, "CREDIT_CARD&payer_currency=xts")).status).toBe(400)
    expect(callsAtGateway()).toBe(0)
  })

  /** Each way to pay, in each currency that it takes. */
  const WAYS = [
    ...["OPERATOR1_MOMO_LBR", "OPERATOR2_MONEY_LBR"].flatMap((operator) =>
      ["usd", "lrd"].map((currency) => `${operator}&payer_currency=${currency}`),
    ),
    ...["OPERATOR1_MOMO_RWA", "OPERATOR2_MONEY_RWA", "OPERATOR3_RWA", "CREDIT_CARD"],
  ]

  it("[S06] the same question costs one call, and a cart that changes without end only so many", async () => {
    const cartId = await harness.shop.cart()
    const same = await Promise.all([1, 2, 3, 4].map(() => quote(cartId, "OPERATOR1_MOMO_LBR")))
    expect(same.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(callsAtGateway()).toBe(1)
    const statuses: number[] = []
    const refusals = () => statuses.filter((status) => status === 429).length
    // A cart earns a question back every three seconds, so a slow machine asks for more prices.
    for (let price = 20; price < 24 || (refusals() === 0 && price < 60); price++) {
      await harness.sql(
        `update cart_line_item set unit_price = $2::numeric,
                raw_unit_price = jsonb_build_object('value', $2::text, 'precision', 20)
          where cart_id = $1`,
        [cartId, price],
      )
      const answers = await Promise.all(WAYS.map((way) => quote(cartId, way)))
      statuses.push(...answers.map(({ status }) => status))
    }
    expect(refusals()).toBeGreaterThan(0)
    expect(callsAtGateway()).toBeLessThanOrEqual(1 + statuses.length - refusals())
    const other = await quote(await harness.shop.cart(), "OPERATOR1_MOMO_LBR", "192.0.2.2")
    expect(other.status).toBe(200)
  })

  it("[S06] guessing ids of carts is slowed down", async () => {
    const answers: number[] = []
    for (let guess = 0; guess < 2 * LIMITS.missesAtOnce; guess++) {
      answers.push((await quote(`cart_guess_${guess}`, "OPERATOR1_MOMO_LBR")).status)
    }
    expect(answers.slice(0, LIMITS.missesAtOnce)).toEqual(Array(LIMITS.missesAtOnce).fill(404))
    expect(answers).toContain(429)
  })

  it("[S20] one network's look-ups leave the others theirs, whatever its header says", async () => {
    const junk = "x".repeat(10_000)
    const loop = await Promise.all(
      Array.from({ length: 2 * LIMITS.asksOfNetwork }, (_, n) => lookUp(n, `${junk}${n}`)),
    )
    expect(loop.map(({ status }) => status)).toContain(429)
    expect((await lookUp(100, "192.0.2.3")).status).toBe(200)
  })

  it("[S06] looking up numbers costs so many calls and no more", async () => {
    const before = harness.simulator.calls["predictMmoProviderInfo"] ?? 0
    const answers = await Promise.all(
      Array.from({ length: LIMITS.asksOfStore + 20 }, (_, n) => lookUp(200 + n, `10.0.0.${n}`)),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.body.code).toBe("too_many_requests")
    const asked = (harness.simulator.calls["predictMmoProviderInfo"] ?? 0) - before
    expect(asked).toBe(answers.length - refused.length)
  })
})

describe("the guard", () => {
  it("[B03] leaves one payable source, whatever is edited, posted and started at once", async () => {
    const { shop, simulator } = harness
    const cartId = await shop.cart()
    await expectOk(shop.start(await shop.session(cartId, HOSTED)))
    const mug = { variant_id: await shop.variant("enamel-mug"), quantity: 1 }
    const before = await shop.total(cartId)
    // Medusa may answer 500 to one of two posts of a session that meet.
    await Promise.allSettled([
      shop.session(cartId, HOSTED).then((id) => shop.start(id)),
      shop.call("POST", `/store/carts/${cartId}/line-items`, mug),
      shop.session(cartId, HOSTED).then((id) => shop.start(id)),
      shop.session(cartId, HOSTED),
    ])
    const total = await shop.total(cartId)
    expect(total).toBeGreaterThan(before)
    const payable = async () => {
      const known = await operationsOf(harness, cartId)
      return known
        .map(({ source_id }) => simulator.book.document(Number(source_id)))
        .filter((document) => document?.status === "ACTIVE")
    }
    expect((await payable()).length).toBeLessThanOrEqual(1)
    const sessionId = await shop.session(cartId, HOSTED)
    // While an old page is being closed the answer is 409; then the next start opens the new one.
    await until(async () => {
      const { status, body } = await shop.start(sessionId)
      expect([200, 409]).toContain(status)
      return status === 200 && body.payment?.amount === Math.round(total * 100) / 100
    }, "a page for the new total")
    const [page, ...others] = await payable()
    expect(others).toEqual([])
    simulator.hosted.pay(page?.id ?? 0, { method: "card" })
    const paid = await settled(harness, sessionId)
    await expectPaidInFull(harness, paid.order_id ?? "", total)
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("[B14] ignores an old session's data in a new session", async () => {
    const { shop } = harness
    const cartId = await shop.cart()
    const first = await shop.session(cartId, HOSTED)
    const { payment } = await expectOk(shop.start(first))
    await expectOk(shop.cancel(first))
    const second = await shop.session(cartId, HOSTED, {
      state: "waiting_for_payer",
      url: payment?.url,
      reference: "11111111-1111-4111-8111-111111111111",
      session_id: first,
    })
    const [row] = await harness.sql<{ data: Record<string, unknown> }>(
      "select data from payment_session where id = $1",
      [second],
    )
    expect(row?.data).toMatchObject({ state: "ready", url: null, reference: null })
    const again = await expectOk(shop.start(second))
    expect(again.payment).toMatchObject({ id: second, state: "waiting_for_payer" })
    expect(again.payment?.url).not.toBe(payment?.url)
    expect(await operationsOf(harness, cartId)).toHaveLength(2)
    await expectOk(shop.cancel(second))
  })

  it("[B24] asks on, and holds what is paid, when the region has given the provider up", async () => {
    const { shop, admin } = harness
    const phone = walletOf("Rwanda")
    const cartId = await shop.cart({ region: "Rwanda", phone })
    const idle = await shop.session(await shop.cart({ region: "Rwanda" }))
    const sessionId = await shop.session(cartId)
    await expectOk(shop.start(sessionId))
    const { regions } = await expectOk(
      shop.call<{ regions: { id: string; name: string }[] }>("GET", "/store/regions"),
    )
    const region = `/admin/regions/${regions.find(({ name }) => name === "Rwanda")?.id}`
    const offer = (providers: string[]) =>
      expectOk(admin.call("POST", region, { payment_providers: providers }))
    await offer([HOSTED])
    try {
      harness.simulator.handset.approve(phone.slice(1))
      // Medusa completes no such cart, however often it is asked: a person hears of it at once.
      expect(await settled(harness, sessionId)).toMatchObject({ state: "under_review" })
      expect(await operationsOf(harness, cartId)).toMatchObject([
        { state: "review", reason: "provider_disabled" },
      ])
      expect(await timesCharged(harness, cartId)).toBe(1)
      const refused = await shop.start(idle)
      expect([refused.status, refused.body.code]).toEqual([503, "not_configured"])
    } finally {
      await offer([PUSH, HOSTED])
    }
  })

  it("[B24] holds for a person what comes after the provider was switched off", async () => {
    const { cartId, sessionId, digits } = await waiting()
    const enable = (isEnabled: boolean) =>
      harness.sql("update payment_provider set is_enabled = $1 where id = $2", [isEnabled, PUSH])
    await enable(false)
    try {
      harness.simulator.handset.approve(digits)
      expect(await settled(harness, sessionId)).toMatchObject({ state: "under_review" })
      expect(await operationsOf(harness, cartId)).toMatchObject([
        { state: "review", reason: "provider_disabled" },
      ])
    } finally {
      await enable(true)
    }
  })

  it("[S07] answers no admin route to a stranger or to a shopper", async () => {
    const { shop } = harness
    const email = `eve-${Date.now()}@example.com`
    const secret = { email, password: "a-long-password" }
    const { token } = await expectOk(
      shop.call<{ token: string }>("POST", "/auth/customer/emailpass/register", secret),
    )
    await expectOk(
      shop.call("POST", "/store/customers", { email }, { authorization: `Bearer ${token}` }),
    )
    const login = await expectOk(
      shop.call<{ token: string }>("POST", "/auth/customer/emailpass", secret),
    )
    const routes = [
      ["POST", "/admin/orders/order_any/cancel"],
      ["GET", "/admin/merchant-payments/operations"],
      ["POST", "/admin/merchant-payments/operations/mpop_any/resolve"],
    ] as const
    for (const [method, route] of routes) {
      const nobody: Record<string, string> = {}
      for (const headers of [nobody, { authorization: `Bearer ${login.token}` }]) {
        const { status } = await shop.call(method, route, undefined, headers)
        expect([route, status]).toEqual([route, 401])
      }
    }
  })

  it("[B02] refuses every change of a cart while a prompt is out, and lets it through after", async () => {
    const { cartId, sessionId, digits } = await waiting()
    const total = await harness.shop.total(cartId)
    for (const [method, path, body] of await changes(cartId)) {
      const answer = await harness.shop.call<{ code?: string; payment?: { state: string } }>(
        method,
        path,
        body,
      )
      expect([path, answer.status, answer.body.code, answer.body.payment?.state]).toEqual([
        path,
        409,
        "payment_in_progress",
        "waiting_for_payer",
      ])
    }
    expect(await harness.shop.total(cartId)).toBe(total)
    harness.simulator.handset.decline(digits)
    expect((await settled(harness, sessionId)).state).toBe("failed")
    await expectOk(
      harness.shop.call("POST", `/store/carts/${cartId}`, { email: "new@example.com" }),
    )
  })

  it("[B02] refuses each route of the store that changes what is paid, also one that another plugin adds", async () => {
    const { cartId, sessionId } = await waiting()
    const collectionId = await harness.shop.collection(cartId)
    const medusas = changingRoutes().filter((route) => !(route in HARMLESS))
    expect(medusas.length).toBeGreaterThan(8)
    const carts = ["PUT /store/carts/:id", "POST /store/carts/:id/of/another/plugin"]
    // A later Medusa updates a session's client data so.
    const session = `POST /store/payment-collections/:id/payment-sessions/${sessionId}`
    for (const route of [...medusas, ...carts, session]) {
      const [method = "", address = ""] = route.split(" ")
      const id = address.includes("payment-collections") ? collectionId : cartId
      const path = address.replace(":id", id).replaceAll(/:\w+/g, "any")
      const given = { data: { client: { browser: "any" } } }
      const body = method === "DELETE" ? undefined : route === session ? given : {}
      const answer = await harness.shop.call<{ code?: string }>(method, path, body)
      expect([route, answer.status, answer.body.code]).toEqual([route, 409, "payment_in_progress"])
    }
  })

  it("does not stand in the way of reading and of completing", async () => {
    const { cartId } = await waiting()
    expect((await harness.shop.call("GET", `/store/carts/${cartId}`)).status).toBe(200)
    const { status, body } = await harness.shop.complete(cartId)
    expect([status, body.type]).toEqual([200, "cart"])
  })

  it("answers 409 to a cancel while a prompt is out: only the phone can decline it", async () => {
    const { sessionId } = await waiting()
    const { status, body } = await harness.shop.cancel(sessionId)
    expect([status, body.code]).toEqual([409, "payment_in_progress"])
  })

  it("[S01] believes nothing that a storefront writes into the payment session", async () => {
    const cartId = await harness.shop.cart()
    const sessionId = await harness.shop.session(cartId, PUSH, {
      state: "paid",
      status: "captured",
      reference: "11111111-1111-4111-8111-111111111111",
      source_id: 1,
      session_id: "payses_other",
    })
    const { body } = await harness.shop.complete(cartId)
    expect(body.type).toBe("cart")
    const { payment } = await expectOk(harness.shop.status(sessionId))
    expect(payment).toMatchObject({ state: "ready", reference: null })
  })

  it("[S02] takes no action on a forged webhook, and writes nothing of it", async () => {
    const { cartId, sessionId } = await waiting()
    const [before] = await operationsOf(harness, cartId)
    for (const provider of ["mobile-money_merchant", "hosted-checkout_merchant"]) {
      const hook = await harness.shop.call("POST", `/hooks/payment/${provider}`, {
        session_id: sessionId,
        reference: before?.reference,
        status: "COMPLETED",
        action: "captured",
        note: "FORGED-WORD",
      })
      expect(hook.status).toBe(200)
    }
    const { payment } = await expectOk(harness.shop.status(sessionId))
    expect(payment?.state).toBe("waiting_for_payer")
    const [after] = await operationsOf(harness, cartId)
    expect([after?.state, after?.reference]).toEqual([before?.state, before?.reference])
    expect(harness.store.output()).not.toContain("FORGED-WORD")
  })
})
