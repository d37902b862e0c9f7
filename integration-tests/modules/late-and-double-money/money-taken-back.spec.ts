/**
 * [B07] An operator takes money back after the gateway said COMPLETED: the money counts as gone on
 * the day on which that is known, and nothing is sent back for it a second time.
 */
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Gateway } from "../../../src/gateway"
import type { Account } from "../../../src/ledger/accounts/find-accounts"
import type { PeriodTotals } from "../../../src/reconciliation/schemas/reconciliation"
import { said } from "../../support/said"
import { receiptDocument } from "../../../src/papers/receipt-document"
import { sumsOf } from "../../../src/core/movements"
import { findMovements, readSlices } from "../../../src/reconciliation/sql/movements"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { totalsOf } from "../../../src/review/list-totals"
import { resolveOperation } from "../../../src/review/resolve"
import { findListed } from "../../../src/review/sql/list-operations"
import { statusOf } from "../../../src/checkout/rules/status"
import { DAY, HOUR } from "../../../src/core/limits/time"
import { useReconcileHarness } from "../../support/reconcile-harness"

const { harness, differences, reread, paid } = useReconcileHarness()

/** The execution of every payment reads so, one word an answer; the last one stays. */
function saying(...words: readonly string[]): FlowDeps {
  const own = harness.gateway
  let asked = 0
  const gateway = {
    ...own,
    status: {
      ...own.status,
      async collection(...given: Parameters<typeof own.status.collection>) {
        const outcome = await own.status.collection(...given)
        const status = words[Math.min(asked++, words.length - 1)] ?? ""
        return outcome.kind === "done"
          ? { ...outcome, value: { ...outcome.value, status } }
          : outcome
      },
    },
  } as Gateway
  return { ...harness.deps, gatewayOf: () => gateway }
}

/** What the comparison finds while the payment's document reads REVERSED, too. */
function differencesOfSource({ sourceId }: Operation, deps: FlowDeps) {
  const gateway = deps.gatewayOf({} as Account) as Gateway
  const { orders } = gateway
  const reversed = {
    ...gateway,
    orders: {
      ...orders,
      stream: (...[filter, take, how]: Parameters<typeof orders.stream>) =>
        orders.stream(
          filter,
          (batch) =>
            take(
              batch.map((one) =>
                one.id === sourceId ? { ...one, status: said("REVERSED") } : one,
              ),
            ),
          how,
        ),
    },
  } as Gateway
  return differences({ ...deps, gatewayOf: () => reversed })
}

/** Lets a day pass for what was asked, so that the next comparison asks again. */
const tomorrow = () =>
  harness.ledger.sql(
    "update mp_operation set checked_at = checked_at - interval '1 day' where state = 'completed'",
  )

const attentionOf = async ({ id }: Operation) =>
  (await findListed(harness.deps.database, id))?.attention

async function dismiss(deps: FlowDeps, { id }: Operation): Promise<void> {
  const given = {
    operationId: id,
    note: "settled",
    adminId: "user_ada",
    action: "dismiss",
  } as const
  await resolveOperation(deps, given)
}

const around = () => [new Date(Date.now() - HOUR), new Date(Date.now() + HOUR)] as const

async function homeSums() {
  return sumsOf(await readSlices(harness.deps.database, around())).find(
    ({ currency }) => currency === "USD",
  )
}

