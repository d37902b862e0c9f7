/** Quotes, look-ups and starts over HTTP: what a stranger's loop may cost the gateway. */
import { LIMITS } from "../../src/core/limits"
import { expectOk, from, walletOf } from "./support/shop"
import { useHarness } from "./support/harness"

/** Asked by one process, which begins with all that it may. */
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

it("a currency that the way to pay does not take is refused before the gateway is asked", async () => {
  const cartId = await harness.shop.cart()
  const { status, body } = await quote(cartId, "OPERATOR1_MOMO_LBR&payer_currency=rwf")
  expect([status, body.code, body.currencies]).toEqual([400, "currency_not_served", ["LRD", "USD"]])
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
  for (let price = 20; price < 24; price++) {
    await harness.sql(
      `update cart_line_item set unit_price = $2::numeric,
              raw_unit_price = jsonb_build_object('value', $2::text, 'precision', 20)
        where cart_id = $1`,
      [cartId, price],
    )
    const answers = await Promise.all(WAYS.map((way) => quote(cartId, way)))
    statuses.push(...answers.map(({ status }) => status))
  }
  const refused = statuses.filter((status) => status === 429).length
  expect(refused).toBeGreaterThan(0)
  expect(callsAtGateway()).toBeLessThanOrEqual(1 + statuses.length - refused)
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
    Array.from({ length: LIMITS.asksOfProcess + 20 }, (_, n) => lookUp(200 + n, `10.0.0.${n}`)),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.body.code).toBe("too_many_requests")
  const asked = (harness.simulator.calls["predictMmoProviderInfo"] ?? 0) - before
  expect(asked).toBe(answers.length - refused.length)
})

it("[S18] one phone gets few prompts, and who is refused hears for how long", async () => {
  const { shop, simulator, store } = harness
  const phone = walletOf()
  const sessions: string[] = []
  for (let cart = 0; cart <= LIMITS.startsOfPhoneAtOnce; cart++) {
    sessions.push(await shop.session(await shop.cart()))
  }
  const last = sessions.pop() ?? ""
  for (const sessionId of sessions) await expectOk(shop.start(sessionId, { phone }))
  const response = await fetch(`${shop.url}/store/merchant-payments/sessions/${last}/start`, {
    method: "POST",
    headers: {
      "x-publishable-api-key": store.publishableKey,
      "content-type": "application/json",
      ...from("192.0.2.9"),
    },
    body: JSON.stringify({ phone }),
  })
  const body = (await response.json()) as { code?: string; retry_after_seconds?: number }
  expect([response.status, body.code]).toEqual([429, "too_many_requests"])
  expect(response.headers.get("retry-after")).toBe(String(body.retry_after_seconds))
  expect(body.retry_after_seconds).toBeGreaterThan(0)
  expect(simulator.handset.pending(phone.slice(1))).toHaveLength(sessions.length)
  // What is live is given back all the same.
  for (const sessionId of sessions) await expectOk(shop.start(sessionId, { phone }))
  sessions.forEach(() => simulator.handset.decline(phone.slice(1)))
})
