/**
 * What a storefront may send that is wrong: each is refused with a code, nothing is charged, and
 * the cart can still be paid. What it asks of another's payment is answered as if there were none.
 */
import { LIMITS } from "../../src/core/limits"
import { operationsOf, settled } from "./support/payments"
import { HOSTED, expectOk, walletOf } from "./support/shop"
import { setStock } from "./support/stock"
import { useHarness } from "./support/harness"

const harness = useHarness()

/** A refused start leaves the cart usable: the same session is paid right after. */
async function expectStillPayable(sessionId: string): Promise<void> {
  const phone = walletOf()
  await expectOk(harness.shop.start(sessionId, { phone }))
  harness.simulator.handset.approve(phone.slice(1))
  expect((await settled(harness, sessionId)).state).toBe("paid")
}

describe("bad input", () => {
  it("answers invalid_phone to a fixed line of Rwanda, and the cart stays payable", async () => {
    const phone = "+250252123456"
    const cartId = await harness.shop.cart()
    const sessionId = await harness.shop.session(cartId)
    const { status, body } = await harness.shop.start(sessionId, { phone })
    expect([status, body.code]).toEqual([400, "invalid_phone"])
    expect(body.message).toBeTruthy()
    expect(await operationsOf(harness, cartId)).toEqual([])
    await expectStillPayable(sessionId)
  })

  it("answers phone_required when neither body nor address has one", async () => {
    const sessionId = await harness.shop.session(await harness.shop.cart({ phone: null }))
    const { status, body } = await harness.shop.start(sessionId)
    expect([status, body.code]).toEqual([400, "phone_required"])
  })

  it("takes a number as people write it at home, by the country of the address", async () => {
    const cartId = await harness.shop.cart({ region: "Liberia" })
    const sessionId = await harness.shop.session(cartId)
    const { payment } = await expectOk(harness.shop.start(sessionId, { phone: "0886 77 11 10" }))
    expect(payment).toMatchObject({ phone_hint: "110" })
  })

  it("answers operator_unknown for a mobile number that no operator has", async () => {
    const sessionId = await harness.shop.session(await harness.shop.cart())
    const { status, body } = await harness.shop.start(sessionId, { phone: "+231555123456" })
    expect([status, body.code]).toEqual([404, "operator_unknown"])
  })

  it("answers currency_not_served, with the list, when the wallet can't pay it", async () => {
    const sessionId = await harness.shop.session(await harness.shop.cart())
    const { status, body } = await harness.shop.start(sessionId, { phone: "+250788123456" })
    expect([status, body.code, body.currencies]).toEqual([400, "currency_not_served", ["RWF"]])
  })

  it("answers amount_not_payable to a total of zero", async () => {
    const cartId = await harness.shop.cart()
    const sessionId = await harness.shop.session(cartId)
    await harness.sql("update payment_session set amount = 0 where id = $1", [sessionId])
    const { status, body } = await harness.shop.start(sessionId)
    expect([status, body.code]).toEqual([400, "amount_not_payable"])
  })

  it("answers session_not_found to an unknown session and to another provider's", async () => {
    const { shop, admin } = harness
    const unknown = await shop.start("payses_nobody")
    expect([unknown.status, unknown.body.code]).toEqual([404, "session_not_found"])
    expect((await shop.status("payses_nobody")).status).toBe(404)
    expect((await shop.cancel("payses_nobody")).status).toBe(404)

    const { regions } = await expectOk(
      shop.call<{ regions: { id: string; name: string }[] }>("GET", "/store/regions"),
    )
    const region = regions.find(({ name }) => name === "International")
    await expectOk(
      admin.call("POST", `/admin/regions/${region?.id}`, {
        payment_providers: ["pp_mobile-money_merchant", HOSTED, "pp_system_default"],
      }),
    )
    const foreign = await shop.session(await shop.cart(), "pp_system_default")
    const answer = await shop.start(foreign)
    expect([answer.status, answer.body.code]).toEqual([404, "session_not_found"])
    expect((await shop.status(foreign)).status).toBe(404)
  })

  it("[S06] shows and starts a registered customer's payment for that customer only", async () => {
    const { shop } = harness
    const email = `ada-${Date.now()}@example.com`
    const { token } = await expectOk(
      shop.call<{ token: string }>("POST", "/auth/customer/emailpass/register", {
        email,
        password: "a-long-password",
      }),
    )
    await expectOk(
      shop.call("POST", "/store/customers", { email }, { authorization: `Bearer ${token}` }),
    )
    const login = await expectOk(
      shop.call<{ token: string }>("POST", "/auth/customer/emailpass", {
        email,
        password: "a-long-password",
      }),
    )
    const mine = { authorization: `Bearer ${login.token}` }
    const cartId = await shop.cart()
    await expectOk(shop.call("POST", `/store/carts/${cartId}/customer`, {}, mine))
    const sessionId = await shop.session(cartId)
    const path = `/store/merchant-payments/sessions/${sessionId}`
    expect((await shop.status(sessionId)).status).toBe(404)
    expect((await shop.start(sessionId)).status).toBe(404)
    expect((await shop.call("GET", path, undefined, mine)).status).toBe(200)
    expect((await shop.call("POST", `${path}/start`, {}, mine)).status).toBe(200)
  })

  it("[S06] slows a guesser down, and nobody who asks for a payment that there is", async () => {
    const { shop } = harness
    const sessionId = await shop.session(await shop.cart())
    expect((await shop.status(sessionId)).status).toBe(200)
    const guess = async (id: string) =>
      fetch(`${shop.url}/store/merchant-payments/sessions/${id}`, {
        headers: {
          "x-publishable-api-key": harness.store.publishableKey,
          "x-forwarded-for": "198.51.100.7",
        },
      })
    const answers: Response[] = []
    // In waves: what is asked at the same moment is counted only once it is answered.
    for (let wave = 0; wave < 3; wave++) {
      const ids = Array.from({ length: LIMITS.missesAtOnce }, (_, at) => `payses_${wave}_${at}`)
      answers.push(...(await Promise.all(ids.map(guess))))
    }
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => status !== 429).map(({ status }) => status)).toEqual(
      Array<number>(answers.length - refused.length).fill(404),
    )
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(await refused[0]?.json()).toMatchObject({ code: "too_many_requests" })
    expect((await guess(sessionId)).status).toBe(200)
    expect((await shop.status("payses_nobody")).status).toBe(404)
  })

  it("answers origin_not_allowed to an address that is not the shop's", async () => {
    const cartId = await harness.shop.cart()
    const sessionId = await harness.shop.session(cartId, HOSTED)
    const forged = [
      "https://evil.example/thanks",
      "javascript:alert(1)",
      "http://localhost:4100@evil.example/",
      "//evil.example",
    ]
    for (const success_url of forged) {
      const { status, body } = await harness.shop.start(sessionId, { success_url })
      expect([status, body.code]).toEqual([400, "origin_not_allowed"])
    }
    expect(await operationsOf(harness, cartId)).toEqual([])
  })

  it("answers cart_not_ready with what is missing", async () => {
    const { shop } = harness
    const cartId = await shop.cart({ isComplete: false })
    const sessionId = await shop.session(cartId)
    const { status, body } = await shop.start(sessionId, { phone: walletOf() })
    expect([status, body.code]).toEqual([409, "cart_not_ready"])
    expect(body.missing).toEqual(["shipping_address", "shipping_method"])
  })

  it("[B16] answers cart_not_ready when the stock is gone, before any money moves", async () => {
    const { shop, simulator } = harness
    const cartId = await shop.cart({ items: [["woven-basket", 2]] })
    const sessionId = await shop.session(cartId)
    await setStock(harness, "woven-basket", 1)
    simulator.resetCalls()
    const { status, body } = await shop.start(sessionId)
    expect([status, body.code, body.missing]).toEqual([409, "cart_not_ready", ["stock"]])
    expect(simulator.calls["createCheckoutSource"]).toBeUndefined()
    await setStock(harness, "woven-basket", 10_000)
  })

  it("answers invalid_request, naming the field, to a body of another shape", async () => {
    const sessionId = await harness.shop.session(await harness.shop.cart())
    const { status, body } = await harness.shop.start(sessionId, { phone: { a: 1 } })
    expect([status, body.code]).toEqual([400, "invalid_request"])
    expect(body.message).toContain("phone")
  })

  it("says whose wallet a number is, with the last three digits at most", async () => {
    const { status, body } = await harness.shop.call<{ operator: Record<string, unknown> }>(
      "POST",
      "/store/merchant-payments/operator",
      { phone: "0788 123 456", country_code: "rw" },
    )
    expect(status).toBe(200)
    expect(body.operator).toEqual({
      payment_method: "OPERATOR1_MOMO_RWA",
      label: "Operator 1 Mobile Money",
      carrier: expect.any(String),
      country: "RW",
      currencies: ["RWF"],
      phone_hint: "456",
      status: "ok",
    })
  })

  it("offers what a cart can be paid with", async () => {
    const { shop } = harness
    const cartId = await shop.cart({ region: "Rwanda" })
    const { methods } = await expectOk(
      shop.call<{ methods: { provider_id: string; flow: string; operators: unknown[] }[] }>(
        "GET",
        `/store/merchant-payments/methods?cart_id=${cartId}`,
      ),
    )
    expect(methods.map(({ flow }) => flow).sort()).toEqual(["hosted", "push"])
    expect(methods.find(({ flow }) => flow === "push")?.operators).toHaveLength(3)
    const missing = await shop.call<{ code: string }>(
      "GET",
      "/store/merchant-payments/methods?cart_id=cart_nobody",
    )
    expect([missing.status, missing.body.code]).toEqual([404, "cart_not_found"])
  })
})
