import { afterNoon, MINUTE, SECOND } from "../../../integration-tests/support/an-operation"
import {
  aCreditLine,
  aRefund,
  aRow,
  aTransaction,
  BOUND,
  known,
  MARKED,
  NOBODYS,
  ORDER,
} from "../../../integration-tests/support/refund-books-ground"
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import type { RefundBooks } from "./refund-books"
import {
  decideDelivery,
  decideUndo,
  hostQuietInMs,
  isToUndo,
  isUndelivered,
} from "./refund-delivery"

const told = (given: Partial<RefundBooks>, refund = aRefund()) =>
  decideDelivery(refund, known(given, refund))

const RECORD = { kind: "record", isLineUnclear: false }
const REPEAT = { kind: "repeat", falseIds: [], staleRowIds: [], isByWorkflow: true }
const COMPLETE = {
  kind: "complete",
  rowId: "ref_1",
  falseIds: [],
  staleRowIds: [],
  isInTransactions: true,
  isLineMissing: false,
}

const CANCELED = { order: { ...ORDER, isCanceled: true } }
const OF_THE_CANCELING = { transactions: [aTransaction({ referenceId: "pay_1" })] }

describe("what Medusa is told", () => {
  const cases: readonly (readonly [string, Partial<RefundBooks>, object])[] = [
    ["nothing: all is there", { rows: [BOUND], transactions: [aTransaction()] }, RECORD],
    ["all, where nothing is there", {}, REPEAT],
    [
      "[H27] all, in place of a row without its transaction",
      { rows: [BOUND] },
      { ...REPEAT, staleRowIds: ["ref_1"] },
    ],
    [
      "all, in place of a row whose transaction was taken away",
      { rows: [BOUND], transactions: [aTransaction({ isRemoved: true })] },
      { ...REPEAT, staleRowIds: ["ref_1"] },
    ],
    [
      "all, in place of a marked row that was never bound",
      { rows: [MARKED] },
      { ...REPEAT, staleRowIds: ["ref_2"] },
    ],
    [
      "nothing: an order was cancelled, and Medusa has refunded it by itself",
      { ...CANCELED, ...OF_THE_CANCELING, rows: [BOUND] },
      RECORD,
    ],
    [
      "[H24] the row alone, where cancelling has swallowed the refusal",
      { ...CANCELED, ...OF_THE_CANCELING },
      { ...REPEAT, isByWorkflow: false },
    ],
    [
      "[H24] what is missing beside a row of a cancelled order",
      { ...CANCELED, rows: [BOUND] },
      { ...COMPLETE, isInTransactions: false, isLineMissing: true },
    ],
    [
      "the row alone, where cancelling died before the order was cancelled",
      OF_THE_CANCELING,
      { ...REPEAT, isByWorkflow: false },
    ],
    [
      "the row alone, while another row waits for its transaction: the workflow would write it, too",
      { rows: [NOBODYS] },
      { ...REPEAT, isByWorkflow: false },
    ],
    [
      "what is missing beside its row, while another waits for its transaction",
      { rows: [BOUND, NOBODYS] },
      { ...COMPLETE, isInTransactions: false, isLineMissing: true },
    ],
    [
      "its own amount, where another's workflow has written it a transaction",
      { rows: [BOUND], transactions: [aTransaction({ amount: "3" })] },
      { ...COMPLETE, falseIds: ["ordtrx_1"], isInTransactions: false, isLineMissing: true },
    ],
    [
      "nothing more, but what its workflow gave to a row of nobody is taken away",
      {
        rows: [NOBODYS, BOUND],
        transactions: [aTransaction(), aTransaction({ id: "given", referenceId: "ref_9" })],
      },
      { ...COMPLETE, falseIds: ["given"] },
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
      { ...COMPLETE, falseIds: ["given"] },
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
      { ...COMPLETE, falseIds: ["given"], staleRowIds: ["ref_2"] },
    ],
    [
      "the credit line that a process has not come to write",
      { rows: [BOUND], transactions: [aTransaction()], order: { ...ORDER, open: "19.99" } },
      { ...COMPLETE, isLineMissing: true },
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
      "nothing where its credit line is there, whatever else is open",
      {
        rows: [BOUND],
        transactions: [aTransaction()],
        creditLines: [aCreditLine()],
        order: { ...ORDER, version: 5, open: "7" },
      },
      RECORD,
    ],
    [
      "the sums anew, where a process has died over them",
      { rows: [BOUND], transactions: [aTransaction()], order: { ...ORDER, isCounted: false } },
      COMPLETE,
    ],
    ["[H25] nothing but the row, without an order", { order: null, rows: [BOUND] }, RECORD],
    ["[H25] the row, without an order", { order: null }, { ...REPEAT, isByWorkflow: false }],
  ]
  it.each(cases)("%s", (_fact, given, expected) => {
    expect(told(given)).toEqual(expected)
  })

  it("directly, what the workflow has refused some times", () => {
    const refused = aRefund({ settleAttempts: LIMITS.refundWorkflowTries })
    expect(told({}, refused)).toEqual({ ...REPEAT, isByWorkflow: false })
    expect(told({ rows: [BOUND] }, refused)).toMatchObject({ kind: "complete" })
  })

  it("nothing while a young click may still be refused that its workflow has written a transaction for", () => {
    const young = aRow({ id: "ref_8", ageMs: MINUTE })
    const given = aTransaction({ id: "given", referenceId: "ref_8", ageMs: MINUTE })
    const books = { rows: [BOUND, young], transactions: [aTransaction(), given] }
    expect(told(books)).toEqual({ kind: "wait", ms: LIMITS.leaseMs - MINUTE })
  })

  it("nothing while a worker may still be at a row that it made for it", () => {
    const young = { ...MARKED, ageMs: 20 * SECOND }
    const ms = LIMITS.refundHostQuietMs - 20 * SECOND
    expect(told({ rows: [young] })).toEqual({ kind: "wait", ms })
  })

  it("nothing while the credit line may still come", () => {
    const answered = aRefund({ readAt: afterNoon(8 * SECOND) })
    const order = { ...ORDER, open: "19.99" }
    expect(told({ rows: [BOUND], transactions: [aTransaction()], order }, answered)).toEqual({
      kind: "wait",
      ms: LIMITS.refundHostQuietMs - 5 * SECOND,
    })
  })

  it("nothing as long as Medusa may still be writing", () => {
    const asked = aRefund({ answeredAt: null, readAt: afterNoon(30 * SECOND) })
    expect(told({ rows: [BOUND] }, asked)).toEqual({
      kind: "wait",
      ms: LIMITS.leaseMs - 30 * SECOND,
    })
    const answered = aRefund({ readAt: afterNoon(5 * SECOND) })
    expect(told({ rows: [BOUND] }, answered)).toEqual({
      kind: "wait",
      ms: LIMITS.refundHostQuietMs - 2 * SECOND,
    })
  })

  it("is seen at once where all of it is there", () => {
    const answered = aRefund({ readAt: afterNoon(5 * SECOND) })
    expect(told({ rows: [BOUND], transactions: [aTransaction()] }, answered)).toEqual(RECORD)
  })

  it("is a matter for a person where the payment is gone", () => {
    expect(decideDelivery(aRefund(), undefined)).toMatchObject({ kind: "stuck" })
  })
})

