/**
 * An account that sets who bears the fees: its sources are made document first, with the cart's
 * lines and quantities, for a party that is made once.
 */
import { checkNow } from "../../../src/worker/check-due-operations"
import { startPayment } from "../../../src/checkout/start-payment"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { ITEMS, sorted, useDocumentFirst } from "../../support/document-first"
import { HOSTED, PHONE } from "../../support/flows-harness"

const its = useDocumentFirst()

describe("a source that is made document first", () => {
  it("[B12] has the cart's lines with their quantities; the fees come on top", async () => {
    const { collectionId, sessionId } = its.harness.cart()
    expect(await its.start(sessionId)).toMatchObject({ state: "waiting_for_payer", amount: 19.99 })
    const source = await its.paid(collectionId)
    expect(source).toMatchObject({ feeBearer: "PAYER", hostedPath: null, type: "ORDER" })
    expect(sorted(source.lines)).toEqual(ITEMS)
    const [execution] = its.harness.simulator.book.executionsOf(source.id)
    expect(Number(execution?.payerAmount)).toBeGreaterThan(19.99)
    expect(execution?.payeeAmount).toBe("19.99")
    expect((await its.harness.shown(collectionId)).payerAmount).toBe(execution?.payerAmount)
  })

  it("[B12] has the fees taken off the shop's money when the shop bears them", async () => {
    await its.bearer("PAYEE")
    const { collectionId, sessionId } = its.harness.cart()
    await its.start(sessionId)
    const source = await its.paid(collectionId)
    expect(source.feeBearer).toBe("PAYEE")
    const [execution] = its.harness.simulator.book.executionsOf(source.id)
    expect(execution?.payerAmount).toBe("19.99")
    expect(Number(execution?.payeeAmount)).toBeLessThan(19.99)
  })

  it("has its page for a hosted payment", async () => {
    const { collectionId, sessionId } = its.harness.cart(HOSTED)
    const status = await its.start(sessionId)
    const { sourceId } = await its.harness.shown(collectionId)
    const path = its.harness.simulator.book.document(sourceId ?? 0)?.hostedPath ?? "none"
    expect(status).toMatchObject({
      state: "waiting_for_payer",
      url: `${its.harness.simulator.url}${path}`,
    })
    its.harness.simulator.hosted.pay(sourceId ?? 0, { method: "card" })
    const { id } = await its.harness.shown(collectionId)
    await its.harness.pass(id, 3 * SECOND)
    await checkNow(its.harness.deps, id)
    expect(sorted((await its.expectPaidOnce(collectionId)).lines)).toEqual(ITEMS)
  })

  it("is closed when the time to pay ends, because a document has no end by itself", async () => {
    const { collectionId, sessionId } = its.harness.cart(HOSTED)
    await its.start(sessionId)
    const { id, sourceId } = await its.harness.shown(collectionId)
    await its.harness.pass(id, 61 * MINUTE)
    await checkNow(its.harness.deps, id)
    expect(await its.harness.shown(collectionId)).toMatchObject({
      state: "expired",
      reason: "window_closed",
    })
    expect(its.harness.simulator.book.document(sourceId ?? 0)?.status).toBe("CANCELED")
  })

  it("can be an invoice, due at the end of the time to pay", async () => {
    await its.harness.ledger.sql("update mp_account set source_kind = 'INVOICE'")
    try {
      const { collectionId, sessionId } = its.harness.cart()
      await its.start(sessionId)
      expect(await its.paid(collectionId)).toMatchObject({ type: "INVOICE", feeBearer: "PAYER" })
    } finally {
      await its.harness.ledger.sql("update mp_account set source_kind = 'ORDER'")
    }
  })

  it("isn't made for a number that no operator serves", async () => {
    const { collectionId, sessionId } = its.harness.cart()
    its.harness.simulator.resetCalls()
    const phone = "+231555000042"
    const started = startPayment(its.flows(), { sessionId, phone, customerId: undefined })
    expect(await codeOf(started)).toBe("operator_unknown")
    expect(await its.documentsOf(collectionId)).toEqual([])
    expect(its.harness.simulator.calls).not.toHaveProperty("createParty")
  })

  it("is taken over by the next attempt after a failure, but not for another fee bearer", async () => {
    const cart = its.harness.cart()
    const fail = async () => {
      its.harness.simulator.plan({ outcome: "decline", times: 1 })
      await its.start(cart.sessionId)
      const { id } = await its.harness.shown(cart.collectionId)
      await its.harness.pass(id, SECOND)
      await checkNow(its.harness.deps, id)
      await its.harness.pass(id, 6 * SECOND)
      await checkNow(its.harness.deps, id)
      const failed = await its.harness.shown(cart.collectionId)
      expect(failed.state).toBe("failed")
      return failed.sourceId
    }
    const first = await fail()
    expect(await fail()).toBe(first)
    await its.bearer("PAYEE")
    await its.start(cart.sessionId)
    const source = await its.paid(cart.collectionId)
    expect(source).toMatchObject({ feeBearer: "PAYEE" })
    expect(source.id).not.toBe(first)
  })
})

