/**
 * Mobile money, with the order placed once it is paid: the shopper's steps, and the events that
 * pages read. Then the store's process ends, in order and by SIGKILL: the next process brings each
 * payment to its end, charged once, and each open page sees it.
 */
import { readEvents, type EventReader, type StatusEvent } from "./support/event-reader"
import { openKitPage } from "./support/kit-pages"
import { expectPaidInFull, operationsOf, orderOf, settled, timesCharged } from "./support/payments"
import { HOSTED, PUSH, expectOk, walletOf } from "./support/shop"
import { until } from "../support/until"
import { useHarness } from "./support/harness"

const harness = useHarness({ simulator: { speed: 4 } })
/** Of one payment. */
const PAGES = 15
const ENDS = ["paid", "failed", "expired", "under_review"]

/** A wallet and its digits, as the handset knows it. */
function newWallet() {
  const phone = walletOf()
  return { phone, digits: phone.slice(1), hint: phone.slice(-3) }
}

function watch(sessionId: string, headers: Record<string, string> = {}): Promise<EventReader> {
  const { url, publishableKey } = harness.store
  return readEvents(`${url}/store/merchant-payments/sessions/${sessionId}/events`, {
    "x-publishable-api-key": publishableKey,
    "accept-encoding": "gzip",
    ...headers,
  })
}

/** All that comes until the server ends the stream. */
async function rest(reader: EventReader): Promise<StatusEvent[]> {
  const events: StatusEvent[] = []
  for (let event = await reader.next(); event; event = await reader.next()) events.push(event)
  return events
}

async function readied() {
  const { phone, digits } = newWallet()
  const cartId = await harness.shop.cart({ phone })
  const total = await harness.shop.total(cartId)
  return { cartId, total, sessionId: await harness.shop.session(cartId), digits }
}

async function startedPayment() {
  const payment = await readied()
  await expectOk(harness.shop.start(payment.sessionId))
  return payment
}

