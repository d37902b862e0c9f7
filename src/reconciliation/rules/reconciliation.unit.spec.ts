/** Which difference each disagreement of the three sides is, and what is none. */
import {
  afterNoon,
  anOperation,
  currency,
  DAY,
  HOUR,
  money,
  NOON,
} from "../../../integration-tests/support/an-operation"
import { sourceReference } from "../../core/source-reference"
import { MESSAGES } from "../../core/messages"
import type { MedusaOperation } from "../../core/operation"
import {
  compareSides,
  sourcesToClose,
  type GatewaySource,
  type SidesOfPeriod,
} from "./reconciliation"
import type { MedusaPayment } from "../../core/medusa-records"

const ID = "mpop_0123456789ab4def8123456789abcdef"

const recorded = anOperation({
  id: ID,
  state: "completed",
  recordedAt: NOON,
  collected: money(1_999),
  orderId: "order_1",
})
const failed = anOperation({ id: ID, state: "failed" })
const returned = {
  ...recorded,
  reservedRefundMinor: 1_999n,
  refundedMinor: 1_999n,
}
const source: GatewaySource = {
  sourceType: "ORDER",
  sourceId: 30_001,
  reference: sourceReference(ID),
  status: "PAID",
  total: money(1_999),
}
const payment: MedusaPayment = {
  id: "pay_1",
  sessionId: "payses_1",
  currency: "usd",
  isCaptured: true,
  isCanceled: false,
  capturedAmount: "19.985",
  refundedAmount: "0",
  orderId: "order_1",
  isOrderCanceled: false,
  isOrderOpen: false,
}
const with_ = <T>(one: T, given: Partial<T>): T => ({ ...one, ...given })

function sides(given: Partial<SidesOfPeriod> = {}): SidesOfPeriod {
  return {
    sources: [source],
    listed: ["ORDER"],
    operations: [recorded],
    unaskableIds: [],
    unclearIds: [],
    restBack: new Map(),
    payments: [payment],
    ...given,
  }
}

const owed = with_(recorded, { recordedAt: null })
const canceled = with_(payment, { isOrderCanceled: true })
const leftOpen = with_(payment, { isOrderOpen: true })
const reads = (status: string) => [with_(source, { status })]
const ended = { operations: [failed], payments: [] }
const unknown = { operations: [], payments: [] }
const unknownWith = (given: Partial<typeof source>) => ({
  ...unknown,
  sources: [with_(source, given)],
})

