/** What each book adds up to, and which payments are in the sum. */
import {
  afterNoon,
  anOperation,
  DAY,
  money,
  NOON,
} from "../../../integration-tests/support/an-operation"
import { sourceReference } from "../../core/source-reference"
import type { MedusaOperation } from "../../core/operation"
import type { GatewaySource, SidesOfPeriod } from "./reconciliation"
import type { MedusaPayment } from "../../core/medusa-records"
import { totalsOf, type TotalsOf } from "./reconciliation-totals"

const PERIOD = { from: afterNoon(-DAY / 2), until: afterNoon(DAY / 2) }
const NONE = { count: 0, amount: "0.00" }

let made = 0

/** A payment that all three sides hold, unless it is said otherwise. */
function paid(given: Partial<MedusaOperation> = {}, captured = "19.99") {
  made += 1
  const hex = String(made).padStart(12, "0")
  const operation = anOperation({
    id: `mpop_0123456789ab4def8123${hex}`,
    state: "completed",
    collected: given.amount ?? money(1_999),
    recordedAt: NOON,
    paymentSessionId: `payses_${made}`,
    sourceId: made,
    createdAt: NOON,
    ...given,
  })
  const source: GatewaySource = {
    sourceType: "ORDER",
    sourceId: made,
    reference: sourceReference(operation.id),
    status: "PAID",
    total: operation.amount,
    touchedAt: NOON,
  }
  const payment: MedusaPayment = {
    id: `pay_${made}`,
    sessionId: operation.paymentSessionId,
    currency: operation.amount.currency.toLowerCase(),
    isCaptured: true,
    isCanceled: false,
    capturedAmount: captured,
    refundedAmount: "0",
    orderId: null,
    isOrderCanceled: false,
    isOrderOpen: false,
  }
  return { operation, source, payment }
}

function totals(
  all: readonly ReturnType<typeof paid>[],
  given: Partial<SidesOfPeriod & TotalsOf> = {},
) {
  return totalsOf({
    sides: {
      sources: all.map(({ source }) => source),
      listed: ["ORDER", "INVOICE"],
      operations: all.map(({ operation }) => operation),
      unaskableIds: [],
      unclearIds: [],
      restBack: new Map(),
      payments: all.map(({ payment }) => payment),
      ...given,
    },
    period: PERIOD,
    held: new Set(),
    refunds: [],
    medusaRefunds: [],
    ...given,
  })
}

it("three currencies are three sums, each exact, and equal on the three sides", () => {
  const thirds = [1, 2, 3].map(() => paid({ amount: money(6_662) }, "66.61775"))
  const other = [
    paid({ amount: money(10, "LRD") }, "0.1"),
    paid({ amount: money(20, "LRD") }, "0.2"),
    paid({ amount: money(7_666, "RWF") }, "7665.5"),
  ]
  expect(totals([...thirds, ...other])).toMatchObject([
    {
      currency: "LRD",
      gateway: { paid: { count: 2, amount: "0.30" }, elsewhere: NONE },
      ledger: { completed: { count: 2, amount: "0.30" }, under_review: NONE },
      medusa: { captured: { count: 2, amount: "0.30", exact: "0.3" } },
    },
    {
      currency: "RWF",
      gateway: { paid: { count: 1, amount: "7666" } },
      ledger: { completed: { count: 1, amount: "7666" } },
      medusa: { captured: { count: 1, amount: "7666", exact: "7665.5" } },
    },
    {
      currency: "USD",
      gateway: { paid: { count: 3, amount: "199.86" } },
      ledger: { completed: { count: 3, amount: "199.86" } },
      medusa: { captured: { count: 3, amount: "199.86", exact: "199.85325" } },
    },
  ])
})

it("a payment counts on all sides on the day on which it began", () => {
  const dayBefore = paid({ createdAt: afterNoon(-DAY) })
  expect(totals([dayBefore])).toEqual([])
  expect(totals([paid({ createdAt: PERIOD.from })])).toHaveLength(1)
  expect(totals([paid({ createdAt: PERIOD.until })])).toEqual([])
})

it("what only one side knows is in that side's sum alone", () => {
  const review = paid({ state: "review", recordedAt: null })
  const unknown = { ...paid().source, sourceId: 90_001 }
  const elsewhere = { ...unknown, sourceId: 90_002, reference: "INV-7" }
  const lone = { ...paid().payment, sessionId: "payses_nobody" }
  const [usd] = totals([], {
    operations: [review.operation],
    sources: [review.source, unknown, elsewhere],
    payments: [lone],
  })
  expect(usd).toMatchObject({
    gateway: {
      paid: { count: 2, amount: "39.98" },
      elsewhere: { count: 1, amount: "19.99" },
    },
    ledger: { completed: NONE, under_review: { count: 1, amount: "19.99" } },
    medusa: { captured: { count: 1, amount: "19.99" } },
  })
})