describe("mobile money, pay first", () => {
  it("pays a cart and completes it once the shopper approves", async () => {
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
    const { status, body } = await shop.start(sessionId)
    expect({ status, code: body.code, state: body.payment?.state }).toEqual({
      status: 409,
      code: "already_paid",
      state: "paid",
    })
    expect(await timesCharged(harness, cartId)).toBe(1)
    expect(simulator.contractViolations).toEqual([])
  })

  it("keeps the storefront's `client` data, and believes nothing else that it wrote", async () => {
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

  it("shows why a payment failed, and uses the same source for the next try", async () => {
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

  it("[B30] executes nothing for another amount than the quoted one, and then the right one", async () => {
    const { shop, simulator } = harness
    const wallet = newWallet()
    const cartId = await shop.cart({ phone: wallet.phone })
    const total = Math.round((await shop.total(cartId)) * 100) / 100
    const sessionId = await shop.session(cartId)
    const quoted = { expected_payer_amount: total - 0.01 }
    const { status, body } = await shop.start(sessionId, quoted)
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
    // The quoted amount is stored next to the charged one.
    expect(Number(paid?.quoted_payer_amount)).toBe(total)
    expect(Number(paid?.payer_amount)).toBe(total)
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("answers complete with a sentence for the shopper while the money is not there", async () => {
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

describe("STATUS as events", () => {
  it("have the status at once, each change once, and end with the payment", async () => {
    const phone = walletOf()
    const sessionId = await harness.shop.session(await harness.shop.cart({ phone }))
    const reader = await watch(sessionId)
    expect(reader.status).toBe(200)
    expect(reader.headers.get("content-type")).toBe("text/event-stream; charset=utf-8")
    expect(reader.headers.get("content-encoding")).toBeNull()
    expect((await reader.next())?.payment).toMatchObject({ id: sessionId, state: "ready" })
    await expectOk(harness.shop.start(sessionId))
    const waiting = await reader.next()
    expect(waiting?.payment).toMatchObject({ id: sessionId, state: "waiting_for_payer" })
    harness.simulator.handset.approve(phone.slice(1))
    const events = await rest(reader)
    expect(events.at(-1)?.payment).toMatchObject({ id: sessionId, state: "paid" })
    const ids = [waiting, ...events].map((event) => event?.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect((await settled(harness, sessionId)).order_id).toBe(events.at(-1)?.payment.order_id)
  })

  it("reach every page of the payment, without what a page already knows", async () => {
    const { sessionId, digits } = await startedPayment()
    const first = await watch(sessionId)
    const sent = await until(async () => {
      const event = await first.next()
      return event?.payment.prompt === "sent" ? event : undefined
    }, "the prompt is on the phone")
    const back = await watch(sessionId, { "last-event-id": sent.id })
    harness.simulator.handset.decline(digits)
    const told = await Promise.all([rest(first), rest(back)])
    for (const events of told) {
      expect(events.map(({ id }) => id)).not.toContain(sent.id)
      expect(events.at(-1)?.payment).toMatchObject({ state: "failed", reason: "declined" })
    }
  })

  it("are refused for an unknown session, as STATUS is", async () => {
    const reader = await watch("payses_01NONE0000000000000000000")
    expect(reader.status).toBe(404)
    expect(reader.headers.get("content-type")).toContain("application/json")
  })
})

describe("an orderly end of the store", () => {
  const workers = async () =>
    (
      await harness.sql<{ id: string }>(
        "select id from mp_worker where seen_at > now() - interval '30 s'",
      )
    ).map(({ id }) => id)

  it("[M07] removes its sign of life and ends its streams, and the next process goes on", async () => {
    const { sessionId, digits } = await startedPayment()
    const reader = await watch(sessionId)
    expect((await reader.next())?.payment.state).toBe("waiting_for_payer")
    const own = `:${String(harness.store.process.pid)}:`
    await until(async () => (await workers()).some((id) => id.includes(own)), "a sign of life")
    const [, events] = await Promise.all([harness.store.kill("SIGTERM"), rest(reader)])
    expect((await workers()).filter((id) => id.includes(own))).toEqual([])
    expect(events.map(({ payment }) => payment.state)).not.toContain("failed")
    await harness.restart()
    const again = await watch(sessionId)
    harness.simulator.handset.approve(digits)
    expect((await rest(again)).at(-1)?.payment.state).toBe("paid")
  })
})

describe("kill -9 of the store", () => {
  type Killed = Awaited<ReturnType<typeof killedAmidAll>>
  let killed: Killed

  /** All that may be under way, killed at once; what was open is paid while no store is there. */
  async function killedAmidAll() {
    const { shop, simulator } = harness
    const open = ({ sessionId }: { sessionId: string }) =>
      Promise.all(Array.from({ length: PAGES }, () => openKitPage(harness, sessionId)))
    const [approved, declined] = [await startedPayment(), await startedPayment()]
    const [paid, failed] = [await open(approved), await open(declined)]
    const prompted = await startedPayment()

    const pageCart = await shop.cart()
    const page = { cartId: pageCart, total: await shop.total(pageCart) }
    await expectOk(shop.start(await shop.session(pageCart, HOSTED)))
    const [pageOperation] = await operationsOf(harness, pageCart)

    const unanswered = await readied()
    simulator.plan({ phone: unanswered.digits, outcome: "approve" })
    simulator.faults.script("executeCollection", ["hang:after"])
    const before = simulator.calls["executeCollection"] ?? 0
    const started = shop.start(unanswered.sessionId).catch(() => undefined)
    await until(
      async () => (simulator.calls["executeCollection"] ?? 0) > before,
      "the execution call at the gateway",
    )
    await harness.store.kill("SIGKILL")
    await started
    simulator.handset.approve(prompted.digits)
    simulator.handset.approve(approved.digits)
    simulator.handset.decline(declined.digits)
    simulator.hosted.pay(Number(pageOperation?.source_id), { method: "card" })
    const sawItGo = async () => [...paid, ...failed].every(({ told }) => told.includes("no_answer"))
    await until(sawItGo, "each page has asked a store that is not there")
    await harness.restart()
    return { paid, failed, prompted, page, unanswered }
  }

  beforeAll(async () => {
    killed = await killedAmidAll()
  })

  it("[P04] under open pages lets each page of the kit see the payment's end", async () => {
    const { paid, failed } = killed
    for (const [group, end] of [[paid, "paid"] as const, [failed, "failed"] as const]) {
      await until(async () => group.every(({ told }) => told.includes(end)), `all see ${end}`)
      const others = ENDS.filter((state) => state !== end)
      expect(group.flatMap(({ told }) => told).filter((state) => others.includes(state))).toEqual(
        [],
      )
      expect(group.map(({ told }) => told.at(-1))).toEqual(group.map(() => end))
      for (const page of group) page.leave()
    }
  })

  it("[P04] while a prompt is out lets the order complete after the restart, charged once", async () => {
    const { cartId, total } = killed.prompted
    await expectPaidInFull(harness, await orderOf(harness, cartId), total)
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("[P04] during the execution call loses the answer, and the charge is found", async () => {
    const { cartId, total } = killed.unanswered
    // The dead process held the row for two minutes; an operator would wait, the test moves the
    // clock.
    await harness.sql("update mp_operation set lease_until = now() where cart_id = $1", [cartId])
    await expectPaidInFull(harness, await orderOf(harness, cartId), total)
    expect(await operationsOf(harness, cartId)).toHaveLength(1)
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("[P06] after the payment page was paid leaves the order to the next process", async () => {
    const { cartId, total } = killed.page
    await expectPaidInFull(harness, await orderOf(harness, cartId), total)
    expect(await timesCharged(harness, cartId)).toBe(1)
  })
})
