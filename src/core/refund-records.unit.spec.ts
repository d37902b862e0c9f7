import {
  aCreditLine,
  aTransaction,
  BOUND,
  known,
  NOBODYS,
} from "../../integration-tests/support/refund-books-ground"
import { lineOf, type HostTransaction, type RefundRecords } from "./refund-records"

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
      rows: [NOBODYS, BOUND],
      transactions: [given, transaction],
      creditLines: [aCreditLine({ ids: ["named"], referenceId: "ref_7" }), aCreditLine()],
    }
    expect(of(transaction, records)).toEqual(["ordcl_1"])
    expect(of(given, records)).toBeUndefined()
  })
})
