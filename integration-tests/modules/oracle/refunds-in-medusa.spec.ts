/** The oracle finds refunds in Medusa that did not happen, and missing ones that did. */
import type { MoneyOutView } from "../../../packages/simulator/src/book/money-out-view"
import type { Evidence, LedgerOperation, MedusaPayment } from "../../support/evidence"
import { medusaRefundViolations } from "../../support/medusa-refund-violations"

const ROW = { id: "ref_1", amount: "19.99", createdBy: "user_ada" }
const SHOWN: NonNullable<MedusaPayment["refunds"]> = {
  rows: [ROW],
  transactions: [{ referenceId: "ref_1", amount: "19.99" }],
  ofCollection: "19.99",
  rowsOfCollection: "19.99",
  ofOrder: { summary: "19.99", transactions: "19.99" },
}
const NOTHING: NonNullable<MedusaPayment["refunds"]> = {
  rows: [],
  transactions: [],
  ofCollection: "0",
  rowsOfCollection: "0",
  ofOrder: { summary: "0", transactions: "0" },
}

function found(
  refund: Partial<LedgerOperation>,
  refunds: MedusaPayment["refunds"],
  status: MoneyOutView["status"] = "COMPLETED",
): string[] {
  const operation: Partial<LedgerOperation> = {
    id: "mpop_9",
    type: "REFUND",
    state: "completed",
    isDuplicate: false,
    collectionId: "pay_col_1",
    sessionId: "payses_1",
    reference: "one",
    isRecorded: true,
    dueInSeconds: null,
    medusa: { rowId: "ref_1", amount: "19.99", isUndone: false },
    ...refund,
  }
  const payment: Partial<MedusaPayment> = {
    id: "pay_1",
    sessionId: "payses_1",
    collectionId: "pay_col_1",
    currency: "USD",
    orderId: "order_1",
    ...(refunds ? { refunds } : {}),
  }
  const back: Partial<MoneyOutView> = {
    reference: "one",
    amount: "19.99",
    currency: "USD",
    status,
  }
  const evidence = {
    ledger: { operations: [operation], events: [], dump: [] },
    medusa: { payments: [payment], sessionData: [] },
    book: { refunds: () => [back], executions: () => [], documents: () => [] },
    output: { texts: [], secrets: [], phones: [] },
  }
  return medusaRefundViolations(evidence as unknown as Evidence)
}

const UNDONE = { state: "failed", medusa: { rowId: "ref_1", amount: "19.99", isUndone: true } }

it("the oracle of Medusa's refunds is silent where Medusa shows exactly what went back", () => {
  expect(found({}, SHOWN)).toEqual([])
  expect(found(UNDONE, NOTHING, "FAILED")).toEqual([])
  expect(found({ isRecorded: false, dueInSeconds: 5 }, NOTHING)).toEqual([])
  const ofTheCanceling = { ...SHOWN, transactions: [{ referenceId: "pay_1", amount: "19.99" }] }
  expect(found({}, ofTheCanceling)).toEqual([])
})

it.each([
  ["a refund that is not brought to Medusa", { isRecorded: false }, NOTHING, "COMPLETED", /^I7/],
  ["a failed one that is not taken out", { state: "failed" }, SHOWN, "FAILED", /^I7/],
  ["a recorded one without a row", {}, { ...SHOWN, rows: [] }, "COMPLETED", /^I2.*0 rows and 1/],
  ["one without transaction", {}, { ...SHOWN, transactions: [] }, "COMPLETED", /^I2.*1 rows and 0/],
  [
    "one that is there twice",
    {},
    { ...SHOWN, rows: [ROW, { ...ROW, id: "ref_2", createdBy: "mp_operation:mpop_9" }] },
    "COMPLETED",
    /^I2.*2 rows/,
  ],
  ["a row of what failed", UNDONE, { ...NOTHING, rows: [ROW] }, "FAILED", /^I3.*still shows/],
  [
    "a transaction of what failed",
    UNDONE,
    { ...NOTHING, transactions: SHOWN.transactions },
    "FAILED",
    /^I3.*still shows/,
  ],
  [
    "a transaction of another amount",
    {},
    { ...SHOWN, transactions: [{ referenceId: "ref_1", amount: "3" }] },
    "COMPLETED",
    /^I2: the order.*of 3 for a refund of 19.99/,
  ],
  [
    "a transaction of a row that is gone",
    {},
    { ...SHOWN, transactions: [...SHOWN.transactions, { referenceId: "ref_8", amount: "19.99" }] },
    "COMPLETED",
    /^I2: the order.*a refund that there is not/,
  ],
  ["more than went back", {}, SHOWN, "FAILED", /^I3.*0 went back/],
  ["a collection's old sum", UNDONE, { ...NOTHING, ofCollection: "5" }, "FAILED", /^I2: the coll/],
  [
    "an order's old sum",
    UNDONE,
    { ...NOTHING, ofOrder: { summary: "5", transactions: "0" } },
    "FAILED",
    /^I2: the order/,
  ],
] as const)("finds %s", (_what, refund, refunds, status, sentence) => {
  expect(found(refund, refunds, status)).toContainEqual(expect.stringMatching(sentence))
})
