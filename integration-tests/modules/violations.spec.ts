/** The oracle finds each breach that it is there for, and nothing where all is well. */
import { randomUUID } from "node:crypto"
import type { MoneyOutView } from "../../simulator/book/money-out-view"
import type { DocumentView, ExecutionView } from "../../simulator/book/view"
import {
  readLedger,
  readMedusa,
  type Evidence,
  type LedgerEvidence,
  type LedgerOperation,
  type MedusaEvidence,
  type MedusaPayment,
} from "../support/evidence"
import {
  advanced,
  startLedgerDatabase,
  submitted,
  type LedgerDatabase,
} from "../support/ledger-database"
import { violations } from "../support/violations"

const REFERENCE = "3f1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b"

const paidExecution: ExecutionView = {
  reference: REFERENCE,
  channel: "api",
  sourceReferenceId: "mpop_1",
  sourceId: 30_001,
  sessionId: 60_001,
  accountId: 70_001,
  paymentIntentId: 8_000_001,
  phone: "231770999456",
  method: "OPERATOR1_MOMO_LBR",
  origin: "scenario 00",
  status: "COMPLETED",
  settlesAs: "COMPLETED",
  createdAtMs: 0,
  completedAtMs: 3_000,
  failedAtMs: null,
  charges: 1,
  timesCalled: 1,
  payerAmount: "19.99",
  payerCurrency: "USD",
  payeeAmount: "19.99",
  payeeCurrency: "USD",
}

const paidDocument: DocumentView = {
  id: 30_001,
  type: "ORDER",
  number: "ORD-1",
  ownerId: 1,
  referenceId: "mpop_1",
  partyId: 1_001,
  partyPhone: "231770999456",
  status: "PAID",
  currency: "USD",
  totalAmount: "19.99",
  lines: [],
  feeBearer: "PAYEE",
  createdAtMs: 0,
  canceledAtMs: null,
  paidAtMs: 3_000,
  charges: 1,
  hostedPath: null,
}

const recorded: LedgerOperation = {
  id: "mpop_1",
  state: "completed",
  type: "COLLECTION",
  surplus: false,
  flow: "push",
  collectionId: "pay_col_1",
  sessionId: "payses_1",
  amountMinor: 1_999n,
  currency: "USD",
  collectedMinor: 1_999n,
  reservedRefundMinor: 0n,
  refundedMinor: 0n,
  parentId: null,
  sourceId: 30_001,
  reference: REFERENCE,
  isSubmitted: true,
  isRecorded: true,
  isReturned: false,
  dueInSeconds: null,
  version: 4,
}

const openDocument: DocumentView = { ...paidDocument, status: "ACTIVE", charges: 0, paidAtMs: null }

const captured: MedusaPayment = {
  id: "pay_1",
  sessionId: "payses_1",
  collectionId: "pay_col_1",
  providerId: "pp_mobile-money_merchant",
  amount: "19.985",
  currency: "USD",
  isCaptured: true,
  isCanceled: false,
  capturedAmount: "19.985",
  inOrderAmount: "19.985",
  orderId: "order_1",
  isOrderCanceled: false,
}

const STATES: Readonly<Record<string, string>> = {
  submit: "submitted",
  complete: "completed",
  fail: "failed",
  expire: "expired",
  see: "in_flight",
  strand: "review",
}
const eventsOf = (operationId: string, ...names: string[]) => {
  let state = "drafted"
  return names.map((name, index) => {
    state = STATES[name] ?? state
    return { operationId, seq: index + 1, name, state }
  })
}
const paidEvents = eventsOf("mpop_1", "draft", "submit", "complete", "recorded")

type Parts = {
  executions?: ExecutionView[]
  documents?: DocumentView[]
  refunds?: MoneyOutView[]
  operations?: LedgerOperation[]
  events?: LedgerEvidence["events"]
  payments?: MedusaPayment[]
  dump?: string[]
  texts?: string[]
  sessionData?: string[]
  orders?: MedusaEvidence["orders"]
}

/** One paid cart, all in order, but for what is given. */
function evidence(given: Parts = {}): Evidence {
  return {
    book: {
      executions: () => given.executions ?? [paidExecution],
      documents: () => given.documents ?? [paidDocument],
      refunds: () => given.refunds ?? [],
    },
    ledger: {
      operations: given.operations ?? [recorded],
      events: given.events ?? paidEvents,
      dump: given.dump ?? ["(mpop_1,completed,456)"],
    },
    medusa: {
      payments: given.payments ?? [captured],
      ...(given.orders ? { orders: given.orders } : {}),
      sessionData: given.sessionData ?? ['{"state":"paid"}'],
    },
    output: {
      texts: given.texts ?? ["merchant payments: mpop_1 is paid"],
      secrets: ["CANARY-secret"],
      phones: ["231770999456", "0770999456"],
    },
  }
}

