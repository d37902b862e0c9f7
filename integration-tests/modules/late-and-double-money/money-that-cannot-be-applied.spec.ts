/**
 * Money that came and can't be called the payment of its cart, because the gateway's answers
 * disagree or Medusa can't take it. It is never captured, and waits for an admin under a reason.
 */
import type { Operation } from "../../../src/core/operation"
import { MINUTE, money, SECOND } from "../../support/an-operation"
import { HOSTED } from "../../support/flows-harness"
import { useLateMoney } from "../../support/late-money"
import type { Cart } from "../../support/medusa-in-memory"

const { harness, checkAfter, payByHand, started, saying } = useLateMoney()

describe("money about which the gateway's answers disagree", () => {
  it("[B08] goes to review after 15 minutes in which the execution is COMPLETED and the source ACTIVE", async () => {
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

  it("[B08] goes to review when it was declined and its source paid by hand before the second check", async () => {
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
    "[B10] is never captured when 1999 was asked for and the paid source reads %i",
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

  it("[B11] is never captured when the page was paid in another currency, which the event names", async () => {
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

  it("[B12] is completed when the payer bears fees on top of the total, which are no mismatch", async () => {
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

it.each<[string, string, (cart: Cart) => unknown]>([
  ["the total of its cart has changed", "cart_changed", (cart) => (cart.total = "24.99")],
  [
    "another provider's payment has paid its cart",
    "another_payment",
    ({ payments }) =>
      payments.push({
        sessionId: "payses_other",
        isCaptured: true,
        isCanceled: false,
        isInOrder: true,
      }),
  ],
])("[B02] [B15] money goes to review uncaptured when %s", async (_, reason, change) => {
  const { cart, operation } = await started()
  harness.simulator.handset.approve(operation.reference ?? "")
  const medusa = harness.of(cart.collectionId)
  change(medusa)
  expect(await checkAfter(operation, 3 * SECOND)).toMatchObject({ state: "review", reason })
  expect(medusa.completions).toBe(0)
})
