import type { FaultEntry } from "../../packages/simulator/src/faults"
import { operationsOf, settled, timesCharged } from "./support/payments"
import { expectOk, walletOf } from "./support/shop"
import { until } from "./support/until"
import { useHarness } from "./support/harness"

const harness = useHarness({ simulator: { speed: 20 } })

async function ready() {
  const phone = walletOf()
  const cartId = await harness.shop.cart({ phone })
  const sessionId = await harness.shop.session(cartId)
  return { cartId, sessionId, digits: phone.slice(1) }
}

/** After the trouble the same cart is paid by the same session, once. */
async function expectPayable(cart: Awaited<ReturnType<typeof ready>>): Promise<void> {
  const { payment } = await expectOk(harness.shop.start(cart.sessionId))
  expect(payment?.state).toBe("waiting_for_payer")
  harness.simulator.handset.approve(cart.digits)
  expect((await settled(harness, cart.sessionId)).state).toBe("paid")
  expect(await timesCharged(harness, cart.cartId)).toBe(1)
}

afterEach(() => harness.simulator.faults.clear())

describe("a gateway in trouble", () => {
  const beforeMoney: [string, string, FaultEntry, number, string][] = [
    ["N24", "createCheckoutSource", "500:after", 503, "gateway_unavailable"],
    ["N18", "createCheckoutSource", "403", 503, "not_configured"],
    ["N20", "createCheckoutSource", "422", 422, "gateway_refused"],
  ]
  it.each(beforeMoney)(
    "[%s] %s answering %s before the money call: %d %s, and the cart is payable after",
    async (_, operation, fault, status, code) => {
      const cart = await ready()
      harness.simulator.faults.script(operation, [fault, fault])
      const answer = await harness.shop.start(cart.sessionId)
      expect([answer.status, answer.body.code]).toEqual([status, code])
      expect(await timesCharged(harness, cart.cartId)).toBe(0)
      harness.simulator.faults.clear()
      await expectPayable(cart)
    },
  )

  it("[N24] the execution answering 500:after is never called failed and never charged twice", async () => {
    const cart = await ready()
    harness.simulator.faults.script("executeCollection", ["500:after"])
    const { payment } = await expectOk(harness.shop.start(cart.sessionId))
    expect(payment).toMatchObject({ state: "waiting_for_payer", reason: null })
    expect(harness.simulator.handset.pending(cart.digits)).toHaveLength(1)
    harness.simulator.handset.approve(cart.digits)
    expect((await settled(harness, cart.sessionId)).state).toBe("paid")
    const operations = await operationsOf(harness, cart.cartId)
    expect(operations).toHaveLength(1)
    expect(await timesCharged(harness, cart.cartId)).toBe(1)
  })

  it("[B31] an execution that never arrived is told as sending, and as sent once it has", async () => {
    const cart = await ready()
    harness.simulator.faults.script("executeCollection", ["reset"])
    const { payment } = await expectOk(harness.shop.start(cart.sessionId))
    expect(payment).toMatchObject({ state: "waiting_for_payer", prompt: "sending" })
    const told = async () => (await expectOk(harness.shop.status(cart.sessionId))).payment?.prompt
    await until(async () => (await told()) === "sent", "the prompt to be told as sent")
    harness.simulator.handset.approve(cart.digits)
    expect((await settled(harness, cart.sessionId)).state).toBe("paid")
    expect(await timesCharged(harness, cart.cartId)).toBe(1)
  })

  it("[N20] a refused first execution ends the payment with a code, and the next start is a new one", async () => {
    const cart = await ready()
    harness.simulator.faults.script("executeCollection", ["422"])
    const { status, body } = await harness.shop.start(cart.sessionId)
    expect([status, body.code]).toEqual([422, "gateway_refused"])
    expect(body.payment).toMatchObject({ state: "expired" })
    harness.simulator.faults.clear()
    await expectPayable(cart)
  })

  it("[N16] a token that is revoked mid-flight is renewed and the call repeated", async () => {
    const cart = await ready()
    harness.simulator.revokeTokens()
    await expectPayable(cart)
  })

  it("[N17] answers not_configured while the gateway refuses the credentials", async () => {
    const cart = await ready()
    harness.simulator.revokeTokens()
    harness.simulator.faults.script(
      "clientObtainToken",
      Array.from({ length: 4 }, () => "401"),
    )
    const answer = await harness.shop.start(cart.sessionId)
    expect([answer.status, answer.body.code]).toEqual([503, "not_configured"])
    harness.simulator.faults.clear()
    // The failure is remembered for two seconds, then the same session is paid.
    await until(async () => {
      // Who tries so often is told to wait, and that is another test's.
      await harness.sql("delete from mp_bucket")
      return (await harness.shop.start(cart.sessionId)).status === 200
    }, "the credentials taken again")
    harness.simulator.handset.approve(cart.digits)
    expect((await settled(harness, cart.sessionId)).state).toBe("paid")
  })
})
