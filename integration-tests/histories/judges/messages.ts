/** What the shop's people and its customers were told, once all of it was sent. */
import type { OperationDetail } from "../../../src/review/schemas/operations"
import { centsOf, moneyOfEach, type Movement } from "../truth"
import { namedOf } from "./receipts"
import type { Look } from "./look"

export const MERCHANT = "ada@example.com"
export const CUSTOMER = "shopper@example.com"
/** All admins, in Medusa's own list. */
const FEED = ""

/** One message as it went out. */
export type Sent = {
  readonly to: string
  readonly operationId: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** A payment may be questioned again; what moved has moved once. */
const ONCE_EACH = [
  "money_received",
  "customer_paid",
  "refund_arrived",
  "customer_refunded",
  "payout_done",
]

/** Nobody is told the same twice. */
export async function toldOnce({ messages }: Look): Promise<string[]> {
  const keys = messages.map(({ to, operationId, data }) => {
    const kind = String(data["kind"])
    return `${kind} to ${to} about ${ONCE_EACH.includes(kind) ? operationId : String(data["event_id"])}`
  })
  const again = keys.filter((key, index) => keys.indexOf(key) < index)
  return again.map((key) => `told again: ${key}`)
}

/** What was told is so, or was put right by a later message. */
export async function toldIsTrue({ shown, truth, messages }: Look): Promise<string[]> {
  const details = await shown.details()
  const money = moneyOfDetails(details, truth)
  return messages.flatMap(({ to, operationId, data }, index) => {
    // A question about a request that waits for a second admin; there is no payment to look at.
    if (operationId === null && data["kind"] === "request_waiting") return []
    const about = details.find(({ id }) => id === operationId)
    const kind = String(data["kind"])
    const later = messages.slice(index + 1).filter((one) => one.operationId === operationId)
    const isMended = later.some((one) => one.to === to && MENDED_BY[kind] === one.data["kind"])
    const isTrue = about && isSo(kind, about, money(about))
    const moved = money(about).reduce((sum, { cents }) => sum + cents, 0)
    const told = centsOf(String(data["amount"]))
    const isExact = !ONCE_EACH.includes(kind) || told === moved
    if (!isTrue && !isMended)
      return [`${kind} was told to ${to} about ${operationId}, and is not so`]
    return isExact || isMended
      ? []
      : [`${kind} was told to ${to} about ${operationId} with ${told}, and ${moved} moved`]
  })
}

const MENDED_BY: Readonly<Record<string, string>> = {
  refund_failed: "refund_arrived",
  payout_failed: "payout_done",
}

/** Whatever the end of it asks for was told to whom it concerns. */
export async function owedIsTold({ shown, truth, messages }: Look): Promise<string[]> {
  const details = await shown.details()
  const money = moneyOfDetails(details, truth)
  const wasTold = (kind: string, to: string, id: string) =>
    messages.some((one) => one.operationId === id && one.to === to && one.data["kind"] === kind)
  return details.flatMap((one) =>
    owedBy(one, details, money(one))
      .filter(([kind, to]) => !wasTold(kind, to, one.id))
      .map(([kind, to]) => `${to === FEED ? "the feed" : to} was never told ${kind} of ${one.id}`),
  )
}

/** Events by which a payment takes its money. */
const TAKES: readonly string[] = ["complete", "accept"]

type Owed = readonly (readonly [kind: string, to: string])[]

function owedBy(
  one: OperationDetail,
  all: readonly OperationDetail[],
  moved: readonly Movement[],
): Owed {
  const both = (kind: string): Owed => [
    [kind, MERCHANT],
    [kind, FEED],
  ]
  const { type, state, attention } = one
  if (state === "review") return both("decision_needed")
  if (type === "REFUND") {
    const parent = all.find(({ id }) => id === one.parent_id)
    const isOrdered = (parent?.order_id ?? null) !== null
    if (state === "completed") {
      return [["refund_arrived", MERCHANT], ...toCustomer("customer_refunded", isOrdered)]
    }
    return attention === "refund_failed" ? both("refund_failed") : []
  }
  if (type === "PAYOUT" || type === "TRANSFER")
    return state === "completed" ? [["payout_done", MERCHANT]] : []
  // Of money that went back from a review by its rule, the refund is told.
  const isKept = one.events.some((event) => TAKES.includes(event.name) && event.state === state)
  if (state !== "completed" || moved.length === 0 || !isKept) return []
  const isPurchase = one.recorded_at !== null && !one.is_duplicate && !isBack(one)
  return [["money_received", MERCHANT], ...toCustomer("customer_paid", isPurchase)]
}

const toCustomer = (kind: string, isOwed: boolean): Owed => (isOwed ? [[kind, CUSTOMER]] : [])

const isBack = (one: OperationDetail) =>
  one.returned_at !== null ||
  one.taken_back_at !== null ||
  one.refunded_amount + one.refund_pending_amount >= (one.collected_amount ?? 0)

function isSo(kind: string, about: OperationDetail, moved: readonly Movement[]): boolean {
  switch (kind) {
    case "money_received":
      return moved.length > 0
    case "customer_paid":
      return moved.length > 0 && about.recorded_at !== null && !about.is_duplicate
    case "refund_arrived":
    case "customer_refunded":
    case "payout_done":
      return moved.length > 0
    case "refund_failed":
    case "payout_failed":
      return moved.length === 0
    case "decision_needed":
      return about.events.some(({ state }) => state === "review")
    default:
      return false
  }
}

/** Of a payment what came for it, of a refund or payout what went under its reference. */
function moneyOfDetails(details: readonly OperationDetail[], truth: readonly Movement[]) {
  const payments = details.filter(({ type }) => type === "COLLECTION")
  const came = moneyOfEach(truth, payments.map(namedOf))
  return (one: OperationDetail | undefined): readonly Movement[] =>
    one === undefined || one.type === "COLLECTION"
      ? (came[payments.findIndex(({ id }) => id === one?.id)] ?? [])
      : truth.filter(({ kind, reference }) => kind !== "received" && reference === one.reference)
}
