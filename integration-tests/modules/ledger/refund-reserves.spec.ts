/** Refunds are reserved, freed and counted: never more than was collected, however many come together. */
import { randomUUID } from "node:crypto"
import fc from "fast-check"
import { refundToSend } from "../../../src/refunds/rules/refund-amount"
import { isLive, isOwedToMedusa, type Operation } from "../../../src/core/operation"
import { statusOf } from "../../../src/checkout/rules/status"
import { advanceOperation } from "../../../src/ledger/advance-operation"
import { advanceRefund } from "../../../src/ledger/advance-refund"
import { insertDraft } from "../../../src/checkout/sql/insert-draft"
import {
  findRefundBasis,
  reserveRefund,
  type RefundReserve,
} from "../../../src/refunds/sql/reserve-refund"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { wakeForgotten } from "../../../src/reconciliation/sql/wake-operations"
import { MINUTE, money } from "../../support/an-operation"
import {
  aDraft,
  advanced,
  collected,
  reread,
  startLedgerDatabase,
  submitted,
  type LedgerDatabase,
} from "../../support/ledger-database"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

function aReserve(minor: number | bigint, given: Partial<RefundReserve> = {}): RefundReserve {
  return {
    id: `mpop_${randomUUID()}`,
    draftReference: randomUUID(),
    amount: money(minor),
    medusaAmount: (Number(minor) / 100).toFixed(2),
    medusaRefundId: null,
    askedBy: "medusa",
    code: "refund_by_medusa",
    ...given,
  }
}

async function reserved(parent: Operation, minor: number | bigint): Promise<Operation> {
  const refund = await reserveRefund(
    ledger.database,
    await reread(ledger.database, parent),
    aReserve(minor),
  )
  if (!refund || refund === "taken") throw new Error("nothing was reserved")
  return refund
}

async function moved(refund: Operation, advance: Parameters<typeof advanceRefund>[2]) {
  const written = await advanceRefund(ledger.database, refund, advance)
  if (!written) throw new Error(`${refund.id} could not be written`)
  return written
}

const sent = async (refund: Operation) =>
  (
    await moved(refund, {
      event: "submit",
      code: "ready_to_send",
      changes: { reference: randomUUID(), submittedAt: true, lastSentAt: true, sendings: 1 },
      lease: "release",
    })
  ).operation

const eventsOf = async ({ id }: Operation) =>
  (
    await ledger.sql(
      "select seq, name, state from mp_operation_event where operation_id = $1 order by seq",
      [id],
    )
  ).map(({ seq, name, state }) => `${String(seq)} ${String(name)} ${String(state)}`)

const COMPLETE = { event: "complete", code: "arrived", next: "never" } as const
const FAIL = { event: "fail", code: "failed_twice", next: { inMs: MINUTE } } as const