describe("money that its operator took back", () => {
  it("is a movement of its own, and lowers what is left on Home, in the list and in the sheet", async () => {
    const { operation } = await paid()
    const before = await homeSums()
    await differences(saying("REVERSED"))
    const now = await reread(operation)
    expect(now).toMatchObject({ state: "completed", takenBackAt: expect.any(Date) as Date })
    const after = await homeSums()
    expect(after).toMatchObject({
      received: before?.received,
      takings_back: 1,
      taken_back: "-19.99",
    })
    expect(Number(before?.net) - Number(after?.net)).toBeCloseTo(19.99)
    const [total] = (await totalsOf(harness.deps.database, { currency: "USD" })) ?? []
    expect(total?.taken_back).toEqual({ count: 1, amount: "19.99" })
    expect(Number(total?.net_after_refunds)).toBeCloseTo(Number(after?.net))
    const [from, until] = around()
    const kinds: string[] = []
    for await (const page of findMovements(harness.deps.database, { from, until })) {
      const own = page.filter(({ operationId }) => operationId === operation.id)
      kinds.push(...own.map(({ kind, minor }) => `${kind} ${String(minor)}`))
    }
    expect(kinds).toEqual(expect.arrayContaining(["payment 1999", "taken_back -1999"]))
    const link = { money: "taken_back", movedFrom: from, movedTo: until } as const
    expect(await totalsOf(harness.deps.database, link)).toMatchObject([
      { taken_back: { count: 1, amount: "19.99" } },
    ])
  })

  it("lowers the net of the month in which that is known, whose list has its row", async () => {
    const { operation } = await paid()
    await differences(saying("REVERSED"))
    const before = new Date(Date.now() - 40 * DAY)
    await harness.ledger.sql("update mp_operation set money_at = $2 where id = $1", [
      operation.id,
      before,
    ])
    const [movedFrom, movedTo] = around()
    const types = ["COLLECTION", "REFUND"] as const
    const after = await totalsOf(harness.deps.database, { types, movedFrom, movedTo })
    const home = await homeSums()
    expect(Number(home?.taken_back)).toBeLessThan(0)
    expect(after?.map(({ net_after_refunds: net }) => net)).toEqual([home?.net])
    const earlier = { types, movedFrom: new Date(0), movedTo: new Date(before.getTime() + HOUR) }
    expect(await totalsOf(harness.deps.database, earlier)).toMatchObject([
      { payments: { count: 1 }, taken_back: { count: 0, amount: "0.00" } },
    ])
  })

  it("stands in the shopper's status and on the customer's receipt as gone", async () => {
    const { operation } = await paid()
    await differences(saying("REVERSED"))
    expect(statusOf(await reread(operation))).toMatchObject({
      state: "paid",
      returned_amount: 19.99,
    })
    const receipt = receiptDocument({
      shop: null,
      timeZone: "UTC",
      order: undefined,
      operations: [{ operation: await reread(operation), receipt: null, transactionId: null }],
      isErased: false,
      labelOf: () => null,
    })
    expect(receipt?.refunds).toMatchObject([{ state: "taken_back", amount: { value: "19.99" } }])
    expect(receipt?.refunded).toMatchObject({ value: "19.99" })
  })

  it("is not sent again when its order is refunded or cancelled", async () => {
    const { operation } = await paid()
    await differences(saying("REVERSED"))
    const asked = {
      operationId: operation.id,
      medusaAmount: "19.99",
      capturedAmount: "19.99",
      medusaRefundId: null,
      askedBy: "user_admin",
      code: "note",
      isWaitedFor: false,
    } as const
    expect(await sendRefund(harness.deps, asked)).toEqual({ kind: "nothing_to_send" })
    const sent = harness.simulator.book.refunds()
    expect(sent.filter((one) => one.originalReference === operation.reference)).toEqual([])
  })

  it("is a difference until an admin has dealt with it, and its period agrees from then on", async () => {
    const { operation } = await paid()
    const reversed = saying("REVERSED")
    const [before] = await differencesOfSource(operation, reversed)
    expect(before).toMatchObject({ code: "refund_unknown", operation_id: operation.id })
    await dismiss(reversed, operation)
    await harness.ledger.sql("delete from mp_reconciliation")
    expect(await differencesOfSource(operation, reversed)).toEqual([])
    const [kept] = await harness.ledger.sql("select totals from mp_reconciliation")
    const [usd] = kept?.["totals"] as readonly PeriodTotals[]
    expect(usd?.gateway?.paid).toEqual(usd?.ledger.received)
  })

  it("counts as here again once the gateway agrees, and never by one odd answer", async () => {
    const { operation } = await paid()
    await differences(saying("REVERSED", "COMPLETED"))
    expect(await attentionOf(operation)).toBe("contradicted")
    expect((await reread(operation)).takenBackAt).toBeNull()
    await tomorrow()
    await differences(saying("REVERSED"))
    expect((await reread(operation)).takenBackAt).not.toBeNull()
    await tomorrow()
    await differences()
    expect((await reread(operation)).takenBackAt).toBeNull()
    expect(await attentionOf(operation)).toBeNull()
  })
})

describe("a dismissed contradiction", () => {
  it("stays dismissed while the gateway says the same, and is raised again by another word", async () => {
    const { operation } = await paid()
    await differences(saying("FAILED"))
    await dismiss(saying("FAILED"), operation)
    await tomorrow()
    await differences(saying("FAILED"))
    expect(await attentionOf(operation)).toBeNull()
    await tomorrow()
    await differences(saying("REVERSED"))
    expect(await attentionOf(operation)).toBe("contradicted")
  })

  it("is over once the gateway agrees, so the same word later is raised again", async () => {
    const { operation } = await paid()
    await differences(saying("REVERSED"))
    await dismiss(saying("REVERSED"), operation)
    await tomorrow()
    await differences()
    expect(await attentionOf(operation)).toBeNull()
    await tomorrow()
    await differences(saying("REVERSED"))
    expect(await attentionOf(operation)).toBe("contradicted")
  })
})
