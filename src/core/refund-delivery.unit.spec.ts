import {
  anOperation,
  afterNoon,
  MINUTE,
  SECOND,
} from "../../integration-tests/support/an-operation"
import { LIMITS } from "./limits"
import type { Operation } from "./operation"
import {
  creditLineOf,
  decideDelivery,
  decideUndo,
  hostQuietInMs,
  isToUndo,
  isUndelivered,
  type HostCreditLine,
  type HostTransaction,
  type ShownRefund,
} from "./refund-delivery"

const aRefund = (given: Partial<Operation> = {}): Operation =>
  anOperation({
    type: "REFUND",
    state: "completed",
    hostRefundId: "ref_1",
    hostAmount: "19.99",
    createdAt: afterNoon(0),
    answeredAt: afterNoon(3 * SECOND),
    readAt: afterNoon(10 * MINUTE),
    ...given,
  })

const BOUND = { id: "ref_1", isBound: true, isMarked: false }
const MARKED = { id: "ref_2", isBound: false, isMarked: true }

const aTransaction = (given: Partial<HostTransaction> = {}): HostTransaction => ({
  id: "ordtrx_1",
  referenceId: "ref_1",
  amount: "19.99",
  version: 1,
  isRemoved: false,
  ...given,
})

const aCreditLine = (given: Partial<HostCreditLine> = {}): HostCreditLine => ({
  ids: ["ordcl_1"],
  referenceId: "pay_col_1",
  amount: "19.99",
  madeVersion: 2,
  isRemoved: false,
  ...given,
})

const shown = (given: Partial<ShownRefund> = {}): ShownRefund => ({
  paymentId: "pay_1",
  order: { id: "order_1", isCanceled: false },
  rows: [],
  transactions: [],
  allTransactions: given.transactions ?? [],
  creditLines: [],
  ...given,
})

const CANCELED = { order: { id: "order_1", isCanceled: true } }
const OF_THE_CANCELING = { transactions: [aTransaction({ referenceId: "pay_1" })] }