describe("what is brought into Medusa, and what is taken out", () => {
  const cases: readonly (readonly [string, Partial<Operation>, boolean, boolean])[] = [
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
    ["what Medusa never asked for", { hostRefundId: null }, false, false],
    ["what a person looks at", { state: "review" }, false, false],
    ["late money", { state: "completed", surplus: true }, false, false],
    ["what failed", { state: "failed" }, false, true],
    ["what never landed", { state: "expired" }, false, true],
    ["what was taken out", { state: "failed", undoneAt: afterNoon(1) }, false, false],
    [
      "what failed and Medusa never asked for",
      { state: "failed", hostRefundId: null },
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
    expect(hostQuietInMs(aRefund())).toBe(0)
    expect(hostQuietInMs(aRefund({ answeredAt: null, readAt: afterNoon(MINUTE) }))).toBe(MINUTE)
  })

  it("waits a while after the end of one that was never answered: cancelling is slow", () => {
    const ended = { state: "expired", answeredAt: null, checkedAt: afterNoon(3 * MINUTE) } as const
    const readAt = afterNoon(3 * MINUTE + SECOND)
    expect(hostQuietInMs(aRefund({ ...ended, readAt }))).toBe(LIMITS.refundHostQuietMs - SECOND)
  })
})

describe("what is taken out of Medusa", () => {
  const transaction = aTransaction()
  const all = known({
    rows: [BOUND, MARKED],
    transactions: [transaction],
    creditLines: [aCreditLine()],
  })

  it("is the credit line, the transaction and every row of it", () => {
    expect(decideUndo(aRefund(), all)).toEqual({
      creditLineIds: ["ordcl_1"],
      transactionIds: ["ordtrx_1"],
      rowIds: ["ref_1", "ref_2"],
      isInOrder: true,
      isLineUnclear: false,
    })
  })

  it("is counted once more where everything is gone already", () => {
    const removed = [aTransaction({ isRemoved: true })]
    const gone = known({
      rows: [aRow({ isRemoved: true })],
      transactions: removed,
      creditLines: [aCreditLine({ isRemoved: true })],
    })
    expect(decideUndo(aRefund(), gone)).toEqual({
      creditLineIds: [],
      transactionIds: [],
      rowIds: [],
      isInOrder: true,
      isLineUnclear: false,
    })
  })

  it("is nothing where nothing ever was", () => {
    expect(decideUndo(aRefund(), known())).toMatchObject({ isInOrder: false, rowIds: [] })
  })

  it("is also the line that a process wrote in its name before it died", () => {
    const named = known({
      rows: [BOUND],
      creditLines: [aCreditLine({ ids: ["ours"], referenceId: "ref_1", madeVersion: 1 })],
    })
    expect(decideUndo(aRefund(), named)).toMatchObject({
      creditLineIds: ["ours"],
      rowIds: ["ref_1"],
      isInOrder: true,
    })
  })

  it("is no line of another payment where Medusa was never told yes", () => {
    const canceled = aTransaction({ referenceId: "pay_1" })
    const beside = known({ rows: [], transactions: [canceled], creditLines: [aCreditLine()] })
    expect(decideUndo(aRefund({ answeredAt: null }), beside)).toMatchObject({
      creditLineIds: [],
      transactionIds: ["ordtrx_1"],
    })
  })

  it("is what another's workflow has written into a row that Medusa has deleted since", () => {
    const given = known({
      rows: [],
      transactions: [aTransaction({ amount: "3", paymentId: null })],
    })
    expect(decideUndo(aRefund(), given).transactionIds).toEqual(["ordtrx_1"])
  })

  it("is said where a line may be left that is of no money", () => {
    const owed = [aTransaction({ id: "one" }), aTransaction({ id: "two", referenceId: "ref_2" })]
    const rows = [BOUND, aRow({ id: "ref_2" })]
    const smaller = known({
      rows,
      transactions: owed,
      creditLines: [aCreditLine({ amount: "4" })],
    })
    expect(decideUndo(aRefund(), smaller)).toMatchObject({ creditLineIds: [], isLineUnclear: true })
  })

  it("is no line where another's workflow has written its transaction", () => {
    const wrong = known({
      rows: [BOUND],
      transactions: [aTransaction({ amount: "3" })],
      creditLines: [aCreditLine({ amount: "3" })],
    })
    expect(decideUndo(aRefund(), wrong)).toMatchObject({
      creditLineIds: [],
      transactionIds: ["ordtrx_1"],
    })
  })
})
