/**
 * What the shop's own code hears as events on Medusa's bus, made from the ledger's events. A
 * payment is announced as completed when its money is proven, recorded or not: for the order there
 * is `order.placed`. Money that was completed, reviewed and accepted is announced once.
 */
import type { AccountEventName, AccountHappening } from "../../core/account"
import type { Event, Operation, OperationType, State } from "../../core/operation"

export const ANNOUNCEMENT_NAMES = [
  "merchant_payments.collection_completed",
  "merchant_payments.collection_failed",
  "merchant_payments.collection_expired",
  "merchant_payments.refund_completed",
  "merchant_payments.refund_failed",
  "merchant_payments.review_opened",
  "merchant_payments.review_closed",
  "merchant_payments.money_out_asked",
  "merchant_payments.money_out_completed",
  "merchant_payments.money_out_failed",
  "merchant_payments.account_event",
] as const
export type AnnouncementName = (typeof ANNOUNCEMENT_NAMES)[number]

/** What may be news: ends, and the making of a payout or transfer; no notes, nothing between. */
export const NEWS = [
  "ask",
  "complete",
  "fail",
  "expire",
  "doubt",
  "strand",
  "accept",
  "give_back",
  "dismiss",
] as const satisfies readonly (Event | "ask")[]

/** One event of the ledger, with the state it led to and where the operation had been before. */
export type Happening = {
  readonly operationId: string
  readonly seq: number
  readonly name: string
  readonly type: OperationType
  readonly after: State
  /** Of the event before it; null: it is the first, or those before were pruned. */
  readonly before: State | null
  /** All states of the events before it. */
  readonly reached: readonly State[]
  readonly occurredAt: Date
  /** Null of what has none: a payout. */
  readonly paymentCollectionId: string | null
  /** Null also if the operation has another state by now: the row has that state's reason. */
  readonly reason: string | null
} & Pick<Operation, "cartId" | "orderId" | "parentId">

/** What a subscriber gets as `data`: ids and codes only. Every key is always there. */
export type AnnouncementData = {
  /** The operation's. */
  readonly id: string
  /** The same in each delivery of an event: a subscriber knows by it what it has dealt with. */
  readonly event_id: string
  readonly type: OperationType
  readonly payment_collection_id: string | null
  readonly cart_id: string | null
  /** Null too where the order is made only now. */
  readonly order_id: string | null
  /** Of a refund: the payment whose money goes back. */
  readonly parent_id: string | null
  /**
   * Why it ended, why an admin must decide, or what the person decided: a code. Null too where it
   * had gone on to another state before it was announced.
   */
  readonly reason: string | null
  /** ISO 8601, UTC: when it was written down. */
  readonly occurred_at: string
}

/** `data` of `merchant_payments.account_event`: names and ids, no values. */
export type AccountEventData = {
  /** The account's. */
  readonly id: string
  readonly event_id: string
  readonly type: "ACCOUNT"
  readonly event: AccountEventName
  /** An admin's id, an API key's, or `environment`. */
  readonly by: string
  readonly fields: readonly string[]
  readonly occurred_at: string
}

export type OperationAnnouncement = {
  readonly name: OperationNews
  readonly data: AnnouncementData
}
export type Announcement =
  OperationAnnouncement | { readonly name: typeof ACCOUNT_EVENT; readonly data: AccountEventData }

const ACCOUNT_EVENT = "merchant_payments.account_event"
type OperationNews = Exclude<AnnouncementName, typeof ACCOUNT_EVENT>

export function accountAnnouncement(happening: AccountHappening): Announcement {
  const { eventId, accountId, name, by, fields, occurredAt } = happening
  return {
    name: ACCOUNT_EVENT,
    data: {
      id: accountId,
      event_id: eventId,
      type: "ACCOUNT",
      event: name,
      by,
      fields,
      occurred_at: occurredAt.toISOString(),
    },
  }
}

export function announcementsOf(happening: Happening): readonly OperationAnnouncement[] {
  return namesOf(happening).map((name) => ({ name, data: dataOf(happening, name) }))
}

function namesOf(happening: Happening): readonly OperationNews[] {
  const { before, after } = happening
  if (happening.name === "ask") return ["merchant_payments.money_out_asked"]
  const names: OperationNews[] = []
  if (after === "review" && before !== "review") names.push("merchant_payments.review_opened")
  if (before === "review" && after !== "review") names.push("merchant_payments.review_closed")
  const end = endOf(happening)
  return end ? [...names, end] : names
}

function endOf({ name, type, before, after, reached }: Happening): OperationNews | undefined {
  const wasEnded = reached.includes("failed") || reached.includes("expired")
  const isCompleted = after === "completed" && (name === "complete" || name === "accept")
  if (isCompleted && reached.includes("completed")) return undefined
  // Completed money that an admin dismisses did not fail; `review_closed` says what happened.
  if (!isCompleted && (wasEnded || reached.includes("completed"))) return undefined
  if (type === "COLLECTION") {
    if (isCompleted) return "merchant_payments.collection_completed"
    if (after === "failed") return "merchant_payments.collection_failed"
    // A draft that ends was never put before the payer.
    const isNews = after === "expired" && before !== "drafted"
    return isNews ? "merchant_payments.collection_expired" : undefined
  }
  const what = type === "REFUND" ? "refund" : "money_out"
  if (isCompleted) return `merchant_payments.${what}_completed`
  const isFailed = after === "failed" || after === "expired"
  return isFailed ? `merchant_payments.${what}_failed` : undefined
}

/** What the person, or the policy in their place, did. */
const DECISIONS: Readonly<Record<string, string>> = {
  accept: "accepted",
  give_back: "given_back",
  dismiss: "dismissed",
}

function dataOf(happening: Happening, name: OperationNews): AnnouncementData {
  const { operationId, seq, reason } = happening
  const isCompleted = name.endsWith("_completed")
  const decision = name.endsWith("review_closed") ? DECISIONS[happening.name] : undefined
  return {
    id: operationId,
    event_id: `${operationId}:${seq}:${name.split(".")[1] ?? name}`,
    type: happening.type,
    payment_collection_id: happening.paymentCollectionId,
    cart_id: happening.cartId,
    order_id: happening.orderId,
    parent_id: happening.parentId,
    reason: decision ?? (isCompleted ? null : reason),
    occurred_at: happening.occurredAt.toISOString(),
  }
}
