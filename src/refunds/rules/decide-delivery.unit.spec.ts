import { anOperation, MINUTE, SECOND } from "../../../integration-tests/support/an-operation"
import {
  aCreditLine,
  aRefund,
  aTransaction,
  BOUND,
  known,
  UNOWNED,
  shown,
} from "../../../integration-tests/support/refund-records-fixture"
import type { Operation } from "../../core/operation"
import type { HostTransaction, RefundRecords } from "../../core/host-records"
import { decideSweep, lineOf } from "./decide-delivery"

describe("the credit line of a refund", () => {
  const of = (transaction: HostTransaction, given: Partial<RefundRecords>) => {
    const line = lineOf(transaction, known({ rows: [BOUND], ...given }))
    return line === "unclear" ? line : line?.ids
  }
  const transaction = aTransaction()
  const alone = (creditLines: RefundRecords["creditLines"]) =>
    of(transaction, { transactions: [transaction], creditLines })

  it("is the one that made the next version", () => {
    const lines = [
      aCreditLine({ ids: ["before"], madeVersion: 1 }),
      aCreditLine({ ids: ["own", "copy"], madeVersion: 2 }),
      aCreditLine({ ids: ["after"], madeVersion: 3 }),
    ]
    expect(alone(lines)).toEqual(["own", "copy"])
  })

  it("is the one that names its row", () => {
    expect(alone([aCreditLine({ ids: ["named"], referenceId: "ref_1" }), aCreditLine()])).toEqual([
      "named",
    ])
  })

  it("is smaller where Medusa owed a part already, and none where it owed all", () => {
    expect(alone([aCreditLine({ ids: ["rest"], amount: "9.99" })])).toEqual(["rest"])
    expect(alone([])).toBeUndefined()
  })

  it("is not known where it is larger: it is of several payments together", () => {
    expect(alone([aCreditLine({ amount: "25" })])).toBe("unclear")
    expect(alone([aCreditLine({ amount: "25", isRemoved: true })])).toBeUndefined()
  })

  it("is not known where two were written at the same moment, whatever their amounts", () => {
    const other = aTransaction({ id: "other", paymentId: "pay_2", amount: "3" })
    const given = { transactions: [transaction, other], creditLines: [aCreditLine()] }
    expect([of(transaction, given), of(other, given)]).toEqual(["unclear", "unclear"])
  })

  it("is known beside what was written for no refund at the same moment, and beside a named one", () => {
    const given = aTransaction({ id: "given", referenceId: "ref_9" })
    const records = {
      rows: [UNOWNED, BOUND],
      transactions: [given, transaction],
      creditLines: [aCreditLine({ ids: ["named"], referenceId: "ref_7" }), aCreditLine()],
    }
    expect(of(transaction, records)).toEqual(["ordcl_1"])
    expect(of(given, records)).toBeUndefined()
  })
})

describe("what the sweep removes", () => {
  const NOTHING = { creditLineIds: [], transactionIds: [], rowIds: [], added: null }
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