const second = randomUUID()
const another: LedgerOperation = { ...recorded, id: "mpop_2", reference: second, sourceId: 30_002 }
const anotherPaid = { ...paidExecution, reference: second, sourceId: 30_002 }
const anotherDocument = { ...paidDocument, id: 30_002 }
const anotherEvents = [...paidEvents, ...eventsOf("mpop_2", "draft", "submit", "complete", "note")]
const failedEvents = [...paidEvents, ...eventsOf("mpop_2", "draft", "submit", "fail")]
const bothDocuments = [paidDocument, anotherDocument]
const closedEvent = { operationId: "mpop_1", seq: 4, name: "order_closed" }
const openOrder = { id: "order_1", collectionId: "pay_col_1", isCanceled: false }
const failed = { ...another, state: "failed", isRecorded: false, version: 3 }
const unpaid = {
  ...failed,
  collectionId: "pay_col_2",
  orderWindow: { endsInSeconds: -60, isDone: false },
}

const backInBook: MoneyOutView = {
  reference: "9d1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b",
  operationType: "REFUND",
  ownerId: 1,
  paymentIntentId: 8_000_002,
  sessionId: 60_002,
  walletId: 1,
  toWalletId: null,
  accountId: null,
  originalReference: REFERENCE,
  originalPaymentIntentId: 8_000_001,
  phone: null,
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
  payerAmount: "19.99",
  payerCurrency: "USD",
  payeeAmount: "19.99",
  payeeCurrency: "USD",
}

const aRefund = (state: string): LedgerOperation => ({
  ...recorded,
  id: "mpop_9",
  type: "REFUND",
  state,
  parentId: "mpop_1",
  collectedMinor: null,
  sourceId: null,
  reference: backInBook.reference,
  isRecorded: false,
  version: 3,
})

/** All of the payment goes back, and is counted so. */
function refundParts(
  { state = "completed" }: { readonly state?: string },
  inBook: Partial<MoneyOutView> = {},
): Parts {
  const isBack = state === "completed"
  return {
    refunds: [{ ...backInBook, ...inBook }],
    operations: [
      {
        ...recorded,
        reservedRefundMinor: 1_999n,
        refundedMinor: isBack ? 1_999n : 0n,
        isReturned: isBack,
      },
      aRefund(state),
    ],
    events: [...paidEvents, ...eventsOf("mpop_9", "draft", "submit", isBack ? "complete" : "note")],
  }
}

