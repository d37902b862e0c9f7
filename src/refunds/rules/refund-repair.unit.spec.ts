import { afterNoon, MINUTE, SECOND } from "../../../integration-tests/support/an-operation"
import {
  aCreditLine,
  aRefund,
  aRow,
  aTransaction,
  BOUND,
  known,
  MARKED,
  UNOWNED,
  ORDER,
  shown,
} from "../../../integration-tests/support/refund-records-fixture"
import { LIMITS } from "../../core/limits"
import { isToUndo, isUndelivered, type MedusaOperation } from "../../core/operation"
import type { RefundRecords } from "../../core/medusa-records"
import { decideDelivery, medusaQuietInMs, type Addition, type Repair } from "./decide-delivery"

const delivered = (given: Partial<RefundRecords>, refund = aRefund()) =>
  decideDelivery(refund, known(given, refund))

const RECORD = { kind: "record", isLineUnclear: false }
const NOTHING = { creditLineIds: [], transactionIds: [], rowIds: [], added: null }
/** Medusa makes the refund anew, in the place of these rows. */
const made = (rowIds: readonly string[] = [], isByWorkflow = true) => ({
  kind: "make",
  repair: { ...NOTHING, rowIds },
  isByWorkflow,
})
/** Beside the row that stays. */
const repaired = (
  added: Partial<Addition> = {},
  removed: Partial<Pick<Repair, "transactionIds" | "rowIds">> = {},
) => ({
  kind: "repair",
  repair: {
    ...NOTHING,
    ...removed,
    added: {
      rowId: "ref_1",
      amount: "19.99",
      isInTransactions: true,
      isLineMissing: false,
      ...added,
    },
  },
})
const ABSENT = { isInTransactions: false, isLineMissing: true }

const CANCELED = { order: { ...ORDER, isCanceled: true } }
const OF_THE_CANCELING = { transactions: [aTransaction({ referenceId: "pay_1" })] }

