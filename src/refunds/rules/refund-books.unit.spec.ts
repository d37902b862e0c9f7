import {
  aCreditLine,
  aTransaction,
  BOUND,
  known,
  NOBODYS,
} from "../../../integration-tests/support/refund-books-ground"
import { creditLineOf, type HostTransaction, type RefundBooks } from "./refund-books"

describe("the credit line of a refund", () => {
  const of = (transaction: HostTransaction, given: Partial<RefundBooks>) => {
    const line = creditLineOf(transaction, known({ rows: [BOUND], ...given }))
    return line === "unclear" ? line : line?.ids
  }

  it("is the one that made the next version", () => {
    const transaction = aTransaction()
    const creditLines = [
      aCreditLine({ ids: ["before"], madeVersion: 1 }),
      aCreditLine({ ids: ["own", "copy"], madeVersion: 2 }),
      aCreditLine({ ids: ["after"], madeVersion: 3 }),
    ]
    expect(of(transaction, { transactions: [transaction], creditLines })).toEqual(["own", "copy"])
  })

  it("is told from another of the same amount at the same moment by their order", () => {
    const [one, other] = [aTransaction({ id: "one" }), aTransaction({ id: "other" })]
    const given = {
      transactions: [one, other],
      creditLines: [
        aCreditLine({ ids: ["a"], madeVersion: 2 }),
        aCreditLine({ ids: ["b"], madeVersion: 3, isRemoved: true }),
      ],
    }
    expect([of(one, given), of(other, given)]).toEqual([["a"], ["b"]])
  })

  it("is the last one's where fewer were written: what was owed already has none", () => {
    const [owed, other] = [aTransaction({ id: "owed" }), aTransaction({ id: "other" })]
    const given = { transactions: [owed, other], creditLines: [aCreditLine()] }
    expect([of(owed, given), of(other, given)]).toEqual([undefined, ["ordcl_1"]])
  })

  it("is smaller where Medusa owed a part already, and none where it owed all", () => {
    const transaction = aTransaction()
    const transactions = [transaction]
    const creditLines = [aCreditLine({ ids: ["rest"], amount: "9.99" })]
    expect(of(transaction, { transactions, creditLines })).toEqual(["rest"])
    expect(of(transaction, { transactions, creditLines: [] })).toBeUndefined()
  })

  it("is none that is of several payments together", () => {
    const transaction = aTransaction()
    const creditLines = [aCreditLine({ amount: "25" })]
    expect(of(transaction, { transactions: [transaction], creditLines })).toBeUndefined()
  })

  it("is none's where a smaller one may be of either of two at once", () => {
    const [one, other] = [aTransaction({ id: "one" }), aTransaction({ id: "other" })]
    const creditLines = [aCreditLine({ amount: "9.99" })]
    expect(of(one, { transactions: [one, other], creditLines })).toBe("unclear")
  })

  it("is not told by what was written for nobody at the same moment, nor by what we named", () => {
    const own = aTransaction({ id: "own" })
    const given = aTransaction({ id: "given", referenceId: "ref_9" })
    const books = {
      rows: [NOBODYS, BOUND],
      transactions: [given, own],
      creditLines: [aCreditLine({ ids: ["named"], referenceId: "ref_7" }), aCreditLine()],
    }
    expect(of(own, books)).toEqual(["ordcl_1"])
  })
})