describe("a reserve", () => {
  it("[I8] takes its part and makes the refund, each with its event", async () => {
    const parent = await collected(ledger.database)
    const refund = await reserved(parent, 500)
    expect(refund).toMatchObject({
      type: "REFUND",
      state: "drafted",
      parentId: parent.id,
      amount: money(500),
      medusaAmount: "5.00",
      paymentIntentId: parent.paymentIntentId,
      sourceId: null,
      reference: null,
    })
    expect(refund.leaseUntil?.getTime()).toBeGreaterThan(refund.readAt.getTime())
    const after = await reread(ledger.database, parent)
    expect(after).toMatchObject({ reservedRefundMinor: 500n, refundedMinor: 0n })
    expect(await eventsOf(parent)).toEqual([
      "1 draft drafted",
      "2 submit submitted",
      "3 complete completed",
      "4 refund_reserved completed",
    ])
    expect(await eventsOf(refund)).toEqual(["1 draft drafted"])
  })

  it("[B19] that two request from the same reading is made once", async () => {
    const parent = await collected(ledger.database)
    const both = await Promise.all(
      [1_999, 1_999].map((minor) => reserveRefund(ledger.database, parent, aReserve(minor))),
    )
    expect(both.filter(Boolean)).toHaveLength(1)
    expect((await reread(ledger.database, parent)).reservedRefundMinor).toBe(1_999n)
  })

  it("[B19] beyond what was collected is refused, whatever was read", async () => {
    const parent = await collected(ledger.database)
    expect(await reserveRefund(ledger.database, parent, aReserve(2_000))).toBeUndefined()
    const half = await reserved(parent, 1_000)
    const fresh = await reread(ledger.database, parent)
    expect(await reserveRefund(ledger.database, fresh, aReserve(1_000))).toBeUndefined()
    expect(await findRefundsOf(ledger.database, parent.id)).toEqual([
      expect.objectContaining({ id: half.id }),
    ])
  })

  it("is made once for one Medusa refund", async () => {
    const parent = await collected(ledger.database)
    const medusaRefundId = `ref_${randomUUID()}`
    const first = await reserveRefund(ledger.database, parent, aReserve(100, { medusaRefundId }))
    const fresh = await reread(ledger.database, parent)
    const second = await reserveRefund(ledger.database, fresh, aReserve(100, { medusaRefundId }))
    expect([first, second]).toEqual([expect.objectContaining({ medusaRefundId }), "taken"])
    expect((await reread(ledger.database, parent)).reservedRefundMinor).toBe(100n)
  })

  it.each(["submitted", "returned", "failed"] as const)(
    "is not taken of a payment that is %s",
    async (state) => {
      const open = await submitted(ledger.database)
      const parent =
        state === "submitted"
          ? open
          : state === "failed"
            ? await advanced(ledger.database, open, {
                event: "fail",
                code: "failed_twice",
                changes: { collectedMinor: 1_999n },
              })
            : await collected(ledger.database, { changes: { returnedAt: true } })
      expect(await reserveRefund(ledger.database, parent, aReserve(1))).toBeUndefined()
    },
  )
})

