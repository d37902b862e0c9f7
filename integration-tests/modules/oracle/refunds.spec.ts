/** The oracle finds each breach about refunds, and nothing where all is well. */
import {
  aRefund,
  backInBook,
  eventsOf,
  evidence,
  paidDocument,
  paidEvents,
  paidExecution,
  type Parts,
  recorded,
  refundParts,
  second,
} from "../../support/oracle-scenes"
import { violations } from "../../support/violations"

/** 1.00 more than asked for was taken; it is completed, not recorded, and no check is due. */
function overpaid(reservedRefundMinor: bigint): Parts {
  const parts = refundParts({ state: "in_flight" }, { amount: "1.00", status: "PROCESSING" })
  const taken = { ...paidDocument, reportedAmount: "20.99" }
  const owed = { ...recorded, isRecorded: false, collectedMinor: 2_099n, reservedRefundMinor }
  const refund = { ...aRefund("in_flight"), amountMinor: reservedRefundMinor, dueInSeconds: 60 }
  return {
    ...parts,
    documents: [taken],
    operations: [owed, refund],
    events: [...paidEvents, ...eventsOf("mpop_9", "draft", "submit", "see")],
  }
}

describe("the oracle of refunds", () => {
  it("is silent about a refund that the book has, and about one under way", () => {
    expect(violations(evidence(refundParts({})), { isQuiet: true })).toEqual([])
    const open = refundParts({ state: "in_flight" }, { status: "PROCESSING" })
    const watched = open.operations?.map((one) => ({ ...one, dueInSeconds: 60 }))
    const seen = [...paidEvents, ...eventsOf("mpop_9", "draft", "submit", "see")]
    expect(violations(evidence({ ...open, operations: watched ?? [], events: seen }))).toEqual([])
  })

  it("needs no check of a payment that waits for a refund of more than its difference", () => {
    const found = violations(evidence(overpaid(101n)))
    expect(found).not.toContainEqual(expect.stringMatching(/^I7/))
  })

  it.each<[string, RegExp, Parts]>([
    [
      "refunds beyond what came",
      /^I4.*more reserved/,
      { operations: [{ ...recorded, reservedRefundMinor: 2_000n }] },
    ],
    [
      "a reserve that no refund takes",
      /^I4.*500 reserved/,
      { operations: [{ ...recorded, reservedRefundMinor: 500n }] },
    ],
    [
      "a refund that takes what is not reserved",
      /^I4.*0 reserved/,
      { ...refundParts({ state: "in_flight" }), operations: [recorded, aRefund("in_flight")] },
    ],
    [
      "more that went back than came, by the book",
      /^I4: 2000 of 1999/,
      refundParts({ state: "completed" }, { amount: "20.00" }),
    ],
    [
      "two refunds of one payment, by the book",
      /^I4: 3998 of 1999/,
      {
        ...refundParts({ state: "completed" }),
        refunds: [backInBook, { ...backInBook, reference: second, status: "PROCESSING" }],
      },
    ],
    [
      "a refund of what was never charged",
      /^I4: 1999 of 0/,
      { ...refundParts({}), executions: [{ ...paidExecution, charges: 0 }] },
    ],
    ["a refund that the ledger does not know", /^I4: nobody/, { refunds: [backInBook] }],
    [
      "a refund completed without the book",
      /^I4: the refund mpop_9.*word/,
      refundParts({ state: "completed" }, { status: "PROCESSING" }),
    ],
    [
      "a refund called failed that went back, and that is not watched",
      /^I4: mpop_9 is failed/,
      { ...refundParts({}), operations: [recorded, aRefund("failed")] },
    ],
    [
      "a payment called returned of which nothing went back",
      /^I4.*is returned; 0/,
      { operations: [{ ...recorded, isReturned: true }] },
    ],
    [
      "a payment that went back and is not called returned",
      /^I4.*not returned; 1999/,
      {
        ...refundParts({ state: "completed" }),
        operations: [
          { ...recorded, reservedRefundMinor: 1_999n, refundedMinor: 1_999n },
          aRefund("completed"),
        ],
      },
    ],
    [
      "a payment that is owed to Medusa once its difference is back",
      /^I7: mpop_1 is completed and nobody/,
      overpaid(100n),
    ],
  ])("finds %s", (_name, breach, given) => {
    expect(violations(evidence(given))).toContainEqual(expect.stringMatching(breach))
  })
})
