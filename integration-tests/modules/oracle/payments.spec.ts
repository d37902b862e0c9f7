/** The oracle finds each breach about payments, and nothing where all is well. */
import type { LedgerOperation } from "../../support/evidence"
import {
  another,
  anotherDocument,
  anotherEvents,
  anotherPaid,
  bothDocuments,
  captured,
  closedEvent,
  eventsOf,
  evidence,
  failed,
  failedEvents,
  openDocument,
  openOrder,
  paidDocument,
  paidEvents,
  paidExecution,
  type Parts,
  recorded,
  unpaid,
} from "../../support/oracle-scenes"
import { violations } from "../../support/violations"

describe("the oracle of payments", () => {
  it("lets no unpaid order wait forever", () => {
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

  it("is silent while a payment is watched for late money, and not once all is quiet", () => {
    const late = evidence({
      executions: [paidExecution, anotherPaid],
      documents: [paidDocument, anotherDocument],
      operations: [recorded, { ...failed, dueInSeconds: 120 }],
      events: failedEvents,
    })
    expect(violations(late)).toEqual([])
    expect(violations(late, { isQuiet: true }).join()).toMatch(/I1.*I2/)
  })

  it("is silent about a captured payment of a replaced session", () => {
    const held = { ...recorded, state: "review", isRecorded: false, sessionId: "payses_2" }
    const events = eventsOf("mpop_1", "draft", "submit", "complete", "strand")
    const found = (operation: LedgerOperation) =>
      violations(evidence({ operations: [operation], events }))
    expect(found(held)).toEqual([expect.stringMatching(/^I3.*pay_1/)])
    expect(found({ ...held, sessionIds: ["payses_1", "payses_2"] })).toEqual([])
  })

  it("is silent about a duplicate payment that waits for an admin", () => {
    const review = [
      ...failedEvents,
      { operationId: "mpop_2", seq: 4, name: "complete", state: "review" },
    ]
    const duplicate = { ...failed, state: "review", isDuplicate: true, version: 4 }
    const noticed = evidence({
      executions: [paidExecution, anotherPaid],
      documents: [paidDocument, anotherDocument],
      operations: [recorded, duplicate],
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
      "money on a push's source that no operation holds",
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
          {
            ...failed,
            state: "review",
            isDuplicate: true,
            sourceId: 30_001,
            collectedMinor: 1_999n,
          },
        ],
      },
    ],
    ["money that no operation knows", /^I2: nobody/, { executions: [paidExecution, anotherPaid] }],
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
      "an order to close that is not checked",
      /^I7.*order to close/,
      { operations: [recorded, unpaid], events: failedEvents, documents: bothDocuments },
    ],
    [
      "an order to close that is checked tomorrow",
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

  it("finds a payment recorded onto a cancelled order, once all is quiet", () => {
    const payments = [{ ...captured, isOrderCanceled: true }]
    const breach = expect.stringMatching(/^I2.*recorded/)
    const given = evidence({ payments })
    expect(violations(given, { isQuiet: true })).toContainEqual(breach)
    expect(violations(given)).not.toContainEqual(breach)
  })

  it("lets one operation hold money that came by hand", () => {
    const held = { ...failed, state: "review", isDuplicate: true, collectedMinor: 1_999n }
    const given = evidence({
      executions: [paidExecution, { ...anotherPaid, channel: "hosted", reference: "by hand" }],
      documents: [paidDocument, anotherDocument],
      operations: [recorded, held],
    })
    expect(violations(given, { isQuiet: true }).filter((one) => /^I[1-4]/.test(one))).toEqual([])
  })
})
