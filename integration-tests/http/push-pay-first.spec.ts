import { expectPaidInFull, operationsOf, orderOf, settled, timesCharged } from "./support/payments"
import { expectOk, PUSH, walletOf } from "./support/shop"
import { until } from "./support/until"
import { useHarness } from "./support/harness"

const harness = useHarness({ simulator: { speed: 4 } })
/** A wallet and its digits, as the handset knows it. */
function newWallet() {
  const phone = walletOf()
  return { phone, digits: phone.slice(1), hint: phone.slice(-3) }
}

describe("mobile money, pay first", () => {
  it("pays a cart once the shopper approves, and nobody completes it by hand", async () => {
    const { shop, simulator } = harness
    const wallet = newWallet()
    const cartId = await shop.cart({ phone: wallet.phone })
    const total = await shop.total(cartId)
    const sessionId = await shop.session(cartId)
    const { payment: started } = await expectOk(shop.start(sessionId))
    expect(started).toMatchObject({
      id: sessionId,
      state: "waiting_for_payer",
      flow: "push",
      phone_hint: wallet.hint,
      payer_currency: "USD",
      url: null,
      reason: null,
    })
    simulator.handset.approve(wallet.digits)
    const payment = await settled(harness, sessionId)
    expect(payment).toMatchObject({ state: "paid", amount: Math.round(total * 100) / 100 })
    await expectPaidInFull(harness, payment.order_id ?? "", total)
    expect(await timesCharged(harness, cartId)).toBe(1)
    expect(simulator.contractViolations).toEqual([])
  })

  it("keeps what the storefront keeps in `client`, and believes nothing that it wrote", async () => {
    const { shop, simulator } = harness
    const wallet = newWallet()
    const cartId = await shop.cart({ phone: wallet.phone })
    const client = { theme: "dark", state: "paid" }
    const sessionId = await shop.session(cartId, PUSH, { client, state: "paid", other: 1 })
    const shown = async () => {
      const rows = await harness.sql("select data from payment_session where id = $1", [sessionId])
      return rows[0]?.["data"]
    }
    expect(await shown()).toMatchObject({ state: "ready", client })
    await expectOk(shop.start(sessionId))
    simulator.handset.approve(wallet.digits)
    const { reference } = await settled(harness, sessionId)
    expect(await shown()).toMatchObject({ state: "paid", url: null, reference, client })
    const [payment] = await harness.sql("select data from payment where payment_session_id = $1", [
      sessionId,
    ])
    expect(payment?.["data"]).toEqual({ state: "paid", url: null, reference, client })
  })

  it("tells why a payment failed and takes the same source for the next try", async () => {
    const { shop, simulator } = harness
    const wallet = newWallet()
    const cartId = await shop.cart({ phone: wallet.phone })
    const total = await shop.total(cartId)
    const sessionId = await shop.session(cartId)
    await expectOk(shop.start(sessionId))
    simulator.handset.decline(wallet.digits)
    const failed = await settled(harness, sessionId)
    expect(failed).toMatchObject({ state: "failed", reason: "declined", can_retry: true })

    const other = newWallet()
    await expectOk(shop.start(sessionId, { phone: `00${other.digits}` }))
    simulator.handset.approve(other.digits)
    const paid = await settled(harness, sessionId)
    expect(paid).toMatchObject({ state: "paid", phone_hint: other.hint })
    await expectPaidInFull(harness, paid.order_id ?? "", total)
    const [first, second] = await operationsOf(harness, cartId)
    expect(second?.source_id).toBe(first?.source_id)
    expect(second?.reference).not.toBe(first?.reference)
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("says that there is not enough money", async () => {
    const sessionId = await harness.shop.session(await harness.shop.cart())
    await expectOk(harness.shop.start(sessionId, { phone: "+231886123402" }))
    expect(await settled(harness, sessionId)).toMatchObject({
      state: "failed",
      reason: "insufficient_funds",
    })
  })

  it("[B04] charges once for a double click: both starts answer the same payment", async () => {
    const { shop, simulator } = harness
    const wallet = newWallet()
    const cartId = await shop.cart({ phone: wallet.phone })
    const sessionId = await shop.session(cartId)
    const answers = await Promise.all([1, 2, 3, 4].map(() => shop.start(sessionId)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const again = await expectOk(shop.start(sessionId))
    expect(again.payment?.state).toBe("waiting_for_payer")
    expect(simulator.handset.pending(wallet.digits)).toHaveLength(1)
    simulator.handset.approve(wallet.digits)
    expect((await settled(harness, sessionId)).state).toBe("paid")
    expect(await operationsOf(harness, cartId)).toHaveLength(1)
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("answers already_paid to a start on a paid cart", async () => {
    const { shop, simulator } = harness
    const wallet = newWallet()
    const sessionId = await shop.session(await shop.cart({ phone: wallet.phone }))
    await expectOk(shop.start(sessionId))
    simulator.handset.approve(wallet.digits)
    await settled(harness, sessionId)
    const { status, body } = await shop.start(sessionId)
    expect({ status, code: body.code, state: body.payment?.state }).toEqual({
      status: 409,
      code: "already_paid",
      state: "paid",
    })
  })

  it("[B26] places the order of a shopper who approves and never asks again", async () => {
    const { shop, simulator } = harness
    const wallet = newWallet()
    const cartId = await shop.cart({ phone: wallet.phone })
    const total = await shop.total(cartId)
    await expectOk(shop.start(await shop.session(cartId)))
    simulator.handset.approve(wallet.digits)
    await expectPaidInFull(harness, await orderOf(harness, cartId), total)
  })

  it("[N11] finds a payment whose execution answer was cut, and charges once", async () => {
    const cartId = await harness.shop.cart()
    const sessionId = await harness.shop.session(cartId)
    const { payment } = await expectOk(harness.shop.start(sessionId, { phone: "+231886123406" }))
    expect(payment?.state).toBe("waiting_for_payer")
    expect((await settled(harness, sessionId)).state).toBe("paid")
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("[B10] holds money for a person when the source reads another amount", async () => {
    const cartId = await harness.shop.cart()
    const sessionId = await harness.shop.session(cartId)
    await expectOk(harness.shop.start(sessionId, { phone: "+231886123409" }))
    const payment = await settled(harness, sessionId)
    expect(payment).toMatchObject({ state: "under_review", reason: null, order_id: null })
    const [operation] = await operationsOf(harness, cartId)
    expect(operation).toMatchObject({ state: "review", reason: "amount_mismatch" })
    expect(harness.store.output()).toContain(`${operation?.id} needs a review (amount_mismatch)`)
    const again = await harness.shop.start(sessionId)
    expect([again.status, again.body.code]).toEqual([409, "under_review"])
  })

  it("[B06] holds money that completes after FAILED, and never calls the cart paid", async () => {
    const cartId = await harness.shop.cart()
    const sessionId = await harness.shop.session(cartId)
    await expectOk(harness.shop.start(sessionId, { phone: "+231886123407" }))
    // FAILED after 3 s, COMPLETED 60 s later, both divided by the simulator's speed.
    const operation = await until(async () => {
      const [row] = await operationsOf(harness, cartId)
      if (row?.state === "failed") {
        await harness.sql("update mp_operation set next_check_at = now() where id = $1", [row.id])
      }
      return row?.state === "review" ? row : undefined
    }, "the late money in review")
    expect(operation).toMatchObject({ reason: "late_payment", is_duplicate: false })
  })

  it("[B30] executes nothing for another amount than the shopper was told, and then the right one", async () => {
    const { shop, simulator } = harness
    const wallet = newWallet()
    const cartId = await shop.cart({ phone: wallet.phone })
    const total = Math.round((await shop.total(cartId)) * 100) / 100
    const sessionId = await shop.session(cartId)
    const told = { expected_payer_amount: total - 0.01 }
    const { status, body } = await shop.start(sessionId, told)
    expect([status, body.code]).toEqual([409, "quote_changed"])
    expect(body.quote).toMatchObject({ payer_amount: total, payer_currency: "USD" })
    expect(body.payment).toMatchObject({ id: sessionId, state: "ready", reference: null })
    expect(simulator.book.executions().filter(({ phone }) => phone === wallet.digits)).toEqual([])
    expect(simulator.handset.pending(wallet.digits)).toEqual([])

    simulator.faults.script("predictPaymentSourceAmountAndFees", ["503", "503", "503", "503"])
    const dark = await shop.start(sessionId, { expected_payer_amount: total })
    expect([dark.status, dark.body.code]).toEqual([503, "quote_unavailable"])
    expect(simulator.handset.pending(wallet.digits)).toEqual([])
    simulator.faults.clear()

    await expectOk(shop.start(sessionId, { expected_payer_amount: body.quote?.payer_amount }))
    simulator.handset.approve(wallet.digits)
    expect((await settled(harness, sessionId)).state).toBe("paid")
    const [paid, ...others] = await operationsOf(harness, cartId)
    expect(others).toEqual([])
    // What was said stays beside what was charged.
    expect(Number(paid?.quoted_payer_amount)).toBe(total)
    expect(Number(paid?.payer_amount)).toBe(total)
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("answers complete with our sentence, as a cart, while the money is not there", async () => {
    const { shop, simulator } = harness
    const wallet = newWallet()
    const cartId = await shop.cart({ phone: wallet.phone })
    const sessionId = await shop.session(cartId)
    const early = await expectOk(shop.complete(cartId))
    expect(early).toMatchObject({ type: "cart", error: { type: "payment_requires_more_error" } })
    await expectOk(shop.start(sessionId))
    const waiting = await expectOk(shop.complete(cartId))
    expect(waiting.error?.message).toContain("Approve the payment on your phone")
    simulator.handset.approve(wallet.digits)
    expect((await settled(harness, sessionId)).state).toBe("paid")
    const done = await expectOk(shop.complete(cartId))
    expect(done.type).toBe("order")
  })
})