describe("the end of a refund", () => {
  it("frees only its part when it failed", async () => {
    const parent = await collected(ledger.database)
    await reserved(parent, 1_000)
    const refund = await sent(await reserved(parent, 500))
    await moved(refund, FAIL)
    expect(await reread(ledger.database, parent)).toMatchObject({
      reservedRefundMinor: 1_000n,
      refundedMinor: 0n,
      nextCheckAt: null,
    })
    expect((await eventsOf(parent)).at(-1)).toBe("6 refund_released completed")
  })

  it("makes a payment due again that waited for it to be recorded in Medusa", async () => {
    const parent = await collected(ledger.database, { changes: { recordedAt: false } })
    const refund = await sent(await reserved(parent, 1_999))
    expect(isOwedToMedusa(await reread(ledger.database, parent))).toBe(false)
    await moved(refund, FAIL)
    const after = await reread(ledger.database, parent)
    expect(isOwedToMedusa(after)).toBe(true)
    expect(after.nextCheckAt).not.toBeNull()
  })

  it("is counted, and the payment is returned once all of it went back", async () => {
    const parent = await collected(ledger.database)
    const one = await sent(await reserved(parent, 1_000))
    const other = await sent(await reserved(parent, 999))
    await moved(one, COMPLETE)
    const partly = await reread(ledger.database, parent)
    expect(partly).toMatchObject({ refundedMinor: 1_000n, returnedAt: null })
    expect(isLive(partly)).toBe(true)
    expect(statusOf(partly)).toMatchObject({ state: "paid", returned_amount: 10 })
    await moved(other, COMPLETE)
    const returned = await reread(ledger.database, parent)
    expect(returned).toMatchObject({ state: "completed", refundedMinor: 1_999n, nextCheckAt: null })
    expect(statusOf(returned)).toMatchObject({
      state: "paid",
      returned_amount: 19.99,
      can_retry: false,
    })
    expect((await eventsOf(parent)).slice(-2)).toEqual([
      "6 refunded completed",
      "7 returned completed",
    ])
  })

  it("[B18] is counted where two complete at the same moment", async () => {
    const parent = await collected(ledger.database)
    const both = [
      await sent(await reserved(parent, 1_000)),
      await sent(await reserved(parent, 999)),
    ]
    await Promise.all(both.map((refund) => moved(refund, COMPLETE)))
    const after = await reread(ledger.database, parent)
    expect(after.refundedMinor).toBe(1_999n)
    expect(after.returnedAt).not.toBeNull()
  })

  it("frees the collection of money under review for another payment", async () => {
    const completed = await collected(ledger.database, { changes: { recordedAt: false } })
    const parent = await advanced(ledger.database, completed, {
      event: "strand",
      code: "session_unusable",
      changes: { reason: "session_gone" },
    })
    const again = aDraft({ paymentCollectionId: parent.paymentCollectionId })
    expect(await insertDraft(ledger.database, again)).toBeUndefined()
    await moved(await sent(await reserved(parent, 1_999)), COMPLETE)
    const after = await reread(ledger.database, parent)
    expect(after.state).toBe("completed")
    expect((await eventsOf(parent)).at(-1)).toBe("6 give_back completed")
    expect(isLive(after)).toBe(false)
    expect(await insertDraft(ledger.database, again)).toMatchObject({ state: "drafted" })
  })

  it("leaves its part reserved where the outcome is unknown", async () => {
    const parent = await collected(ledger.database)
    const refund = await sent(await reserved(parent, 1_999))
    await moved(refund, {
      event: "doubt",
      code: "no_final_answer",
      changes: { reason: "no_answer" },
    })
    expect((await reread(ledger.database, parent)).reservedRefundMinor).toBe(1_999n)
  })

  it("[B21] that comes late is not counted but reviewed, and only the rest can go back", async () => {
    const parent = await collected(ledger.database)
    const refund = await sent(await reserved(parent, 1_500))
    const { operation: failed } = await moved(refund, FAIL)
    const late = await moved(failed, { ...COMPLETE, changes: { reason: "late_refund" } })
    expect(late.operation).toMatchObject({ state: "review", isDuplicate: true })
    expect(await reread(ledger.database, parent)).toMatchObject({
      reservedRefundMinor: 0n,
      refundedMinor: 0n,
    })
    const fixture = await findRefundBasis(ledger.database, parent.id)
    expect(fixture?.before).toEqual({ reservedMinor: 0n, lateMinor: 1_500n, medusaAmounts: [] })
  })

  it("[P15] that is contradicted later frees nothing twice, and keeps its part from going again", async () => {
    const parent = await collected(ledger.database)
    const { operation: refund } = await moved(await sent(await reserved(parent, 1_500)), FAIL)
    const changes = { reason: "late_refund" } as const
    const doubted = await moved(refund, { event: "doubt", code: "execution_reads", changes })
    expect(doubted.operation).toMatchObject({ state: "review", isDuplicate: true })
    const fixture = await findRefundBasis(ledger.database, parent.id)
    expect(fixture?.before).toEqual({ reservedMinor: 0n, lateMinor: 1_500n, medusaAmounts: [] })
    await moved(doubted.operation, { event: "dismiss", code: "failed_twice" })
    expect((await reread(ledger.database, parent)).reservedRefundMinor).toBe(0n)
  })

  it("is written once: a second writer has another version, or no lease", async () => {
    const parent = await collected(ledger.database)
    const refund = await sent(await reserved(parent, 500))
    const twice = await Promise.all([
      advanceRefund(ledger.database, refund, FAIL),
      advanceRefund(ledger.database, refund, FAIL),
    ])
    expect(twice.filter(Boolean)).toHaveLength(1)
    const stranger = { ...refund, version: refund.version + 1, leaseToken: randomUUID() }
    expect(await advanceRefund(ledger.database, stranger, COMPLETE)).toBeUndefined()
    expect((await reread(ledger.database, parent)).reservedRefundMinor).toBe(0n)
  })
})

