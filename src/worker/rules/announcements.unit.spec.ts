import { NOON } from "../../../integration-tests/support/an-operation"
import { announcementsOf, ANNOUNCEMENT_NAMES, NEWS, type Happening } from "./announcements"
import {
  STATES,
  stateAfter,
  TRANSITIONS,
  type OperationType,
  type State,
} from "../../core/operation"

function happening(given: Partial<Happening> = {}): Happening {
  return {
    operationId: "mpop_1",
    seq: 7,
    name: "complete",
    type: "COLLECTION",
    before: "in_flight",
    after: "completed",
    reached: ["drafted", "submitted", "in_flight"],
    occurredAt: NOON,
    paymentCollectionId: "pay_col_1",
    cartId: "cart_1",
    orderId: null,
    parentId: null,
    reason: null,
    ...given,
  }
}

const announcedOf = (given: Partial<Happening>) =>
  announcementsOf(happening(given)).map(({ name }) => name.replace("merchant_payments.", ""))

type Row = readonly [
  type: OperationType,
  name: string,
  before: State | null,
  after: State,
  reached: readonly State[],
  announced: readonly string[],
]

const SENT: readonly State[] = ["drafted", "submitted"]

const TABLE: readonly Row[] = [
  ["COLLECTION", "complete", "submitted", "completed", SENT, ["collection_completed"]],
  ["COLLECTION", "fail", "in_flight", "failed", SENT, ["collection_failed"]],
  ["COLLECTION", "expire", "submitted", "expired", SENT, ["collection_expired"]],
  // Never put before the payer.
  ["COLLECTION", "expire", "drafted", "expired", ["drafted"], []],
  ["COLLECTION", "doubt", "submitted", "review", SENT, ["review_opened"]],
  ["COLLECTION", "strand", "completed", "review", [...SENT, "completed"], ["review_opened"]],
  // Late money is no payment until a person says so.
  ["COLLECTION", "complete", "failed", "review", [...SENT, "failed"], ["review_opened"]],
  [
    "COLLECTION",
    "accept",
    "review",
    "completed",
    [...SENT, "failed", "review"],
    ["review_closed", "collection_completed"],
  ],
  // Completed once is completed once.
  [
    "COLLECTION",
    "accept",
    "review",
    "completed",
    [...SENT, "completed", "review"],
    ["review_closed"],
  ],
  ["COLLECTION", "give_back", "review", "completed", [...SENT, "review"], ["review_closed"]],
  [
    "COLLECTION",
    "dismiss",
    "review",
    "failed",
    [...SENT, "review"],
    ["review_closed", "collection_failed"],
  ],
  ["COLLECTION", "dismiss", "review", "failed", [...SENT, "failed", "review"], ["review_closed"]],
  [
    "COLLECTION",
    "dismiss",
    "review",
    "failed",
    [...SENT, "completed", "review"],
    ["review_closed"],
  ],
  ["REFUND", "complete", "in_flight", "completed", SENT, ["refund_completed"]],
  ["REFUND", "fail", "in_flight", "failed", SENT, ["refund_failed"]],
  ["REFUND", "expire", "submitted", "expired", SENT, ["refund_failed"]],
  // Somebody asked for it, and it did not go out.
  ["REFUND", "expire", "drafted", "expired", ["drafted"], ["refund_failed"]],
  ["REFUND", "doubt", "submitted", "review", SENT, ["review_opened"]],
  ["REFUND", "complete", "failed", "review", [...SENT, "failed"], ["review_opened"]],
  [
    "REFUND",
    "accept",
    "review",
    "completed",
    [...SENT, "failed", "review"],
    ["review_closed", "refund_completed"],
  ],
  ["REFUND", "dismiss", "review", "failed", [...SENT, "failed", "review"], ["review_closed"]],
  ["PAYOUT", "ask", null, "drafted", [], ["money_out_asked"]],
  ["PAYOUT", "complete", "submitted", "completed", SENT, ["money_out_completed"]],
  ["PAYOUT", "doubt", "submitted", "review", SENT, ["review_opened"]],
  ["PAYOUT", "expire", "drafted", "expired", ["drafted"], ["money_out_failed"]],
  [
    "TRANSFER",
    "dismiss",
    "review",
    "failed",
    [...SENT, "review"],
    ["review_closed", "money_out_failed"],
  ],
]

describe("what is announced to the shop", () => {
  it.each(TABLE)("%s: %s from %s to %s", (type, name, before, after, reached, announced) => {
    expect(announcedOf({ type, name, before, after, reached })).toEqual(announced)
  })

  it("is nothing of notes", () => {
    for (const name of ["recorded", "rebound", "sending", "snapshot", "refunded"]) {
      expect(announcedOf({ name, before: "completed", reached: [...SENT, "completed"] })).toEqual(
        [],
      )
    }
  })

  it("is each transition that leads to an end or to a person, and no other", () => {
    const news = new Set<string>(NEWS)
    for (const state of STATES) {
      for (const event of Object.keys(TRANSITIONS[state])) {
        const after = stateAfter(state, event as keyof (typeof TRANSITIONS)[typeof state])
        const isNews = after !== "submitted" && after !== "in_flight"
        expect([state, event, news.has(event)]).toEqual([state, event, isNews])
      }
    }
  })

  it("has names that are all used", () => {
    const used = new Set([
      ...TABLE.flatMap(([, , , , , announced]) => announced),
      "account_event",
      "method_disrupted",
      "method_recovered",
    ])
    expect(ANNOUNCEMENT_NAMES.map((name) => name.replace("merchant_payments.", "")).sort()).toEqual(
      [...used].sort(),
    )
  })

  it("is ids and codes, every key always there", () => {
    const [announced] = announcementsOf(
      happening({ name: "fail", after: "failed", reason: "declined", orderId: "order_1" }),
    )
    expect(announced).toEqual({
      name: "merchant_payments.collection_failed",
      data: {
        id: "mpop_1",
        event_id: "mpop_1:7:collection_failed",
        type: "COLLECTION",
        payment_collection_id: "pay_col_1",
        cart_id: "cart_1",
        order_id: "order_1",
        parent_id: null,
        reason: "declined",
        occurred_at: NOON.toISOString(),
      },
    })
  })

  it("says of a closed review what was decided, and of what is completed no reason", () => {
    const accepted = announcementsOf(
      happening({ name: "accept", before: "review", reached: ["review"], reason: "late_payment" }),
    )
    expect(accepted.map(({ name, data }) => [name.split(".")[1], data.reason])).toEqual([
      ["review_closed", "accepted"],
      ["collection_completed", null],
    ])
    expect(new Set(accepted.map(({ data }) => data.event_id)).size).toBe(2)
  })
})