describe("what Medusa is told", () => {
  const cases: readonly (readonly [string, Partial<ShownRefund>, object])[] = [
    [
      "nothing: all is there",
      { rows: [BOUND], transactions: [aTransaction()] },
      { kind: "record" },
    ],
    ["all, where nothing is there", {}, { kind: "repeat", staleRowIds: [], isByWorkflow: true }],
    [
      "[H27] all, in place of a row without its transaction",
      { rows: [BOUND] },
      { kind: "repeat", staleRowIds: ["ref_1"], isByWorkflow: true },
    ],
    [
      "all, in place of a row whose transaction was taken away",
      { rows: [BOUND], transactions: [aTransaction({ isRemoved: true })] },
      { kind: "repeat", staleRowIds: ["ref_1"], isByWorkflow: true },
    ],
    [
      "all, in place of a marked row that was never bound",
      { rows: [MARKED] },
      { kind: "repeat", staleRowIds: ["ref_2"], isByWorkflow: true },
    ],
    [
      "nothing: an order was cancelled, and Medusa has refunded it by itself",
      { ...CANCELED, ...OF_THE_CANCELING, rows: [BOUND] },
      { kind: "record" },
    ],
    [
      "[H24] the row alone, where cancelling has swallowed the refusal",
      { ...CANCELED, ...OF_THE_CANCELING },
      { kind: "repeat", staleRowIds: [], isByWorkflow: false },
    ],
    [
      "[H24] what is missing beside a row of a cancelled order",
      { ...CANCELED, rows: [BOUND] },
      { kind: "complete", rowId: "ref_1" },
    ],
    [
      "[H24] what may be missing beside our own row of a cancelled order, also a second time",
      { ...CANCELED, ...OF_THE_CANCELING, rows: [{ ...BOUND, isMarked: true }] },
      { kind: "complete", rowId: "ref_1" },
    ],
    [
      "the row alone, where cancelling died before the order was cancelled",
      OF_THE_CANCELING,
      { kind: "repeat", staleRowIds: [], isByWorkflow: false },
    ],
    [
      "[H25] nothing but the row, without an order",
      { order: null, rows: [BOUND] },
      { kind: "record" },
    ],
    [
      "[H25] the row, without an order",
      { order: null },
      { kind: "repeat", staleRowIds: [], isByWorkflow: false },
    ],
  ]
  it.each(cases)("%s", (_fact, given, expected) => {
    expect(decideDelivery(aRefund(), shown(given))).toEqual(expected)
  })

  it("nothing as long as Medusa may still be writing", () => {
    const asked = aRefund({ answeredAt: null, readAt: afterNoon(30 * SECOND) })
    expect(decideDelivery(asked, shown({ rows: [BOUND] }))).toEqual({
      kind: "wait",
      ms: LIMITS.leaseMs - 30 * SECOND,
    })
    const answered = aRefund({ readAt: afterNoon(5 * SECOND) })
    expect(decideDelivery(answered, shown({ rows: [BOUND] }))).toEqual({
      kind: "wait",
      ms: LIMITS.refundHostQuietMs - 2 * SECOND,
    })
  })

  it("is seen at once where all of it is there", () => {
    const answered = aRefund({ readAt: afterNoon(5 * SECOND) })
    const all = shown({ rows: [BOUND], transactions: [aTransaction()] })
    expect(decideDelivery(answered, all)).toEqual({ kind: "record" })
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
})

describe("the credit line of a refund", () => {
  const of = (transaction: HostTransaction, given: Partial<ShownRefund>) =>
    creditLineOf(transaction, shown(given))?.ids

  it("is the one that made the next version", () => {
    const transaction = aTransaction()
    const creditLines = [
      aCreditLine({ ids: ["before"], madeVersion: 1 }),
      aCreditLine({ ids: ["own", "copy"], madeVersion: 2 }),
      aCreditLine({ ids: ["after"], madeVersion: 3 }),
    ]
    expect(of(transaction, { allTransactions: [transaction], creditLines })).toEqual([
      "own",
      "copy",
    ])
  })

  it("is told from another of the same amount at the same moment by their order", () => {
    const [one, other] = [aTransaction({ id: "one" }), aTransaction({ id: "other" })]
    const given = {
      allTransactions: [one, other],
      creditLines: [
        aCreditLine({ ids: ["a"], madeVersion: 2 }),
        aCreditLine({ ids: ["b"], madeVersion: 3, isRemoved: true }),
      ],
    }
    expect([of(one, given), of(other, given)]).toEqual([["a"], ["b"]])
  })

  it("is smaller where Medusa owed a part already, and none where it owed all", () => {
    const transaction = aTransaction()
    const allTransactions = [transaction]
    const creditLines = [aCreditLine({ ids: ["rest"], amount: "9.99" })]
    expect(of(transaction, { allTransactions, creditLines })).toEqual(["rest"])
    expect(of(transaction, { allTransactions, creditLines: [] })).toBeUndefined()
  })

  it("is none that is of several payments together", () => {
    const transaction = aTransaction()
    const creditLines = [aCreditLine({ amount: "25" })]
    expect(of(transaction, { allTransactions: [transaction], creditLines })).toBeUndefined()
  })

  it("is the one that names its row, whatever its version", () => {
    const transaction = aTransaction({ referenceId: "pay_1" })
    const creditLines = [aCreditLine({ ids: ["ours"], referenceId: "ref_1", madeVersion: 1 })]
    const given = { rows: [BOUND], allTransactions: [transaction], creditLines }
    expect(of(transaction, given)).toEqual(["ours"])
  })
})

describe("what is taken out of Medusa", () => {
  const transaction = aTransaction()
  const all = shown({
    rows: [BOUND, MARKED],
    transactions: [transaction],
    creditLines: [aCreditLine()],
  })

  it("is the credit line, the transaction and every row of it", () => {
    expect(decideUndo(all)).toEqual({
      creditLineIds: ["ordcl_1"],
      transactionIds: ["ordtrx_1"],
      rowIds: ["ref_1", "ref_2"],
      isInOrder: true,
    })
  })

  it("is counted once more where everything is gone already", () => {
    const removed = [aTransaction({ isRemoved: true })]
    const gone = shown({ transactions: removed, creditLines: [aCreditLine({ isRemoved: true })] })
    expect(decideUndo(gone)).toEqual({
      creditLineIds: [],
      transactionIds: [],
      rowIds: [],
      isInOrder: true,
    })
  })

  it("is nothing where nothing ever was", () => {
    expect(decideUndo(shown())).toMatchObject({ isInOrder: false, rowIds: [] })
  })
})
