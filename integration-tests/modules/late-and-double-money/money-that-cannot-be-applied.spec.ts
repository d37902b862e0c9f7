/**
 * Money that came, and that can't be called the payment of its cart: the gateway's words disagree,
 * or Medusa can't take it. It is never captured, and held for a person under a reason.
 */
import type { Operation } from "../../../src/core/operation"
import { MINUTE, money, SECOND } from "../../support/an-operation"
import { HOSTED } from "../../support/flows-harness"
import { useLateMoney } from "../../support/late-money"

const { harness, checkAfter, payByHand, started, saying } = useLateMoney()

describe("what the gateway says does not agree", () => {
  it("[B08] COMPLETED while the source stays ACTIVE is for a person after 15 minutes", async () => {
    const { operation } = await started()
    harness.simulator.handset.approve(operation.reference ?? "")
    const deps = saying((status) => ({ ...status, status: "ACTIVE" }))
    expect(await checkAfter(operation, 3 * SECOND, deps)).toMatchObject({ state: "in_flight" })
    expect(await checkAfter(operation, 16 * MINUTE, deps)).toMatchObject({
      state: "review",
      reason: "source_disagrees",
      collected: money(1_999),
    })
  })

  it("[B08] declined, and its source paid by hand before the second check, is for a person", async () => {
    harness.simulator.plan({ outcome: "decline", times: 1 })
    const { operation } = await started()
    await checkAfter(operation, SECOND)
    payByHand(operation)
    expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "submitted" })
    expect(await checkAfter(operation, 16 * MINUTE)).toMatchObject({
      state: "review",
      reason: "source_disagrees",
      collected: money(1_999),
    })
  })

  it.each([1_998, 2_000])(
    "[B10] a paid source of %i where 1999 was asked for is never captured",
    async (minor) => {
      const { cart, operation } = await started()
      harness.simulator.handset.approve(operation.reference ?? "")
      const deps = saying((status) => ({ ...status, total: money(minor) }))
      expect(await checkAfter(operation, 3 * SECOND, deps)).toMatchObject({
        state: "review",
        reason: "amount_mismatch",
        // Payer and payee have what was asked for, whatever the source reads.
        collected: money(1_999),
      })
      expect(harness.of(cart.collectionId).completions).toBe(0)
      expect(await eventsOf(operation)).toContainEqual(
        expect.objectContaining({ source_total: `${(minor / 100).toFixed(2)} USD` }),
      )
    },
  )

  it("[B11] another currency on the page is never captured, and said in words", async () => {
    const { cart, operation } = await started(HOSTED)
    payByHand(operation)
    const deps = saying((status) => ({ ...status, total: money(1_999, "LRD") }))
    expect(await checkAfter(operation, 3 * SECOND, deps)).toMatchObject({
      state: "review",
      reason: "currency_mismatch",
      collected: null,
    })
    expect(harness.of(cart.collectionId).completions).toBe(0)
    expect(await eventsOf(operation)).toContainEqual(
      expect.objectContaining({ source_total: "19.99 LRD" }),
    )
  })

  it("[B12] fees on top of the total are the payer's, and no mismatch", async () => {
    await harness.ledger.sql("update mp_account set fee_bearer = 'PAYER'")
    const { operation } = await started()
    harness.simulator.handset.approve(operation.reference ?? "")
    const paid = await checkAfter(operation, 3 * SECOND)
    expect(paid).toMatchObject({ state: "completed", collected: money(1_999) })
    expect(Number(paid.payerAmount)).toBeGreaterThan(19.99)
  })

  async function eventsOf({ id }: Operation): Promise<unknown[]> {
    const rows = await harness.ledger.sql(
      "select facts from mp_operation_event where operation_id = $1 order by seq",
      [id],
    )
    return rows.map(({ facts }) => facts)
  }
})

describe("money that Medusa can't take", () => {
  async function paidWith(change: (collectionId: string) => void): Promise<Operation> {
    const { cart, operation } = await started()
    harness.simulator.handset.approve(operation.reference ?? "")
    change(cart.collectionId)
    const after = await checkAfter(operation, 3 * SECOND)
    expect(harness.of(cart.collectionId).completions).toBe(0)
    return after
  }

  it("[B05] is stranded when its session was deleted", async () => {
    const waiting = await paidWith((id) => void (harness.of(id).sessions = []))
    expect(await checkAfter(waiting, MINUTE)).toMatchObject({
      state: "review",
      reason: "session_gone",
      collected: money(1_999),
    })
  })

  it("[B29] is stranded when the order was cancelled", async () => {
    const canceled = (id: string) =>
      void (harness.of(id).order = { id: "order_canceled", isCanceled: true })
    expect(await paidWith(canceled)).toMatchObject({ state: "review", reason: "order_canceled" })
  })

  it("[B02] is stranded when the cart has another total", async () => {
    expect(await paidWith((id) => void (harness.of(id).total = "24.99"))).toMatchObject({
      state: "review",
      reason: "cart_changed",
    })
  })

  it("[B15] is stranded when another provider's payment has paid the cart", async () => {
    const other = {
      sessionId: "payses_other",
      isCaptured: true,
      isCanceled: false,
      isInOrder: true,
    }
    expect(await paidWith((id) => void harness.of(id).payments.push(other))).toMatchObject({
      state: "review",
      reason: "another_payment",
    })
  })
})
