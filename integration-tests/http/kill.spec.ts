import { expectPaidInFull, operationsOf, orderOf, timesCharged } from "./support/payments"
import { HOSTED, expectOk, walletOf } from "./support/shop"
import { until } from "./support/until"
import { useWorld } from "./support/world"

const world = useWorld()

describe("kill -9 of the store", () => {
  it("[P04] while a prompt is out: the order completes after the restart, charged once", async () => {
    const phone = walletOf()
    const cartId = await world.shop.cart({ phone })
    const total = await world.shop.total(cartId)
    await expectOk(world.shop.start(await world.shop.session(cartId)))
    await world.store.kill("SIGKILL")
    world.simulator.handset.approve(phone.slice(1))
    await world.restart()
    await expectPaidInFull(world, await orderOf(world, cartId), total)
    expect(await timesCharged(world, cartId)).toBe(1)
  })

  it("[P04] during the execution call: its answer is lost, the charge is found", async () => {
    const phone = walletOf()
    const cartId = await world.shop.cart({ phone })
    const total = await world.shop.total(cartId)
    const sessionId = await world.shop.session(cartId)
    world.simulator.plan({ phone: phone.slice(1), outcome: "approve" })
    world.simulator.faults.script("executeCollection", ["hang:after"])
    const before = world.simulator.calls["executeCollection"] ?? 0
    const started = world.shop.start(sessionId).catch(() => undefined)
    await until(
      async () => (world.simulator.calls["executeCollection"] ?? 0) > before,
      "the execution call at the gateway",
    )
    await world.restart()
    await started
    // The dead process held the row for two minutes; an operator would wait, the test moves the
    // clock.
    await world.sql("update mp_operation set lease_until = now() where cart_id = $1", [cartId])
    await expectPaidInFull(world, await orderOf(world, cartId), total)
    expect(await operationsOf(world, cartId)).toHaveLength(1)
    expect(await timesCharged(world, cartId)).toBe(1)
  })

  it("[P06] after the payment page was paid: the order is there after the restart", async () => {
    const cartId = await world.shop.cart()
    const total = await world.shop.total(cartId)
    await expectOk(world.shop.start(await world.shop.session(cartId, HOSTED)))
    const [operation] = await operationsOf(world, cartId)
    await world.store.kill("SIGKILL")
    world.simulator.hosted.pay(Number(operation?.source_id), { method: "card" })
    await world.restart()
    await expectPaidInFull(world, await orderOf(world, cartId), total)
    expect(await timesCharged(world, cartId)).toBe(1)
  })
})
