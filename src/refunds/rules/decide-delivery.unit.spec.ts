import { anOperation, MINUTE, SECOND } from "../../../integration-tests/support/an-operation"
import {
  aCreditLine,
  aRefund,
  aRow,
  aTransaction,
  BOUND,
  known,
  MARKED,
  ORDER,
  shown,
  UNOWNED,
} from "../../../integration-tests/support/refund-records-fixture"
import type { Operation } from "../../core/operation"
import type { RefundRecords } from "../../core/medusa-records"
import { decideSweep, decideUndo } from "./decide-delivery"

const NOTHING = { creditLineIds: [], transactionIds: [], rowIds: [], added: null }

describe("what is taken out of Medusa", () => {
  const transaction = aTransaction()
  const FAILED = aRefund({ state: "failed" })
  const ofFailed = (given: Partial<RefundRecords>) => known(given, FAILED)
  const all = ofFailed({
    rows: [BOUND, MARKED],
    transactions: [transaction],
    creditLines: [aCreditLine()],
  })

  it("is the credit line, the transaction and every row of it", () => {
    expect(decideUndo(FAILED, all)).toEqual({
      creditLineIds: ["ordcl_1"],
      transactionIds: ["ordtrx_1"],
      rowIds: ["ref_1", "ref_2"],
      added: null,
      isLineUnclear: false,
    })
  })

  it("is nothing where nothing ever was", () => {
    expect(decideUndo(FAILED, ofFailed({}))).toEqual({ ...NOTHING, isLineUnclear: false })
  })

  it("is also the line that a process wrote in its name before it died", () => {
    const named = ofFailed({
      rows: [BOUND],
      creditLines: [aCreditLine({ ids: ["ours"], rowId: "ref_1" })],
    })
    expect(decideUndo(FAILED, named)).toMatchObject({
      creditLineIds: ["ours"],
      rowIds: ["ref_1"],
    })
  })

  it("is no line of another payment where Medusa was never told yes", () => {
    const canceled = aTransaction({ referenceId: "pay_1" })
    const beside = ofFailed({ rows: [], transactions: [canceled], creditLines: [aCreditLine()] })
    expect(decideUndo({ ...FAILED, answeredAt: null }, beside)).toMatchObject({
      creditLineIds: [],
      transactionIds: ["ordtrx_1"],
    })
  })

  it("is what another's workflow has written into a row that Medusa has deleted since", () => {
    const given = ofFailed({
      rows: [],
      transactions: [aTransaction({ amount: "3", paymentId: null })],
    })
    expect(decideUndo(FAILED, given).transactionIds).toEqual(["ordtrx_1"])
  })

  const OTHER = aRefund({ id: "mpop_2", medusaRefundId: "ref_2" })
  const two = aTransaction({ id: "two", referenceId: "ref_2" })
  /** The failed refund beside one that stands. */
  const both = (given: Partial<RefundRecords>, other = OTHER) => ({
    records: shown({
      rows: [BOUND, aRow({ id: "ref_2" })],
      transactions: [transaction, two],
      creditLines: [aCreditLine(), aCreditLine({ ids: ["another"] })],
      ...given,
    }),
    refunds: [FAILED, other],
  })

  it("is any line of its amount where each refund has one", () => {
    expect(decideUndo(FAILED, both({}))).toMatchObject({
      creditLineIds: ["ordcl_1"],
      isLineUnclear: false,
    })
  })

  it.each([
    ["that asked for nothing yet", { medusaRefundId: null }, two],
    ["that had no yes", { answeredAt: null }, two],
    ["of another amount", { medusaAmount: "7" }, two],
  ])(
    "is its line beside a transaction that its workflow wrote for a row %s",
    (_name, of, wrong) => {
      const other = { ...OTHER, ...of }
      const ofOther = other.answeredAt && other.medusaRefundId ? [aCreditLine({ amount: "7" })] : []
      const creditLines = [aCreditLine(), ...ofOther]
      expect(
        decideUndo(FAILED, both({ transactions: [transaction, wrong], creditLines }, other)),
      ).toMatchObject({ creditLineIds: ["ordcl_1"], isLineUnclear: false })
    },
  )

  it("is no line that may be another refund's, or of several, and that is said", () => {
    for (const creditLines of [[aCreditLine()], [aCreditLine({ amount: "39.98" })]]) {
      expect(decideUndo(FAILED, both({ creditLines }))).toMatchObject({
        creditLineIds: [],
        isLineUnclear: true,
      })
    }
  })

  it("is no line where Medusa owed the money and wrote none", () => {
    const owed = ofFailed({ rows: [BOUND], transactions: [transaction] })
    expect(decideUndo(FAILED, owed)).toMatchObject({
      creditLineIds: [],
      transactionIds: ["ordtrx_1"],
      isLineUnclear: false,
    })
  })

  it("is no transaction of an order's cancelling that a refund which stands takes", () => {
    const other = aRefund({ id: "mpop_2", medusaRefundId: "ref_2" })
    const transactions = [
      aTransaction({ id: "one", referenceId: "pay_1" }),
      aTransaction({ id: "two", referenceId: "pay_1" }),
    ]
    const records = shown({
      order: { ...ORDER, isCanceled: true },
      rows: [aRow({ id: "ref_2" })],
      transactions,
    })
    expect(decideUndo(FAILED, { records, refunds: [FAILED, other] }).transactionIds).toEqual([
      "two",
    ])
  })

  it("is no line where another's workflow has written its transaction", () => {
    const wrong = ofFailed({
      rows: [BOUND],
      transactions: [aTransaction({ amount: "3" })],
      creditLines: [aCreditLine({ amount: "3" })],
    })
    expect(decideUndo(FAILED, wrong)).toMatchObject({
      creditLineIds: [],
      transactionIds: ["ordtrx_1"],
    })
  })
})