describe("what a delivery changes in Medusa", () => {
  const cases: readonly (readonly [string, Partial<RefundRecords>, object])[] = [
    ["nothing: all is there", { rows: [BOUND], transactions: [aTransaction()] }, RECORD],
    ["all, where nothing is there", {}, made()],
    ["[H27] all, in place of a row without its transaction", { rows: [BOUND] }, made(["ref_1"])],
    ["all, in place of a marked row that was never bound", { rows: [MARKED] }, made(["ref_2"])],
    [
      "nothing: an order was cancelled, and Medusa has refunded it by itself",
      { ...CANCELED, ...OF_THE_CANCELING, rows: [BOUND] },
      RECORD,
    ],
    [
      "[H24] the row alone, where cancelling has swallowed the refusal",
      { ...CANCELED, ...OF_THE_CANCELING },
      made([], false),
    ],
    [
      "[H24] what is missing beside a row of a cancelled order",
      { ...CANCELED, rows: [BOUND] },
      repaired(ABSENT),
    ],
    [
      "the row alone, where cancelling died before the order was cancelled",
      OF_THE_CANCELING,
      made([], false),
    ],
    [
      "the row alone, while another row waits for its transaction: the workflow would write it, too",
      { rows: [UNOWNED] },
      made([], false),
    ],
    [
      "what is missing beside its row, while another waits for its transaction",
      { rows: [BOUND, UNOWNED] },
      repaired(ABSENT),
    ],
    [
      "its own amount, where another's workflow has written it a transaction",
      { rows: [BOUND], transactions: [aTransaction({ amount: "3" })] },
      repaired(ABSENT, { transactionIds: ["ordtrx_1"] }),
    ],
    [
      "nothing more, but what its workflow gave to a row of nobody is taken away",
      {
        rows: [UNOWNED, BOUND],
        transactions: [aTransaction(), aTransaction({ id: "given", referenceId: "ref_9" })],
      },
      repaired({}, { transactionIds: ["given"] }),
    ],
    [
      "nothing more, but what its workflow gave to a click that was refused is taken away",
      {
        rows: [BOUND],
        transactions: [
          aTransaction(),
          aTransaction({ id: "given", referenceId: "ref_gone", amount: "1" }),
        ],
      },
      repaired({}, { transactionIds: ["given"] }),
    ],
    [
      "nothing: a row that is gone may have been of another provider's payment of the order",
      {
        rows: [BOUND],
        transactions: [
          aTransaction(),
          aTransaction({ id: "other", referenceId: "ref_gone", paymentId: null }),
        ],
      },
      RECORD,
    ],
    [
      "that a row which was made for it and is not bound is not to stand, nor its transaction",
      {
        rows: [BOUND, MARKED],
        transactions: [aTransaction(), aTransaction({ id: "given", referenceId: "ref_2" })],
      },
      repaired({}, { transactionIds: ["given"], rowIds: ["ref_2"] }),
    ],
    [
      "the credit line that a process has not come to write",
      { rows: [BOUND], transactions: [aTransaction()], order: { ...ORDER, open: "19.99" } },
      repaired({ isLineMissing: true }),
    ],
    [
      "nothing where something else has changed the order since: what is open may be open for that",
      {
        rows: [BOUND],
        transactions: [aTransaction()],
        order: { ...ORDER, version: 2, open: "19.99" },
      },
      { kind: "record", isLineUnclear: true },
    ],
    [
      "nothing where the order's refunds have credit lines of the same sum, whatever else is open",
      {
        rows: [BOUND],
        transactions: [
          aTransaction(),
          aTransaction({ id: "other", referenceId: "ref_7", paymentId: "pay_2", amount: "3" }),
        ],
        creditLines: [aCreditLine({ amount: "3.00" }), aCreditLine()],
        order: { ...ORDER, version: 5, open: "7" },
      },
      RECORD,
    ],
    [
      "no credit line where one of the order's refunds lacks a part of its own",
      {
        rows: [BOUND],
        transactions: [aTransaction()],
        creditLines: [aCreditLine({ amount: "9.99" })],
        order: { ...ORDER, version: 2, open: "7" },
      },
      { kind: "record", isLineUnclear: true },
    ],
    [
      "the sums anew, where a process has died over them",
      { rows: [BOUND], transactions: [aTransaction()], order: { ...ORDER, isCounted: false } },
      repaired(),
    ],
    ["[H25] nothing but the row, without an order", { order: null, rows: [BOUND] }, RECORD],
    ["[H25] the row, without an order", { order: null }, made([], false)],
  ]
  it.each(cases)("%s", (_fact, given, expected) => {
    expect(delivered(given)).toEqual(expected)
  })

  it("directly, what the workflow has refused some times", () => {
    const refused = aRefund({ settleAttempts: LIMITS.refundWorkflowTries })
    expect(delivered({}, refused)).toEqual(made([], false))
    expect(delivered({ rows: [BOUND] }, refused)).toEqual(repaired(ABSENT))
  })

  it("nothing of what its workflow gave to a click that may still be asking", () => {
    const young = aRow({ id: "ref_8", amount: "5", ageMs: MINUTE })
    const given = aTransaction({ id: "given", referenceId: "ref_8", ageMs: MINUTE })
    expect(delivered({ rows: [BOUND, young], transactions: [aTransaction(), given] })).toEqual(
      RECORD,
    )
  })

  it("all anew, where its request may only sleep: without its row it is refused", () => {
    const silent = aRefund({ answeredAt: null })
    expect(delivered({ ...CANCELED, rows: [BOUND] }, silent)).toEqual(made(["ref_1"], false))
  })

  it("all anew, with the line that a dead worker wrote in the name of the row that goes", () => {
    const creditLines = [aCreditLine({ ids: ["ours"], rowId: "ref_2" })]
    const repair = { ...NOTHING, rowIds: ["ref_2"], creditLineIds: ["ours"] }
    expect(delivered({ rows: [MARKED], creditLines })).toEqual({ ...made(), repair })
  })

  it("one transaction each for two equal refunds of a cancelled order", () => {
    const [first, second] = [aRefund(), aRefund({ id: "mpop_2", medusaRefundId: "ref_2" })]
    const rows = [BOUND, aRow({ id: "ref_2" })]
    const ofBoth = {
      records: shown({ ...CANCELED, ...OF_THE_CANCELING, rows }),
      refunds: [first, second],
    }
    expect(decideDelivery(first, ofBoth)).toEqual(RECORD)
    expect(decideDelivery(second, ofBoth)).toEqual(repaired({ ...ABSENT, rowId: "ref_2" }))
  })

  it("no credit line where it is missing of one of two at the same moment", () => {
    const [first, second] = [aRefund(), aRefund({ id: "mpop_2", medusaRefundId: "ref_2" })]
    const records = shown({
      rows: [BOUND, aRow({ id: "ref_2" })],
      transactions: [aTransaction(), aTransaction({ id: "other", referenceId: "ref_2" })],
      creditLines: [aCreditLine()],
      order: { ...ORDER, version: 2, open: "19.99" },
    })
    const unclear = { kind: "record", isLineUnclear: true }
    expect(decideDelivery(first, { records, refunds: [first, second] })).toEqual(unclear)
  })

  it("nothing while a worker may still be at a row that it made for it", () => {
    const young = { ...MARKED, ageMs: 20 * SECOND }
    const ms = LIMITS.refundMedusaQuietMs - 20 * SECOND
    expect(delivered({ rows: [young] })).toEqual({ kind: "wait", ms })
  })

  it("no credit line while the workflow that made its bound row may still write one", () => {
    const order = { ...ORDER, open: "19.99" }
    const young = { ...BOUND, createdBy: MARKED.createdBy, ageMs: 20 * SECOND }
    const given = { transactions: [aTransaction()], order }
    const ms = LIMITS.refundMedusaQuietMs - 20 * SECOND
    expect(delivered({ ...given, rows: [young] })).toEqual({ kind: "wait", ms })
    const old = { ...young, ageMs: 2 * MINUTE }
    expect(delivered({ ...given, rows: [old] })).toEqual(repaired({ isLineMissing: true }))
  })

  it("nothing while the credit line may still come", () => {
    const answered = aRefund({ readAt: afterNoon(8 * SECOND) })
    const order = { ...ORDER, open: "19.99" }
    const given = { rows: [BOUND], transactions: [aTransaction()], order }
    expect(delivered(given, answered)).toEqual({
      kind: "wait",
      ms: LIMITS.refundMedusaQuietMs - 5 * SECOND,
    })
  })

  it("nothing as long as Medusa may still be writing", () => {
    const asked = aRefund({ answeredAt: null, readAt: afterNoon(30 * SECOND) })
    expect(delivered({ rows: [BOUND] }, asked)).toEqual({
      kind: "wait",
      ms: LIMITS.leaseMs - 30 * SECOND,
    })
    const answered = aRefund({ readAt: afterNoon(5 * SECOND) })
    expect(delivered({ rows: [BOUND] }, answered)).toEqual({
      kind: "wait",
      ms: LIMITS.refundMedusaQuietMs - 2 * SECOND,
    })
  })

  it("is seen at once where all of it is there", () => {
    const answered = aRefund({ readAt: afterNoon(5 * SECOND) })
    expect(delivered({ rows: [BOUND], transactions: [aTransaction()] }, answered)).toEqual(RECORD)
  })
})

