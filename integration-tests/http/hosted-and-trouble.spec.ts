/**
 * The hosted page, with the order placed once it is paid, whatever the shopper does meanwhile. And a
 * gateway in trouble: nothing is charged twice, nothing that may have landed is called failed, and
 * the cart is paid once the trouble is over.
 */
import { expectPaidInFull, operationsOf, orderOf, settled, timesCharged } from "./support/payments"
import { HOSTED, PUSH, expectOk, walletOf } from "./support/shop"
import { STOREFRONT } from "./support/store-process"
import { until } from "../support/until"
import { useHarness } from "./support/harness"

const harness = useHarness({ simulator: { speed: 20 } })
const approvedByItself = "231886123400"

async function open(cartId: string, body: Record<string, unknown> = {}) {
  const sessionId = await harness.shop.session(cartId, HOSTED)
  const { payment } = await expectOk(harness.shop.start(sessionId, body))
  const [operation] = (await operationsOf(harness, cartId)).slice(-1)
  return { sessionId, payment, sourceId: Number(operation?.source_id) }
}

describe("the hosted page, pay first", () => {
  it("takes mobile money", async () => {
    const cartId = await harness.shop.cart()
    const total = await harness.shop.total(cartId)
    const { sessionId, payment, sourceId } = await open(cartId)
    expect(payment).toMatchObject({ state: "waiting_for_payer", flow: "hosted", reference: null })
    expect(payment?.url).toContain(`${harness.simulator.url}/pay/`)
    harness.simulator.hosted.pay(sourceId, { method: "mobile_money", phone: approvedByItself })
    const paid = await settled(harness, sessionId)
    expect(paid).toMatchObject({ state: "paid", url: null })
    await expectPaidInFull(harness, paid.order_id ?? "", total)
  })

  it("[B26] places the order of a shopper who closes the tab after paying", async () => {
    const cartId = await harness.shop.cart()
    const total = await harness.shop.total(cartId)
    const { sourceId } = await open(cartId)
    harness.simulator.hosted.pay(sourceId, { method: "card" })
    await expectPaidInFull(harness, await orderOf(harness, cartId), total)
  })

  it("[B27] keeps the page payable for a shopper who leaves it and comes back", async () => {
    const cartId = await harness.shop.cart()
    const { sessionId, payment, sourceId } = await open(cartId)
    const { cancelUrl } = harness.simulator.hosted.cancel(sourceId)
    const plainly = new URL(cancelUrl ?? "")
    plainly.search = ""
    for (const address of [cancelUrl ?? "", plainly]) {
      const back = await fetch(address, { redirect: "manual" })
      expect(back.status).toBe(303)
      expect(back.headers.get("location")).toBe(`${STOREFRONT}/?payment_session_id=${sessionId}`)
      const shown = await expectOk(harness.shop.status(sessionId))
      expect(shown.payment).toMatchObject({ state: "waiting_for_payer", reason: null })
      const again = await expectOk(harness.shop.start(sessionId))
      expect(again.payment?.url).toBe(payment?.url)
    }
    expect(await operationsOf(harness, cartId)).toHaveLength(1)
    harness.simulator.hosted.pay(sourceId, { method: "card" })
    expect((await settled(harness, sessionId)).state).toBe("paid")
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("[S03] a forged visit of the success address moves nothing", async () => {
    const cartId = await harness.shop.cart()
    const { sessionId } = await open(cartId, { success_url: `${STOREFRONT}/return` })
    const [row] = await harness.sql<{ return_token: string }>(
      "select return_token from mp_operation where cart_id = $1",
      [cartId],
    )
    const visit = () =>
      fetch(`${harness.shop.url}/merchant-payments/return/${row?.return_token}?result=success`, {
        redirect: "manual",
      })
    const answers = await Promise.all([visit(), visit(), visit()])
    for (const answer of answers) {
      expect(answer.status).toBe(303)
      expect(answer.headers.get("location")).toBe(
        `${STOREFRONT}/return?payment_session_id=${sessionId}`,
      )
    }
    const { payment } = await expectOk(harness.shop.status(sessionId))
    expect(payment?.state).toBe("waiting_for_payer")
    const unknown = await fetch(`${harness.shop.url}/merchant-payments/return/nobody`, {
      redirect: "manual",
    })
    expect(unknown.status).toBe(404)
  })

  it("[B01] lets the cart be edited while the page is open, and closes the old page", async () => {
    const { shop, simulator } = harness
    const cartId = await shop.cart()
    const first = await open(cartId)
    await expectOk(
      shop.call("POST", `/store/carts/${cartId}/line-items`, {
        variant_id: await shop.variant("enamel-mug"),
        quantity: 1,
      }),
    )
    await until(
      async () => simulator.book.document(first.sourceId)?.status === "CANCELED",
      "the old source canceled",
    )
    await until(
      async () => (await operationsOf(harness, cartId)).every(({ state }) => state === "expired"),
      "the old payment ended",
    )
    const total = await shop.total(cartId)
    const second = await open(cartId)
    expect(second.sourceId).not.toBe(first.sourceId)
    expect(() => simulator.hosted.pay(first.sourceId, { method: "card" })).toThrow()
    simulator.hosted.pay(second.sourceId, { method: "card" })
    const paid = await settled(harness, second.sessionId)
    await expectPaidInFull(harness, paid.order_id ?? "", total)
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("[B28] stays one payment however often the storefront posts the session again", async () => {
    const { shop, simulator } = harness
    const cartId = await shop.cart()
    const first = await open(cartId)
    const second = await shop.session(cartId, HOSTED)
    expect(second).not.toBe(first.sessionId)
    const { payment } = await expectOk(shop.start(second))
    expect(payment).toMatchObject({ id: second, url: first.payment?.url })
    // Two at once, as a page does that is drawn twice; each id that was answered goes on answering.
    // Medusa itself may fail one of them, when both delete the session before.
    const posted = [shop.session(cartId, HOSTED), shop.session(cartId, HOSTED)]
    const answered = await Promise.allSettled(posted)
    const both = answered.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))
    expect(both).not.toEqual([])
    const third = await shop.session(cartId, HOSTED)
    for (const id of [first.sessionId, second, ...both, third]) {
      const same = { id, state: "waiting_for_payer", url: first.payment?.url }
      expect((await expectOk(shop.status(id))).payment).toMatchObject(same)
      expect((await expectOk(shop.start(id))).payment).toMatchObject(same)
    }
    const old = await expectOk(shop.status(first.sessionId))
    expect(old.payment).toMatchObject({ id: first.sessionId, state: "waiting_for_payer" })
    simulator.hosted.pay(first.sourceId, { method: "card" })
    expect((await settled(harness, first.sessionId)).state).toBe("paid")
    expect((await settled(harness, second)).state).toBe("paid")
    expect(await operationsOf(harness, cartId)).toHaveLength(1)
  })

  it("[B04] gives the same page to a double click, a second tab and the back button", async () => {
    const { shop, simulator } = harness
    const cartId = await shop.cart()
    const sessionId = await shop.session(cartId, HOSTED)
    const clicks = await Promise.all([shop.start(sessionId), shop.start(sessionId)])
    for (const { status } of clicks) expect(status).toBe(200)
    const { payment } = await until(async () => {
      const answer = await expectOk(shop.start(sessionId))
      return answer.payment?.url ? answer : undefined
    }, "the page's address")
    const again = await expectOk(shop.start(sessionId))
    expect(again.payment?.url).toBe(payment?.url)
    const [operation, ...others] = await operationsOf(harness, cartId)
    expect(others).toEqual([])
    simulator.hosted.pay(Number(operation?.source_id), { method: "card" })
    expect((await settled(harness, sessionId)).state).toBe("paid")
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("is closed when the shopper chooses another way to pay", async () => {
    const { shop, simulator } = harness
    const phone = walletOf()
    const cartId = await shop.cart({ phone })
    const first = await open(cartId)
    const sessionId = await shop.session(cartId, PUSH)
    // Refused while the job is closing the page at that very moment.
    await until(async () => {
      const { status, body } = await shop.start(sessionId)
      if (status !== 409) expect([status, body.payment?.flow]).toEqual([200, "push"])
      else expect(body.code).toBe("payment_in_progress")
      return status === 200
    }, "the prompt goes out")
    expect(simulator.book.document(first.sourceId)?.status).toBe("CANCELED")
    simulator.handset.approve(phone.slice(1))
    expect((await settled(harness, sessionId)).state).toBe("paid")
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("is cancelled on request while nobody pays, and can be started again", async () => {
    const cartId = await harness.shop.cart()
    const { sessionId, sourceId } = await open(cartId)
    const { status, body } = await harness.shop.cancel(sessionId)
    expect(status).toBe(200)
    expect(body.payment).toMatchObject({ state: "expired", reason: "canceled", can_retry: true })
    expect(harness.simulator.book.document(sourceId)?.status).toBe("CANCELED")
    const again = await open(cartId)
    harness.simulator.hosted.pay(again.sourceId, { method: "card" })
    expect((await settled(harness, again.sessionId)).state).toBe("paid")
  })
})

describe("a gateway in trouble", () => {
  afterEach(() => harness.simulator.faults.clear())

  async function ready() {
    const phone = walletOf()
    const cartId = await harness.shop.cart({ phone })
    const sessionId = await harness.shop.session(cartId)
    return { cartId, sessionId, digits: phone.slice(1) }
  }

  it("[B31] shows an execution that never arrived as sending, and as sent once it has", async () => {
    const cart = await ready()
    harness.simulator.faults.script("executeCollection", ["reset"])
    const { payment } = await expectOk(harness.shop.start(cart.sessionId))
    expect(payment).toMatchObject({ state: "waiting_for_payer", prompt: "sending" })
    const prompt = async () => (await expectOk(harness.shop.status(cart.sessionId))).payment?.prompt
    await until(async () => (await prompt()) === "sent", "the prompt reads as sent")
    harness.simulator.handset.approve(cart.digits)
    expect((await settled(harness, cart.sessionId)).state).toBe("paid")
    expect(await timesCharged(harness, cart.cartId)).toBe(1)
  })

  it("[N17] that refuses the credentials makes a start answer not_configured", async () => {
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
      // So many tries are limited, which another test shows.
      await harness.sql("delete from mp_bucket")
      return (await harness.shop.start(cart.sessionId)).status === 200
    }, "the credentials taken again")
    harness.simulator.handset.approve(cart.digits)
    expect((await settled(harness, cart.sessionId)).state).toBe("paid")
  })
})