describe("the shopper at the gateway", () => {
  const timesMade = () => {
    const { createParty = 0, createCounterparty = 0 } = its.harness.simulator.calls
    return [createParty, createCounterparty]
  }
  const madeBy = async (work: () => Promise<unknown>) => {
    its.harness.simulator.resetCalls()
    await work()
    return timesMade()
  }
  const register = (collectionId: string, customerId: string) => {
    const cart = its.harness.of(collectionId)
    cart.sessions = cart.sessions.map((one) => ({ ...one, registeredCustomerId: customerId }))
  }

  it("is made once for a registered customer, and for a guest once a cart", async () => {
    const [first, second, third] = [its.harness.cart(), its.harness.cart(), its.harness.cart()]
    register(first.collectionId, "cus_1")
    register(second.collectionId, "cus_1")
    expect(await madeBy(() => its.start(first.sessionId, its.flows(), "cus_1"))).toEqual([1, 1])
    expect(await madeBy(() => its.start(second.sessionId, its.flows(), "cus_1"))).toEqual([0, 0])
    expect(await madeBy(() => its.start(third.sessionId))).toEqual([1, 1])
    const { partyId } = await its.harness.shown(first.collectionId)
    expect((await its.harness.shown(second.collectionId)).partyId).toBe(partyId)
    expect((await its.harness.shown(third.collectionId)).partyId).not.toBe(partyId)
    await its.paid(second.collectionId)
  })

  it("is one record even if two carts begin at the same moment", async () => {
    const carts = [its.harness.cart(), its.harness.cart()]
    for (const { collectionId } of carts) register(collectionId, "cus_2")
    await Promise.all(carts.map(({ sessionId }) => its.start(sessionId, its.flows(), "cus_2")))
    const kept = await its.harness.ledger.sql(
      "select party_id from mp_party where customer_id = 'cus_2'",
    )
    expect(kept).toHaveLength(1)
    for (const { collectionId } of carts) {
      expect((await its.harness.shown(collectionId)).partyId).toBe(Number(kept[0]?.["party_id"]))
      await its.paid(collectionId)
    }
  })

  const phoneBilled = async (collectionId: string) =>
    (await its.documentsOf(collectionId)).at(-1)?.partyPhone

  it("is another record for another number, so no customer is billed under an earlier number", async () => {
    const [before, after] = [its.harness.cart(HOSTED), its.harness.cart(HOSTED)]
    register(before.collectionId, "cus_4")
    register(after.collectionId, "cus_4")
    const start = (sessionId: string, phone: string) =>
      startPayment(its.flows(), { sessionId, phone, customerId: "cus_4" })
    await start(before.sessionId, "+231770000043")
    await start(after.sessionId, "+231770000044")
    expect(await phoneBilled(before.collectionId)).toBe("231770000043")
    expect(await phoneBilled(after.collectionId)).toBe("231770000044")
  })

  it("is a separate record for each of two numbers that begin at the same moment", async () => {
    const numbers = ["231770000045", "231770000046"]
    const carts = numbers.map((digits) => ({ digits, ...its.harness.cart(HOSTED) }))
    for (const { collectionId } of carts) register(collectionId, "cus_5")
    await Promise.all(
      carts.map(({ sessionId, digits }) =>
        startPayment(its.flows(), { sessionId, phone: `+${digits}`, customerId: "cus_5" }),
      ),
    )
    for (const { collectionId, digits } of carts) {
      expect(await phoneBilled(collectionId)).toBe(digits)
    }
  })

  it("[B23] is made again when the kept ids are a stranger's, as after a change of the base address", async () => {
    const [own, strangers] = [its.harness.cart(HOSTED), its.harness.cart(HOSTED)]
    register(own.collectionId, "cus_6")
    await startPayment(its.flows(), { sessionId: strangers.sessionId, phone: "+231770000047" })
    await its.harness.ledger.sql(
      `insert into mp_party (id, account_id, customer_id, party_id, counterparty_id)
       select 'mpparty_stale', account_id, 'cus_6', party_id, counterparty_id
         from mp_party where cart_id = $1`,
      [`cart_${strangers.collectionId}`],
    )
    await its.start(own.sessionId, its.flows(), "cus_6")
    expect(await phoneBilled(own.collectionId)).toBe(PHONE.slice(1))
  })

  it("[B23] is made again when the kept one is another merchant's", async () => {
    const [before, after] = [its.harness.cart(), its.harness.cart()]
    register(before.collectionId, "cus_3")
    register(after.collectionId, "cus_3")
    await its.start(before.sessionId, its.flows(), "cus_3")
    const strange = 999_999
    await its.harness.ledger.sql(
      "update mp_party set party_id = $1, counterparty_id = $1 where customer_id = 'cus_3'",
      [strange],
    )
    expect(await madeBy(() => its.start(after.sessionId, its.flows(), "cus_3"))).toEqual([1, 1])
    await its.paid(after.collectionId)
    const [kept] = await its.harness.ledger.sql(
      "select party_id from mp_party where customer_id = 'cus_3'",
    )
    expect(Number(kept?.["party_id"])).toBe((await its.harness.shown(after.collectionId)).partyId)
  })

  it("[B23] is made again when no document can be made out to the kept one", async () => {
    const [before, after] = [its.harness.cart(), its.harness.cart()]
    register(before.collectionId, "cus_7")
    register(after.collectionId, "cus_7")
    await its.start(before.sessionId, its.flows(), "cus_7")
    its.harness.simulator.faults.script("createOrder", ["422:text"])
    expect(await madeBy(() => its.start(after.sessionId, its.flows(), "cus_7"))).toEqual([1, 1])
    await its.paid(after.collectionId)
  })
})
