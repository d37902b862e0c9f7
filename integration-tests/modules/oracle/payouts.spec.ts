/** The oracle finds each breach about payouts, and nothing where all is well. */
import type { MoneyOutView } from "../../../packages/simulator/src/book/money-out-view"
import type { LedgerOperation } from "../../support/evidence"
import { violations } from "../../support/violations"

const REFERENCE = "3f1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b"

const paidOut: MoneyOutView = {
  reference: REFERENCE,
  operationType: "PAYOUT",
  ownerId: 1,
  paymentIntentId: 8_000_001,
  sessionId: 60_001,
  walletId: 1,
  toWalletId: null,
  accountId: 70_001,
  originalReference: null,
  originalPaymentIntentId: null,
  phone: "231770999456",
  method: "OPERATOR1_MOMO_LBR",
  origin: "plan",
  status: "COMPLETED",
  settlesAs: "COMPLETED",
  createdAtMs: 0,
  completedAtMs: 3_000,
  failedAtMs: null,
  moves: 1,
  timesCalled: 1,
  amount: "19.99",
  currency: "USD",
  payerAmount: "20.49",
  payerCurrency: "USD",
  payeeAmount: "19.99",
  payeeCurrency: "USD",
}

const completed: LedgerOperation = {
  id: "mpop_1",
  state: "completed",
  type: "PAYOUT",
  isDuplicate: false,
  flow: "push",
  collectionId: "null",
  sessionId: "null",
  amountMinor: 1_999n,
  currency: "USD",
  collectedMinor: null,
  reservedRefundMinor: 0n,
  refundedMinor: 0n,
  parentId: null,
  sourceId: null,
  reference: REFERENCE,
  idempotencyKey: "one-key",
  isSubmitted: true,
  isRecorded: false,
  isReturned: false,
  dueInSeconds: null,
  version: 3,
}

const NAMES: Readonly<Record<string, readonly string[]>> = {
  completed: ["draft", "submit", "complete"],
  failed: ["draft", "submit", "fail"],
  review: ["draft", "submit", "doubt"],
}
const STATES = (state: string) => ["drafted", "submitted", state]

function found(
  rows: readonly LedgerOperation[],
  money: readonly Partial<MoneyOutView>[],
  options: { isQuiet?: boolean } = {},
): string[] {
  return violations(
    {
      book: {
        documents: () => [],
        executions: () => [],
        refunds: () => [],
        payouts: () => money.map((one) => ({ ...paidOut, ...one })),
        transfers: () => [],
      },
      ledger: {
        operations: rows,
        events: rows.flatMap(({ id, state }) =>
          (NAMES[state] ?? []).map((name, index) => ({
            operationId: id,
            seq: index + 1,
            name,
            state: STATES(state)[index] ?? "",
          })),
        ),
        dump: [],
      },
      output: { texts: [], secrets: [], phones: [] },
    },
    options,
  )
}

it("the oracle of payouts is silent about a payout that the gateway confirms", () => {
  expect(found([completed], [{}])).toEqual([])
})

it.each([
  ["money that the ledger does not know", [], [{}], "nobody knows"],
  ["another amount", [completed], [{ amount: "19.98" }], "is not what was sent"],
  ["another currency", [completed], [{ currency: "LRD" }], "is not what was sent"],
  ["another kind", [{ ...completed, type: "TRANSFER" }], [{}], "is not what was sent"],
  ["a payout that was sent twice", [completed], [{ timesCalled: 2 }], "was sent 2 times"],
  [
    "a failed payout that went out",
    [{ ...completed, state: "failed" }],
    [{}],
    "its money went out",
  ],
  [
    "a completed payout that is on its way",
    [completed],
    [{ status: "PROCESSING" }],
    "without the gateway's",
  ],
  [
    "one key for two",
    [completed, { ...completed, id: "mpop_2", state: "review", reference: null }],
    [{}],
    "was used for two",
  ],
] as const)("the oracle of payouts finds %s (I9)", (_name, rows, money, sentence) => {
  expect(found(rows, money).join()).toContain(sentence)
})

it("the oracle of payouts is silent about money that went out after its end while it is still checked", () => {
  const watched = { ...completed, state: "failed", dueInSeconds: 60 }
  expect(found([watched], [{}])).toEqual([])
  expect(found([watched], [{}], { isQuiet: true }).join()).toContain("its money went out")
})