const ROWS: readonly (readonly [
  what: string,
  sides: Partial<SidesOfPeriod>,
  codes: readonly string[],
])[] = [
  ["a paid and recorded order", {}, []],
  ["[B22] a restored database: no row for a paid document", unknown, ["paid_unknown_to_ledger"]],
  ["a paid document of another program's", unknownWith({ reference: "INV-7" }), []],
  ["a paid document without a reference", unknownWith({ reference: null }), []],
  ["a paid document of another shop", unknownWith({ isUnmarked: true }), ["paid_elsewhere"]],
  ["an open document of nobody's", { sources: reads("ACTIVE"), operations: [], payments: [] }, []],
  ["[B06] late money", ended, ["paid_after_end"]],
  [
    "[B05] late money of an expired page",
    { ...ended, operations: [with_(failed, { state: "expired" })] },
    ["paid_after_end"],
  ],
  [
    "late money on a document that the ledger never learned of",
    { ...ended, operations: [with_(failed, { state: "expired", sourceId: null })] },
    ["paid_after_end"],
  ],
  [
    "money that a person dismissed",
    { ...ended, operations: [with_(failed, { collected: money(1_999) })] },
    [],
  ],
  [
    "[B36] more than a person saw when they dismissed it",
    { ...ended, operations: [with_(failed, { collected: money(1_998) })] },
    ["paid_after_end"],
  ],
  [
    "[B15] a second document of a payment that a person dismissed",
    {
      ...ended,
      sources: [source, with_(source, { sourceId: 2 })],
      operations: [with_(failed, { collected: money(1_999) })],
    },
    ["paid_twice"],
  ],
  [
    "a cancelled document of money that came and went back",
    {
      sources: reads("CANCELED"),
      operations: [with_(returned, { recordedAt: null, returnedAt: NOON })],
      payments: [],
    },
    ["paid_not_listed"],
  ],
  [
    "money that waits for a person",
    { ...ended, operations: [with_(failed, { state: "review", collected: failed.amount })] },
    [],
  ],
  [
    "[B15] a second document of one payment",
    { sources: [source, with_(source, { sourceId: 2 })] },
    ["paid_twice"],
  ],
  [
    "[B15] a second document of a payment under way",
    {
      sources: [with_(source, { sourceId: 2 })],
      operations: [anOperation({ id: ID })],
      payments: [],
    },
    ["paid_twice"],
  ],
  [
    "money under way",
    { operations: [anOperation({ id: ID })], payments: [] },
    ["paid_not_completed"],
  ],
  [
    "a document that was taken over, and paid by its heir",
    { operations: [with_(failed, { id: "mpop_2" }), recorded] },
    [],
  ],
  ["money that Medusa is still to be told of", { operations: [owed], payments: [] }, []],
  [
    "money that Medusa was not told of for hours",
    { operations: [with_(owed, { readAt: afterNoon(3 * HOUR) })], payments: [] },
    ["paid_not_recorded"],
  ],
  [
    "money on its way back, not recorded",
    {
      operations: [with_(owed, { readAt: afterNoon(DAY), reservedRefundMinor: 1n })],
      payments: [],
    },
    [],
  ],
  [
    "[B07] a document that reads otherwise",
    { sources: reads("CANCELED") },
    ["completed_but_reads_otherwise"],
  ],
  ["[B07] a document that is not listed", { sources: [] }, ["completed_but_reads_otherwise"]],
  ["a document of a kind that could not be listed", { sources: [], listed: [] }, []],
  ["[B22] a document that reads refunded", { sources: reads("REFUNDED") }, ["refund_unknown"]],
  [
    "a document that reads refunded, by us",
    {
      sources: reads("REFUNDED"),
      operations: [with_(recorded, { reservedRefundMinor: 1_999n })],
      payments: [with_(payment, { refundedAmount: "19.985" })],
    },
    [],
  ],
  [
    "[B22] money that Medusa gave back by itself",
    { payments: [with_(payment, { refundedAmount: "5" })] },
    ["refund_unknown"],
  ],
  ["recorded money that Medusa does not hold", { payments: [] }, ["recorded_not_captured"]],
  [
    "recorded money whose payment was cancelled",
    { payments: [with_(payment, { isCanceled: true })] },
    ["recorded_not_captured"],
  ],
  [
    "[B10] a document of another amount",
    { sources: [with_(source, { total: money(1_998) })] },
    ["amount_differs"],
  ],
  [
    "[B11] a document in another currency",
    { sources: [with_(source, { total: money(1_999, "LRD") })] },
    ["amount_differs"],
  ],
  [
    "a capture of another amount",
    { payments: [with_(payment, { capturedAmount: "24.99" })] },
    ["amount_differs"],
  ],
  [
    "a capture that nobody can read",
    { payments: [with_(payment, { capturedAmount: "many" })] },
    ["amount_differs"],
  ],
  ["[B29] a cancelled order with its money", { payments: [canceled] }, ["order_canceled_but_paid"]],
  [
    "a cancelled order whose money was given back",
    {
      operations: [with_(recorded, { reservedRefundMinor: 1_999n })],
      payments: [with_(canceled, { refundedAmount: "19.985" })],
    },
    [],
  ],
  [
    "a capture without an operation",
    { sources: [], operations: [] },
    ["captured_without_operation"],
  ],
  [
    "a capture of less than any payer can pay",
    { sources: [], operations: [], payments: [with_(payment, { capturedAmount: "0.001" })] },
    [],
  ],
  ["a capture of a failed payment", { sources: [], operations: [failed] }, ["recorded_not_paid"]],
  [
    "a payment that is not captured",
    { sources: [], operations: [failed], payments: [with_(payment, { isCaptured: false })] },
    [],
  ],
  [
    "money that was returned",
    { operations: [with_(recorded, { returnedAt: NOON })], payments: [] },
    [],
  ],
  [
    "[B35] recorded money that went back, and Medusa calls it paid",
    { operations: [with_(returned, { returnedAt: NOON })] },
    ["returned_not_in_medusa"],
  ],
  [
    "[B35] a part of it that Medusa does not show",
    {
      operations: [with_(recorded, { reservedRefundMinor: 1_000n, refundedMinor: 1_000n })],
      payments: [with_(payment, { refundedAmount: "5" })],
    },
    ["returned_not_in_medusa"],
  ],
  [
    "an order that a refund left open, whose credit line is not known",
    { payments: [leftOpen], unclearIds: [ID] },
    ["credit_line_unclear"],
  ],
  [
    "the same after all of its money went back",
    {
      operations: [with_(returned, { returnedAt: NOON })],
      payments: [with_(leftOpen, { refundedAmount: "19.985" })],
      unclearIds: [ID],
    },
    ["credit_line_unclear"],
  ],
  ["an order that is even again", { unclearIds: [ID] }, []],
  ["an order that is open for a reason of its own", { payments: [leftOpen] }, []],
  [
    "[B35] recorded money that went back through Medusa",
    {
      operations: [with_(returned, { returnedAt: NOON })],
      payments: [with_(payment, { refundedAmount: "19.985" })],
    },
    [],
  ],
  [
    "[P28] a document that was asked about by itself",
    { sources: reads("CANCELED"), listed: [] },
    ["completed_but_reads_otherwise"],
  ],
]

