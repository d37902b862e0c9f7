import { expectPaidInFull, operationsOf, orderOf, timesCharged } from "./support/payments"
import { HOSTED, expectOk, walletOf } from "./support/shop"
import { until } from "./support/until"
import { useHarness } from "./support/harness"

const harness = useHarness()

describe("kill -9 of the store", () => {
  it("[P04] while a prompt is out: the order completes after the restart, charged once", async () => {
    const phone = walletOf()
    const cartId = await harness.shop.cart({ phone })
    const total = await harness.shop.total(cartId)
    await expectOk(harness.shop.start(await harness.shop.session(cartId)))
    await harness.store.kill("SIGKILL")
    harness.simulator.handset.approve(phone.slice(1))
    await harness.restart()
    await expectPaidInFull(harness, await orderOf(harness, cartId), total)
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("[P04] during the execution call: its answer is lost, the charge is found", async () => {
    const phone = walletOf()
    const cartId = await harness.shop.cart({ phone })
    const total = await harness.shop.total(cartId)
    const sessionId = await harness.shop.session(cartId)
    harness.simulator.plan({ phone: phone.slice(1), outcome: "approve" })
    harness.simulator.faults.script("executeCollection", ["hang:after"])
    const before = harness.simulator.calls["executeCollection"] ?? 0
    const started = harness.shop.start(sessionId).catch(() => undefined)
    await until(
      async () => (harness.simulator.calls["executeCollection"] ?? 0) > before,
      "the execution call at the gateway",
    )
    await harness.restart()
    await started
    // The dead process held the row for two minutes; an operator would wait, the test moves the
    // clock.
    await harness.sql("update mp_operation set lease_until = now() where cart_id = $1", [cartId])
    await expectPaidInFull(harness, await orderOf(harness, cartId), total)
    expect(await operationsOf(harness, cartId)).toHaveLength(1)
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("[P06] after the payment page was paid: the order is there after the restart", async () => {
    const cartId = await harness.shop.cart()
    const total = await harness.shop.total(cartId)
    await expectOk(harness.shop.start(await harness.shop.session(cartId, HOSTED)))
    const [operation] = await operationsOf(harness, cartId)
    await harness.store.kill("SIGKILL")
    harness.simulator.hosted.pay(Number(operation?.source_id), { method: "card" })
    await harness.restart()
    await expectPaidInFull(harness, await orderOf(harness, cartId), total)
    expect(await timesCharged(harness, cartId)).toBe(1)
  })
})

// Last: it starts no other store.
describe("an orderly end of the store", () => {
  it("[M07] takes its sign of life with it, so the next process is alone", async () => {
    const workers = async () =>
      (await harness.sql<{ id: string }>("select id from mp_worker")).map(({ id }) => id)
    const own = `:${String(harness.store.process.pid)}:`
    await until(async () => (await workers()).some((id) => id.includes(own)), "a sign of life")
    await harness.store.kill("SIGTERM")
    expect((await workers()).filter((id) => id.includes(own))).toEqual([])
  })
})