it("[I7] a completed refund is not woken as forgotten", async () => {
  const refund = await sent(await reserved(await collected(ledger.database), 500))
  await moved(refund, COMPLETE)
  const woken = await wakeForgotten(ledger.database, 1_000)
  expect(woken.map(({ id }) => id)).not.toContain(refund.id)
})

it("[I6] a refund's reference never changes", async () => {
  const refund = await sent(await reserved(await collected(ledger.database), 500))
  const changes = { reference: randomUUID() }
  const other = { event: { note: "sending" }, code: "sent_again", changes } as const
  expect(await advanceRefund(ledger.database, refund, other)).toBeUndefined()
  expect(await advanceOperation(ledger.database, refund, other)).toBeUndefined()
})

describe("refunds that admins and gateway drive at once", () => {
  /** One refund from reading to its end, as the flows do it. */
  async function askAndEnd(
    parent: Operation,
    medusaAmount: string,
    end: "land" | "fail" | "unknown",
  ) {
    for (;;) {
      const fixture = await findRefundBasis(ledger.database, parent.id)
      if (!fixture) throw new Error("the payment is gone")
      const capturedAmount = "66.61775"
      const collectedMoney = fixture.parent.collected ?? money(0)
      const toSend = refundToSend(collectedMoney, fixture.before, { medusaAmount, capturedAmount })
      if (toSend.kind !== "send") return
      const reserve = aReserve(toSend.amount.minor, { medusaAmount })
      const refund = await reserveRefund(ledger.database, fixture.parent, reserve)
      if (refund === "taken") throw new Error("no key was given")
      if (!refund) continue
      const open = await sent(refund)
      if (end === "land") await moved(open, COMPLETE)
      if (end === "fail") await moved(open, FAIL)
      return
    }
  }

  const ends = fc.constantFrom("land", "fail", "unknown")
  const asks = fc.array(
    fc.tuple(fc.constantFrom("22.20592", "22.20591", "66.61775", "10", "0.004", "33.3"), ends),
    { minLength: 2, maxLength: 7 },
  )

  it("[I4][B18][B19] never exceed what was collected, at any moment, unknown ones included", async () => {
    await fc.assert(
      fc.asyncProperty(asks, async (wanted) => {
        const parent = await collected(ledger.database, { draft: { amount: money(6_662) } })
        let isOver = false
        const watch = async () => {
          const moments: bigint[] = []
          while (!isOver) {
            const [row] = await ledger.sql(
              `select coalesce(sum(amount_minor), 0)::text as taken from mp_operation
                where parent_id = $1 and state not in ('failed', 'expired')`,
              [parent.id],
            )
            moments.push(BigInt(String(row?.["taken"])))
          }
          return moments
        }
        const watching = watch()
        await Promise.all(wanted.map(([amount, end]) => askAndEnd(parent, amount, end)))
        isOver = true
        for (const taken of await watching) expect(taken).toBeLessThanOrEqual(6_662n)
        const after = await reread(ledger.database, parent)
        const refunds = await findRefundsOf(ledger.database, parent.id)
        const sumOf = (states: readonly string[]) =>
          refunds
            .filter(({ state }) => states.includes(state))
            .reduce((sum, { amount }) => sum + amount.minor, 0n)
        expect(after.reservedRefundMinor).toBe(sumOf(["drafted", "submitted", "completed"]))
        expect(after.refundedMinor).toBe(sumOf(["completed"]))
        expect(after.returnedAt !== null).toBe(after.refundedMinor === 6_662n)
        const events = await eventsOf(parent)
        expect(events).toHaveLength(after.version)
      }),
      { numRuns: 25 },
    )
  })
})
