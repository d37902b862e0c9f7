/**
 * The decisions about a customer's money in review: which are possible now, which one is right, and
 * what each does to the order. The page and the decision use the same rules, so what is offered is
 * accepted, as far as ledger and Medusa can tell. The gateway is asked when the admin decides.
 */
import type { SoldOutItem } from "../../core/cart-lines"
import type { Facts, NotPossible } from "../../core/messages"
import { whyNotResolved, type Decision } from "../../core/possibilities"
import type { Operation, ReviewReason } from "../../core/operation"

/** The state of the order, whatever is decided about this money. */
export const ORDER_STATES = ["none", "open", "paid", "other_under_way", "canceled"] as const
export type OrderState = (typeof ORDER_STATES)[number]

export type DecisionFacts = {
  /**
   * Why the job would put the money back under review if an admin accepted it; null: it would not.
   */
  readonly stranded: ReviewReason | null
  /** The items that keep Medusa from making an order of the cart just now; null: there are none. */
  readonly soldOut: readonly SoldOutItem[] | null
  /** Another payment that pays the cart or order, or has paid this payment collection before. */
  readonly beside: Pick<Operation, "id"> | undefined
  readonly orderState: OrderState
}

export type Choice = {
  readonly action: Decision
  readonly whyNot: NotPossible | null
  /** What the text of `whyNot` names. */
  readonly facts: Facts
  readonly isRecommended: boolean
  /** The key of what happens, under `review.consequence` in the admin's dictionaries. */
  readonly consequence: string
}

type NotTaken =
  "another_payment_live" | "order_closed" | "cart_differs" | "cannot_be_settled" | "out_of_stock"

/**
 * Why Medusa would not take the money, so that it would be stranded again if an admin accepted it;
 * null: Medusa would take it.
 */
export function whyNotTaken({
  stranded,
  beside,
  soldOut,
}: Pick<DecisionFacts, "stranded" | "beside" | "soldOut">): NotTaken | null {
  if (stranded === "order_canceled") return "order_closed"
  if (beside) return "another_payment_live"
  if (soldOut) return "out_of_stock"
  if (stranded === null) return null
  if (stranded === "cart_changed") return "cart_differs"
  return stranded === "another_payment" ? "another_payment_live" : "cannot_be_settled"
}

const DECISIONS: readonly Decision[] = [
  "accept",
  "refund_rest",
  "accept_asked",
  "refund",
  "dismiss",
]

/**
 * All decisions: the recommended one first, then the possible ones, each in the order of
 * `DECISIONS`.
 */
export function choicesOf(operation: Operation, facts: DecisionFacts): Choice[] {
  const found = DECISIONS.map((action) => ({ action, whyNot: whyNotNow(operation, action, facts) }))
  const recommended = recommendedOf(operation, found)
  return found
    .map(({ action, whyNot }) => ({
      action,
      whyNot,
      facts: whyNot === "out_of_stock" ? soldOutFacts(facts) : {},
      isRecommended: action === recommended,
      consequence: `${action}.${facts.orderState}`,
    }))
    .sort((one, other) => rankOf(one) - rankOf(other))
}

const rankOf = ({ isRecommended, whyNot }: Choice) => (isRecommended ? 0 : whyNot === null ? 1 : 2)

/** Not possible, and possible as soon as the items are in stock. */
export const isAwaited = ({ whyNot }: Pick<Choice, "whyNot">) => whyNot === "out_of_stock"

/** `2 × Woven basket`: two more have to be in stock. */
export function soldOutFacts({ soldOut }: Pick<DecisionFacts, "soldOut">) {
  const items = (soldOut ?? []).map(({ title, lacking }) =>
    lacking === null ? title : `${lacking} × ${title}`,
  )
  return { items: items.join(", ") }
}

function whyNotNow(
  operation: Operation,
  action: Decision,
  facts: DecisionFacts,
): NotPossible | null {
  const isTaken = action !== "refund" && action !== "dismiss"
  return (
    whyNotResolved(operation, action) ??
    whyNotAmount(operation, action) ??
    (isTaken ? whyNotTaken(facts) : null)
  )
}

/**
 * Judges by the collected amount in the ledger, which is the gateway's word: no other amount than
 * the asked one is accepted.
 */
function whyNotAmount(operation: Operation, action: Decision): "amount_differs" | null {
  const { reason, collected, amount } = operation
  if (action === "dismiss") return null
  if (reason === "currency_mismatch") return "amount_differs"
  if (action !== "accept") return null
  const isOther = collected !== null && collected.minor !== amount.minor
  return isOther || reason === "amount_mismatch" ? "amount_differs" : null
}

const UNKNOWN = ["no_answer", "credentials", "source_disagrees"] as const

/** Their text says to refund the money, whatever else is possible by now. */
const TO_REFUND = ["another_payment", "order_canceled", "session_gone"] as const

type Found = Pick<Choice, "action" | "whyNot">

/**
 * Recommends what the text of the reason says; a duplicate has the text of `another_payment`,
 * whatever brought it here. An impossible decision is not recommended, unless it only waits for stock:
 * the same one stays recommended while the shop buys in.
 */
function recommendedOf(operation: Operation, found: readonly Found[]): Decision | null {
  const isPossible = (wanted: Decision) =>
    found.some((one) => one.action === wanted && (one.whyNot === null || isAwaited(one)))
  if (operation.reason === "currency_mismatch") return isPossible("dismiss") ? "dismiss" : null
  const reason = operation.isDuplicate ? "another_payment" : operation.reason
  if (TO_REFUND.some((known) => known === reason)) return isPossible("refund") ? "refund" : null
  // It is not known yet whether there is any money: an admin finds out first.
  if (UNKNOWN.some((known) => known === reason)) return null
  return (["refund_rest", "accept", "accept_asked", "refund"] as const).find(isPossible) ?? null
}