it.each(ROWS)("%s", (_what, given, codes) => {
  expect(compareSides(sides(given)).map(({ code }) => code)).toEqual(codes)
})

it("every code has its case", () => {
  const covered = new Set(ROWS.flatMap(([, , codes]) => codes))
  expect(Object.keys(MESSAGES.difference).filter((code) => !covered.has(code))).toEqual([])
})

it("a difference names what each book says, exactly", () => {
  const [difference] = compareSides(sides({ sources: [with_(source, { total: money(5, "LRD") })] }))
  expect(difference).toEqual({
    code: "amount_differs",
    operation_id: ID,
    source_type: "ORDER",
    source_id: 30_001,
    document_reference: sourceReference(ID),
    gateway_status: "PAID",
    state: "completed",
    payment_id: null,
    order_id: "order_1",
    gateway_amount: { amount: "0.05", currency: "LRD" },
    ledger_amount: { amount: "19.99", currency: "USD" },
    medusa_amount: null,
  })
})

describe("a document that is open at the gateway", () => {
  const open = with_(source, { status: "ACTIVE" })
  const late = afterNoon(2 * HOUR)
  const to = (given: Partial<MedusaOperation>) => [anOperation({ id: ID, ...given })]
  it.each([
    ["of a payment under way", to({}), false],
    ["of money in review", to({ state: "review" }), false],
    ["of nobody's", [], false],
    [
      "of another program's, beside our payments",
      [anOperation({ id: "mpop_2", sourceId: 7 })],
      false,
    ],
    [
      "of a draft whose making of it may still be answered",
      to({ state: "drafted", sourceId: null }),
      false,
    ],
    ["of a draft that went on with another", to({ state: "drafted", sourceId: 7 }), true],
    ["of a payment that went on with another", to({ sourceId: 7 }), true],
    [
      "of an expired draft that never learned of it",
      to({ state: "expired", sourceId: null }),
      true,
    ],
    ["of a failed push that can be tried again", to({ state: "failed" }), false],
    ["of a failed push that can't", to({ state: "failed", readAt: late }), true],
    [
      "that a new try has taken over",
      [...to({ state: "failed", readAt: late }), anOperation({ id: "mpop_2" })],
      false,
    ],
    ["of another kind with the same number", to({ sourceType: "INVOICE", sourceId: 30_001 }), true],
  ])("%s", (_what, operations, isClosed) => {
    expect(sourcesToClose({ sources: [open], operations, unaskableIds: [] })).toEqual(
      isClosed ? [open] : [],
    )
    for (const status of ["PROCESSING", "HELD"]) {
      const sources = [with_(open, { status })]
      expect(sourcesToClose({ sources, operations, unaskableIds: [] })).toEqual([])
    }
  })
})

it("[B23] another merchant's documents with the same numbers say nothing about our operations", () => {
  const foreign = with_(source, { reference: "INV-7" })
  const given = sides({ sources: [foreign], unaskableIds: [ID] })
  expect(compareSides(given)).toEqual([])
  expect(compareSides({ ...given, operations: [failed], payments: [] })).toEqual([])
  const open = [with_(foreign, { status: "ACTIVE" })]
  const expired = [with_(failed, { state: "expired" })]
  const asked = { sources: open, operations: expired }
  expect(sourcesToClose({ ...asked, unaskableIds: [ID] })).toEqual([])
  expect(sourcesToClose({ ...asked, unaskableIds: [] })).toEqual(open)
})

it.each([
  ["recorded", recorded, [payment]],
  ["ended", failed, []],
  ["under way", with_(recorded, { state: "in_flight", recordedAt: null }), []],
] as const)(
  "[B23] before the new credentials are proven, a payment that is %s is neither doubled nor closed",
  (_what, operation, payments) => {
    const given = { operations: [operation], unaskableIds: [ID], payments }
    expect(compareSides(sides(given))).toEqual([])
    const open = { sources: [with_(source, { status: "ACTIVE" })], operations: [operation] }
    expect(sourcesToClose({ ...open, unaskableIds: [ID] })).toEqual([])
  },
)

it("amounts are compared as money, not as text", () => {
  const same = with_(source, { total: { minor: 1_999n, currency: currency("usd") } })
  expect(compareSides(sides({ sources: [same] }))).toEqual([])
})