describe("the oracle", () => {
  it("is silent about a refund that the book has, and about one that it still works on", () => {
    expect(violations(evidence(refundParts({})), { isQuiet: true })).toEqual([])
    const open = refundParts({ state: "in_flight" }, { status: "PROCESSING" })
    const watched = open.operations?.map((one) => ({ ...one, dueInSeconds: 60 }))
    const seen = [...paidEvents, ...eventsOf("mpop_9", "draft", "submit", "see")]
    expect(violations(evidence({ ...open, operations: watched ?? [], events: seen }))).toEqual([])
  })

  it("lets no unpaid order wait for ever", () => {
    const left = (isDone: boolean) =>
      evidence({
        operations: [recorded, { ...unpaid, orderWindow: { endsInSeconds: -60, isDone } }],
        events: failedEvents,
        documents: bothDocuments,
        orders: [{ ...openOrder, collectionId: "pay_col_2" }],
      })
    expect(violations(left(true))).toEqual([])
    expect(violations(left(true), { isQuiet: true }).join()).toMatch(/I7.*for ever/)
  })

  it("is silent where all is well", () => {
    expect(violations(evidence(), { isQuiet: true })).toEqual([])
  })

  it("is silent while late money is still being watched for, and not once all is quiet", () => {
    const late = evidence({
      executions: [paidExecution, anotherPaid],
      documents: [paidDocument, anotherDocument],
      operations: [recorded, { ...failed, dueInSeconds: 120 }],
      events: failedEvents,
    })
    expect(violations(late)).toEqual([])
    expect(violations(late, { isQuiet: true }).join()).toMatch(/I1.*I2/)
  })

  it("is silent about a captured payment of a session that Medusa has replaced since", () => {
    const held = { ...recorded, state: "review", isRecorded: false, sessionId: "payses_2" }
    const events = eventsOf("mpop_1", "draft", "submit", "complete", "strand")
    const found = (operation: LedgerOperation) =>
      violations(evidence({ operations: [operation], events }))
    expect(found(held)).toEqual([expect.stringMatching(/^I3.*pay_1/)])
    expect(found({ ...held, sessionIds: ["payses_1", "payses_2"] })).toEqual([])
  })

  it("is silent about surplus money that waits for a person", () => {
    const review = [
      ...failedEvents,
      { operationId: "mpop_2", seq: 4, name: "complete", state: "review" },
    ]
    const surplus = { ...failed, state: "review", surplus: true, version: 4 }
    const noticed = evidence({
      executions: [paidExecution, anotherPaid],
      documents: [paidDocument, anotherDocument],
      operations: [recorded, surplus],
      events: review,
    })
    expect(violations(noticed, { isQuiet: true })).toEqual([])
  })

  it.each<[string, RegExp, Parts]>([
    ["a source charged twice", /^I1/, { documents: [{ ...paidDocument, charges: 2 }] }],
    ["a reference charged twice", /^I1/, { executions: [{ ...paidExecution, charges: 2 }] }],
    [
      "two live operations of a collection",
      /^I1.*live/,
      { operations: [recorded, another], events: anotherEvents },
    ],
    [
      "two operations with money",
      /^I1.*at the same time/,
      {
        executions: [paidExecution, anotherPaid],
        documents: [paidDocument, anotherDocument],
        operations: [recorded, failed],
        events: failedEvents,
      },
    ],
    [
      "a payment page left open beside a paid one",
      /^I1.*at the same time/,
      {
        documents: [paidDocument, { ...anotherDocument, status: "ACTIVE", charges: 0 }],
        operations: [recorded, { ...failed, flow: "hosted", state: "expired", reference: null }],
        events: [...paidEvents, ...eventsOf("mpop_2", "draft", "submit", "expire")],
      },
    ],
    [
      "two open sources of a collection",
      /^I1.*the sources 30001, 30002/,
      {
        documents: [openDocument, { ...anotherDocument, status: "ACTIVE", charges: 0 }],
        operations: [{ ...recorded, state: "failed" }, failed],
      },
    ],
    [
      "money on a push's source that nobody holds",
      /^I2: nobody holds/,
      {
        executions: [paidExecution, { ...anotherPaid, channel: "hosted", reference: "by hand" }],
        documents: [paidDocument, anotherDocument],
        operations: [recorded, { ...failed, dueInSeconds: null }],
      },
    ],
    [
      "money that is held twice",
      /^I4: mpop_1, mpop_2 hold/,
      {
        operations: [
          recorded,
          { ...failed, state: "review", surplus: true, sourceId: 30_001, collectedMinor: 1_999n },
        ],
      },
    ],
    ["money that nobody knows", /^I2: nobody/, { executions: [paidExecution, anotherPaid] }],
    [
      "money of an operation that is called failed",
      /^I2.*failed/,
      {
        operations: [{ ...recorded, state: "failed", isRecorded: false, version: 3 }],
        events: eventsOf("mpop_1", "draft", "submit", "fail"),
        payments: [],
      },
    ],
    ["recorded, but no payment in Medusa", /^I2.*recorded/, { payments: [] }],
    ["recorded twice", /^I2.*once/, { payments: [captured, { ...captured, id: "pay_2" }] }],
    [
      "recorded, but not in the order",
      /^I2.*recorded/,
      { payments: [{ ...captured, inOrderAmount: "0" }] },
    ],
    [
      "recorded onto a cancelled order",
      /^I2.*recorded/,
      { payments: [{ ...captured, isOrderCanceled: true }] },
    ],
    [
      "completed without money in the book",
      /^I3.*completed/,
      { executions: [{ ...paidExecution, charges: 0, status: "FAILED" }] },
    ],
    [
      "completed for another amount",
      /^I3.*completed/,
      { documents: [{ ...paidDocument, totalAmount: "20.99" }] },
    ],
    [
      "completed in another currency",
      /^I3.*completed/,
      { documents: [{ ...paidDocument, currency: "LRD" }] },
    ],
    ["captured without an operation", /^I3.*pay_1/, { operations: [], events: [], executions: [] }],
    [
      "captured with another amount",
      /^I3.*another amount/,
      { payments: [{ ...captured, capturedAmount: "19.00" }] },
    ],
    [
      "a collection captured twice",
      /^I3.*2 times/,
      { payments: [captured, { ...captured, id: "pay_2", sessionId: "payses_2" }] },
    ],
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
    ["a refund that nobody knows", /^I4: nobody/, { refunds: [backInBook] }],
    [
      "a refund completed without the book",
      /^I4: the refund mpop_9.*word/,
      refundParts({ state: "completed" }, { status: "PROCESSING" }),
    ],
    [
      "a refund called failed that went back, and that nobody watches",
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
    ["a secret in the output", /^I5: a secret is in the output/, { texts: ["id CANARY-secret"] }],
    ["a phone in our tables", /^I5: a phone.*tables/, { dump: ["(231770999456)"] }],
    ["a phone in session data", /^I5: a phone.*session/, { sessionData: ["0770999456"] }],
    [
      "a token in the output",
      /^I5: an access token/,
      { texts: ["Bearer eyJhbGciOiJI.eyJzdWIi.x"] },
    ],
    [
      "a reference that no operation has",
      /^I6.*no operation/,
      { executions: [paidExecution, { ...anotherPaid, charges: 0, status: "FAILED" }] },
    ],
    [
      "a sending without a committed reference",
      /^I6.*committed/,
      { events: eventsOf("mpop_1", "draft", "note", "note", "note") },
    ],
    [
      "in flight and never due",
      /^I7.*nobody/,
      {
        operations: [{ ...recorded, state: "submitted", isRecorded: false, version: 2 }],
        events: eventsOf("mpop_1", "draft", "submit"),
        executions: [{ ...paidExecution, charges: 0, status: "PROCESSING" }],
        payments: [],
      },
    ],
    [
      "an order to close that nobody looks at",
      /^I7.*order to close/,
      { operations: [recorded, unpaid], events: failedEvents, documents: bothDocuments },
    ],
    [
      "an order to close that is looked at tomorrow",
      /^I7.*long after/,
      {
        operations: [recorded, { ...unpaid, dueInSeconds: 86_400 }],
        events: failedEvents,
        documents: bothDocuments,
      },
    ],
    [
      "an order that was cancelled unpaid and has its money",
      /^I2.*cancelled unpaid.*completed/,
      { events: [...paidEvents.slice(0, -1), { ...closedEvent, state: "completed" }] },
    ],
    [
      "an order that was cancelled unpaid and stands",
      /^I2.*does not say so/,
      {
        events: [...paidEvents.slice(0, -1), { ...closedEvent, state: "completed" }],
        orders: [openOrder],
      },
    ],
    ["due in a month", /^I7.*only in/, { operations: [{ ...recorded, dueInSeconds: 2_600_000 }] }],
    [
      "a state that its events do not give",
      /^I8/,
      { events: eventsOf("mpop_1", "draft", "submit", "note", "note") },
    ],
    [
      "an event that is missing",
      /^I8.*lacks/,
      { events: paidEvents.filter(({ seq }) => seq !== 2) },
    ],
    ["a version without its event", /^I8.*version/, { operations: [{ ...recorded, version: 5 }] }],
    [
      "a transition that there is not",
      /^I8.*no fail/,
      { events: eventsOf("mpop_1", "draft", "submit", "complete", "fail") },
    ],
  ])("finds %s", (_name, breach, given) => {
    expect(violations(evidence(given))).toContainEqual(expect.stringMatching(breach))
  })

  it.each(["push", "hosted"])(
    "finds the open source of a %s that has ended, once all is quiet",
    (flow) => {
      const ended = { ...recorded, flow, state: "expired", isRecorded: false, collectedMinor: null }
      const open = evidence({ documents: [openDocument], executions: [], operations: [ended] })
      const breach = expect.stringMatching(/^I1: mpop_1 ended, but source 30001/)
      expect(violations(open, { isQuiet: true })).toContainEqual(breach)
      expect(violations(open)).not.toContainEqual(breach)
      const live = { ...recorded, id: "mpop_2", state: "submitted" }
      const used = evidence({ documents: [openDocument], operations: [ended, live] })
      expect(violations(used, { isQuiet: true })).not.toContainEqual(breach)
    },
  )

  it("lets money that came by hand be held by one", () => {
    const held = { ...failed, state: "review", surplus: true, collectedMinor: 1_999n }
    const given = evidence({
      executions: [paidExecution, { ...anotherPaid, channel: "hosted", reference: "by hand" }],
      documents: [paidDocument, anotherDocument],
      operations: [recorded, held],
    })
    expect(violations(given, { isQuiet: true }).filter((one) => /^I[1-4]/.test(one))).toEqual([])
  })
})

describe("the evidence", () => {
  let ledger: LedgerDatabase

  beforeAll(async () => {
    ledger = await startLedgerDatabase()
  }, 60_000)

  afterAll(() => ledger.stop())

  it("is read from the ledger as it is", async () => {
    const operation = await submitted(ledger.database)
    await advanced(ledger.database, operation, { event: "see", why: "seen", next: { inMs: 5_000 } })
    const read = await readLedger(ledger.sql)
    expect(read.operations).toEqual([
      {
        ...recorded,
        id: operation.id,
        state: "in_flight",
        collectionId: operation.paymentCollectionId,
        sessionId: operation.paymentSessionId,
        sessionIds: [operation.paymentSessionId],
        sourceId: operation.sourceId,
        reference: operation.reference,
        collectedMinor: null,
        host: null,
        isRecorded: false,
        dueInSeconds: expect.any(Number),
        version: 3,
      },
    ])
    expect(read.events.map(({ name, state }) => `${name} ${state}`)).toEqual([
      "draft drafted",
      "submit submitted",
      "see in_flight",
    ])
    expect(read.dump.join()).toContain(operation.id)
    const book = { executions: () => [], documents: () => [], refunds: () => [] }
    const output = { texts: [], secrets: [], phones: [] }
    expect(violations({ book, ledger: read, output })).toEqual([])
  })

  it("is read from Medusa's tables, with what is in the order", async () => {
    await ledger.sql(
      `create table payment (id text, payment_session_id text, payment_collection_id text,
         provider_id text, amount numeric, currency_code text, captured_at timestamptz,
         canceled_at timestamptz, deleted_at timestamptz)`,
    )
    await ledger.sql(
      "create table capture (id text, payment_id text, amount numeric, deleted_at timestamptz)",
    )
    await ledger.sql(
      `create table order_transaction (reference text, reference_id text, amount numeric,
         deleted_at timestamptz, order_id text)`,
    )
    await ledger.sql(
      `create table refund (id text, payment_id text, amount numeric, created_by text,
         deleted_at timestamptz)`,
    )
    await ledger.sql("create table payment_collection (id text, refunded_amount numeric)")
    await ledger.sql(
      `create table order_summary (order_id text, version int, totals jsonb,
         deleted_at timestamptz)`,
    )
    await ledger.sql(
      `create table order_payment_collection (order_id text, payment_collection_id text,
         deleted_at timestamptz)`,
    )
    await ledger.sql(
      `create table "order" (id text, status text, canceled_at timestamptz, deleted_at timestamptz,
         version int)`,
    )
    await ledger.sql(
      "create table payment_session (provider_id text, data jsonb, payment_collection_id text)",
    )
    await ledger.sql(
      `insert into payment values ('pay_1', 'payses_1', 'pay_col_1', 'pp_mobile-money_merchant',
         19.985, 'usd', now(), null, null)`,
    )
    await ledger.sql("insert into capture values ('capt_1', 'pay_1', 19.985, null)")
    await ledger.sql(
      `insert into order_transaction values ('capture', 'capt_1', 19.985, null, 'order_1'),
         ('refund', 'ref_1', -5, null, 'order_1'), ('refund', 'ref_0', -7, now(), 'order_1')`,
    )
    await ledger.sql(
      `insert into refund values ('ref_1', 'pay_1', 5, 'user_ada', null),
         ('ref_0', 'pay_1', 7, null, now())`,
    )
    await ledger.sql("insert into payment_collection values ('pay_col_1', 5)")
    await ledger.sql(
      `insert into order_summary values ('order_1', 1, '{"refunded_total": 9}', null),
         ('order_1', 2, '{"refunded_total": 5}', null)`,
    )
    await ledger.sql("insert into order_payment_collection values ('order_1', 'pay_col_1', null)")
    await ledger.sql(`insert into "order" values ('order_1', 'pending', null, null, 2)`)
    await ledger.sql(
      `insert into payment_session values ('pp_mobile-money_merchant', '{"state": "paid"}', 'pay_col_1'),
         ('pp_system_default', '{"state": "other"}', 'pay_col_1')`,
    )
    expect(await readMedusa(ledger.sql)).toEqual({
      payments: [
        {
          ...captured,
          refunds: {
            rows: [{ id: "ref_1", amount: "5", createdBy: "user_ada" }],
            transactions: [{ referenceId: "ref_1", amount: "5" }],
            ofCollection: "5",
            rowsOfCollection: "5",
            ofOrder: { summary: "5", transactions: "5" },
          },
        },
      ],
      orders: [openOrder],
      sessionData: ['{"state": "paid"}'],
    })
  })
})
