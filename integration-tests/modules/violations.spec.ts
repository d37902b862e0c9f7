/** The oracle finds each breach that it is there for, and nothing where all is well. */
import { randomUUID } from "node:crypto"
import type { DocumentView, ExecutionView } from "../../simulator/book/view"
import {
  readLedger,
  readMedusa,
  type Evidence,
  type LedgerEvidence,
  type LedgerOperation,
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
  sourceId: 30_001,
  reference: REFERENCE,
  isSubmitted: true,
  isRecorded: true,
  isReturned: false,
  dueInSeconds: null,
  version: 4,
}

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
  operations?: LedgerOperation[]
  events?: LedgerEvidence["events"]
  payments?: MedusaPayment[]
  dump?: string[]
  texts?: string[]
  sessionData?: string[]
}

/** One paid cart, all in order, but for what is given. */
function evidence(given: Parts = {}): Evidence {
  return {
    book: {
      executions: () => given.executions ?? [paidExecution],
      documents: () => given.documents ?? [paidDocument],
    },
    ledger: {
      operations: given.operations ?? [recorded],
      events: given.events ?? paidEvents,
      dump: given.dump ?? ["(mpop_1,completed,456)"],
    },
    medusa: {
      payments: given.payments ?? [captured],
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
const failed = { ...another, state: "failed", isRecorded: false, version: 3 }

describe("the oracle", () => {
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
      /^I4/,
      { operations: [{ ...recorded, reservedRefundMinor: 2_000n }] },
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
        sourceId: operation.sourceId,
        reference: operation.reference,
        collectedMinor: null,
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
    const book = { executions: () => [], documents: () => [] }
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
         deleted_at timestamptz)`,
    )
    await ledger.sql(
      `create table order_payment_collection (order_id text, payment_collection_id text,
         deleted_at timestamptz)`,
    )
    await ledger.sql(
      `create table "order" (id text, status text, canceled_at timestamptz, deleted_at timestamptz)`,
    )
    await ledger.sql("create table payment_session (provider_id text, data jsonb)")
    await ledger.sql(
      `insert into payment values ('pay_1', 'payses_1', 'pay_col_1', 'pp_mobile-money_merchant',
         19.985, 'usd', now(), null, null)`,
    )
    await ledger.sql("insert into capture values ('capt_1', 'pay_1', 19.985, null)")
    await ledger.sql("insert into order_transaction values ('capture', 'capt_1', 19.985, null)")
    await ledger.sql("insert into order_payment_collection values ('order_1', 'pay_col_1', null)")
    await ledger.sql(`insert into "order" values ('order_1', 'pending', null, null)`)
    await ledger.sql(
      `insert into payment_session values ('pp_mobile-money_merchant', '{"state": "paid"}'),
         ('pp_system_default', '{"state": "other"}')`,
    )
    expect(await readMedusa(ledger.sql)).toEqual({
      payments: [captured],
      sessionData: ['{"state": "paid"}'],
    })
  })
})