describe("what is brought into Medusa, and what is taken out", () => {
  const cases: readonly (readonly [string, Partial<MedusaOperation>, boolean, boolean])[] = [
    ["money that went back", {}, true, false],
    ["money on its way", { state: "in_flight" }, true, false],
    [
      "what the gateway called failed once",
      { state: "in_flight", failedAt: afterNoon(1) },
      false,
      false,
    ],
    ["what nobody knows of", { state: "submitted" }, false, false],
    ["what is recorded", { recordedAt: afterNoon(1) }, false, false],
    ["what Medusa never asked for", { medusaRefundId: null }, false, false],
    ["what a person looks at", { state: "review" }, false, false],
    ["late money", { state: "completed", isDuplicate: true }, false, false],
    ["what failed", { state: "failed" }, false, true],
    ["what never landed", { state: "expired" }, false, true],
    ["what was taken out", { state: "failed", undoneAt: afterNoon(1) }, false, false],
    [
      "what failed and Medusa never asked for",
      { state: "failed", medusaRefundId: null },
      false,
      false,
    ],
  ]
  it.each(cases)("%s", (_what, given, isDelivered, isUndone) => {
    expect([isUndelivered(aRefund(given)), isToUndo(aRefund(given))]).toEqual([
      isDelivered,
      isUndone,
    ])
  })

  it("waits until whoever asked has been answered, or can't be any more", () => {
    expect(medusaQuietInMs(aRefund())).toBe(0)
    expect(medusaQuietInMs(aRefund({ answeredAt: null, readAt: afterNoon(MINUTE) }))).toBe(MINUTE)
  })

  it("waits a while after the end of one that was never answered: cancelling is slow", () => {
    const ended = { state: "expired", answeredAt: null, checkedAt: afterNoon(3 * MINUTE) } as const
    const readAt = afterNoon(3 * MINUTE + SECOND)
    expect(medusaQuietInMs(aRefund({ ...ended, readAt }))).toBe(LIMITS.refundMedusaQuietMs - SECOND)
  })
})
