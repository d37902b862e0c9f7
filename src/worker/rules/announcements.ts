/**
 * The events that the store's own code gets on Medusa's bus, made from the ledger's events. A
 * payment is announced as completed when its money is proven, recorded or not; the order has
 * `order.placed`. Money that was completed, reviewed and then accepted is announced once.
 */
import type { AccountHappening } from "../../core/account"
import type { OperationId, PaymentCollectionId } from "../../core/ids"
import type { Event, Operation, OperationType, State } from "../../core/operation"
import type { AccountEventData, AnnouncementData, MethodEventData } from "../schemas/announcements"

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
  "merchant_payments.method_disrupted",
  "merchant_payments.method_recovered",
] as const
export type AnnouncementName = (typeof ANNOUNCEMENT_NAMES)[number]

/** Ledger events that may be announced: an end, a review, a new payout or transfer; no notes. */
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

/** One event of the ledger, with the state that it led to and the operation's earlier states. */
export type Happening = {
  readonly operationId: OperationId
  readonly seq: number
  readonly name: string
  readonly type: OperationType
  readonly after: State
  /** The state of the event before; null: this is the first, or the earlier ones were pruned. */
  readonly before: State | null
  /** All states of the earlier events. */
  readonly reached: readonly State[]
  readonly occurredAt: Date
  /** Null for a payout, which has none. */
  readonly paymentCollectionId: PaymentCollectionId | null
  /** Null also if the operation's state has changed since: the row has the new state's reason. */
  readonly reason: string | null
} & Pick<Operation, "cartId" | "orderId" | "parentId">

/** A change of a payment method, as the ledger has it. */
export type MethodHappening = {
  readonly method: string
  readonly name: "disrupted" | "recovered"
  /** Since when it was disrupted: of both changes the same. */
  readonly since: Date
  readonly reason: string
  readonly ended: number
  readonly failed: number
  readonly occurredAt: Date
}

export type OperationAnnouncement = {
  readonly name: OperationNews
  readonly data: AnnouncementData
}
export type Announcement =
  | OperationAnnouncement
  | { readonly name: typeof ACCOUNT_EVENT; readonly data: AccountEventData }
  | { readonly name: MethodNews; readonly data: MethodEventData }

const ACCOUNT_EVENT = "merchant_payments.account_event"
type MethodNews = `merchant_payments.method_${MethodHappening["name"]}`
type OperationNews = Exclude<AnnouncementName, typeof ACCOUNT_EVENT | MethodNews>

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

export function methodAnnouncement(happening: MethodHappening): Announcement {
  const { method, name, since, reason, ended, failed, occurredAt } = happening
  return {
    name: `merchant_payments.method_${name}`,
    data: {
      id: method,
      event_id: `${method}:${since.toISOString()}:method_${name}`,
      type: "METHOD",
      reason,
      since: since.toISOString(),
      ended,
      failed,
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
    // A payer never saw a draft, so its end is not announced.
    const isNews = after === "expired" && before !== "drafted"
    return isNews ? "merchant_payments.collection_expired" : undefined
  }
  const what = type === "REFUND" ? "refund" : "money_out"
  if (isCompleted) return `merchant_payments.${what}_completed`
  const isFailed = after === "failed" || after === "expired"
  return isFailed ? `merchant_payments.${what}_failed` : undefined
}

/** What the admin, or the account's policy, decided, by the ledger's event. */
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