describe("what the sweep removes", () => {
  const USD = anOperation({}).amount.currency
  const swept = (given: Partial<RefundRecords>, ...refunds: readonly Operation[]) =>
    decideSweep(USD, { records: shown(given), refunds })

  it("is the row of a dead process, with what another's workflow wrote for it", () => {
    const given = aTransaction({ id: "given", referenceId: "ref_9" })
    expect(swept({ rows: [UNOWNED], transactions: [given] })).toEqual({
      ...NOTHING,
      rowIds: ["ref_9"],
      transactionIds: ["given"],
    })
  })

  it("is no row that is young, has its own transaction, or is of less than the smallest coin", () => {
    const young = { ...UNOWNED, ageMs: 9 * MINUTE }
    const own = aTransaction({ referenceId: "ref_9", amount: "5", ageMs: 20 * MINUTE })
    expect(swept({ rows: [young] })).toEqual(NOTHING)
    expect(swept({ rows: [UNOWNED], transactions: [own] })).toEqual(NOTHING)
    expect(swept({ rows: [{ ...UNOWNED, amount: "0.001" }] })).toEqual(NOTHING)
  })

  it("is what cancelling wrote beyond one for each refund of the amount, a minute old", () => {
    const canceled = (id: string, ageMs = 10 * MINUTE) =>
      aTransaction({ id, referenceId: "pay_1", ageMs })
    const transactions = [canceled("one"), canceled("two"), canceled("new", 30 * SECOND)]
    expect(swept({ rows: [BOUND], transactions }, aRefund()).transactionIds).toEqual(["two"])
    expect(swept({ transactions }, aRefund({ state: "submitted" })).transactionIds).toEqual(["two"])
    expect(swept({ transactions }).transactionIds).toEqual(["one", "two"])
  })

  it("is nothing of a bound row: its own refund repairs that", () => {
    const wrong = aTransaction({ amount: "3" })
    expect(swept({ rows: [{ ...BOUND, ageMs: 20 * MINUTE }] }, aRefund())).toEqual(NOTHING)
    expect(swept({ rows: [BOUND], transactions: [wrong] }, aRefund())).toEqual(NOTHING)
  })
})