it("documents of another day that pay nothing here, and open ones, are in no sum", () => {
  const { source } = paid()
  const late = { ...source, touchedAt: afterNoon(DAY) }
  const open = { ...source, status: "ACTIVE" }
  expect(totals([], { sources: [late, open] })).toEqual([])
})

it("a gateway that could not be read whole has no sum", () => {
  expect(totals([paid()], { listed: ["ORDER"] })).toMatchObject([{ gateway: null }])
})

it("refunds stand on each side as it has them", () => {
  const refund = (minor: number, isConfirmed: boolean, isBesideMedusa = false) => ({
    amount: money(minor),
    isConfirmed,
    isUnderReview: false,
    isBesideMedusa,
  })
  const [usd] = totals([], {
    refunds: [
      refund(2_221, true),
      refund(2_221, false),
      refund(2_220, false),
      refund(5, true, true),
    ],
    medusaRefunds: [
      { currency: "usd", amount: "22.205916", minor: 2_221n },
      // No refund of ours stands for these: their sum is rounded, once.
      { currency: "usd", amount: "22.205917" },
      { currency: "usd", amount: "22.205917" },
    ],
  })
  expect(usd?.refunds).toEqual({
    gateway: { count: 2, amount: "22.26" },
    ledger: { count: 4, amount: "66.67" },
    under_way: { count: 2, amount: "44.41" },
    under_review: { count: 0, amount: "0.00" },
    recorded: { count: 3, amount: "66.62" },
    medusa: { count: 3, amount: "66.62", exact: "66.617750" },
  })
})

describe("the bridge", () => {
  const none = { count: 0, amount: "0.00" }
  const once = { count: 1, amount: "19.99" }
  const EMPTY = {
    recorded: none,
    under_review: none,
    given_back: none,
    dismissed: none,
    under_way: none,
    remainder: none,
  }
  /** The gateway lists it as paid; Medusa holds it where `isHeld`. */
  function bridge(given: Partial<MedusaOperation>, isHeld = false) {
    const one = paid({ recordedAt: null, ...given })
    const [usd] = totals([one], isHeld ? {} : { payments: [] })
    return usd?.bridge
  }

  it.each<[string, Partial<MedusaOperation>, boolean, string]>([
    ["recorded in Medusa", { recordedAt: NOON }, true, "recorded"],
    ["captured, and marked soon", {}, true, "recorded"],
    [
      "recorded, and given back after that",
      { recordedAt: NOON, returnedAt: NOON },
      true,
      "recorded",
    ],
    ["waiting for an admin", { state: "review" }, false, "under_review"],
    [
      "a duplicate that waits for an admin",
      { state: "review", isDuplicate: true },
      false,
      "under_review",
    ],
    ["sent straight back", { returnedAt: NOON }, false, "given_back"],
    ["dismissed by an admin", { state: "failed" }, false, "dismissed"],
    ["about to be confirmed", { state: "in_flight", collected: null }, false, "under_way"],
    ["about to be recorded", {}, false, "under_way"],
    [
      "ended without it, as far as the ledger knows",
      { state: "expired", collected: null },
      false,
      "remainder",
    ],
    ["recorded, and not in Medusa", { recordedAt: NOON }, false, "recorded"],
  ])("places money that is %s", (_name, given, isHeld, place) => {
    expect(bridge(given, isHeld)).toEqual({ ...EMPTY, [place]: once })
  })

  it("asks the try that has the money where a document was tried with twice", () => {
    const second = paid({ createdAt: NOON })
    const first = anOperation({
      ...second.operation,
      id: "mpop_first",
      paymentSessionId: "payses_first",
      state: "failed",
      collected: null,
      recordedAt: null,
    })
    const [usd] = totals([second], { operations: [first, second.operation] })
    expect(usd?.bridge).toEqual({ ...EMPTY, recorded: once })
  })

  it("has what this comparison has put under review where it is now", () => {
    const late = paid({ state: "failed", collected: null, recordedAt: null })
    const held = new Set([`ORDER ${late.source.sourceId}`])
    expect(totals([late], { payments: [], held })[0]?.bridge).toEqual({
      ...EMPTY,
      under_review: once,
    })
  })

  it("leaves what only one side knows, with its sign", () => {
    const lone = paid()
    expect(totals([lone], { operations: [] })[0]?.bridge?.remainder).toEqual(once)
    expect(totals([lone], { sources: [] })[0]?.bridge?.remainder).toEqual({
      count: -1,
      amount: "-19.99",
    })
  })

  it("is null where the gateway could not be read whole", () => {
    expect(totals([paid()], { listed: ["ORDER"] })[0]?.bridge).toBeNull()
  })
})
