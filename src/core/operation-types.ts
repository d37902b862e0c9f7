/**
 * The operation: one intended movement of money, and its whole state machine as data.
 *
 * `drafted`    nothing that can move money was sent, as far as the ledger knows
 * `submitted`  the reference is committed; the money call is about to go out or went out
 * `in_flight`  the gateway said that it works on it
 * `completed`  proof from the gateway, amount and currency equal
 * `failed`     the gateway said FAILED twice, or an admin dismissed it; its source is closed next
 * `expired`    ended without money, with a reason
 * `review`     money and records disagree; an admin decides
 *
 * A pair that is absent from `TRANSITIONS` is not a transition: the row stays as it is.
 */
import { END, REVIEW } from "./messages/reason.en"
import type { Money } from "./money"

export const TRANSITIONS = {
  drafted: { submit: "submitted", expire: "expired" },
  submitted: {
    see: "in_flight",
    complete: "completed",
    fail: "failed",
    expire: "expired",
    doubt: "review",
  },
  in_flight: { complete: "completed", fail: "failed", expire: "expired", doubt: "review" },
  // Only while not recorded: what was recorded in Medusa is never taken back automatically.
  completed: { strand: "review" },
  // Late money is never applied by itself and never lost. `doubt`: the gateway contradicts itself.
  failed: { complete: "review", doubt: "review" },
  expired: { complete: "review", doubt: "review" },
  // The decision of an admin or of the account's policy; the event names which.
  review: { accept: "completed", give_back: "completed", dismiss: "failed" },
} as const satisfies Record<string, Partial<Record<string, string>>>

export type State = keyof typeof TRANSITIONS
type EventsOf<Row> = Row extends unknown ? keyof Row : never
export type Event = EventsOf<(typeof TRANSITIONS)[State]>

export const STATES = Object.keys(TRANSITIONS) as readonly State[]

/** Sent to the gateway, which has not said how it ended. */
export function isUnderWay({ state }: { readonly state: State }): boolean {
  return state === "submitted" || state === "in_flight"
}

/** The state after an event, or undefined where the machine has no such transition. */
export function stateAfter(state: State, event: Event): State | undefined {
  const row: Partial<Record<Event, State>> = TRANSITIONS[state]
  return row[event]
}

export type OrderPlacement = "pay_first" | "order_first"

/** Why the gateway or we ended the operation. A shopper gets the code; the kit has the words. */
export type EndReason = keyof typeof END
export const END_REASONS = Object.keys(END) as readonly EndReason[]

/** Why an admin must decide; never shown to the shopper. */
export type ReviewReason = keyof typeof REVIEW
export const REVIEW_REASONS = Object.keys(REVIEW) as readonly ReviewReason[]

/** How the last sending of the money call ended, as far as we know. */
export type Sending = "sending" | "accepted" | "in_doubt" | "not_sent" | "refused"

/** One line of the source, named as the shopper knows it. */
export type Line = {
  readonly name: string
  /** How many pieces; 1 for a shipping method. Not always whole. */
  readonly quantity: number
  /** The total of the line, for all pieces together. */
  readonly amount: Money
}

export type { Fees } from "./schemas/stored"

export const OPERATION_TYPES = ["COLLECTION", "REFUND", "PAYOUT", "TRANSFER"] as const
export type OperationType = (typeof OPERATION_TYPES)[number]
export const PAYOUT_TYPES = ["PAYOUT", "TRANSFER"] as const satisfies readonly OperationType[]
export const FLOW_NAMES = ["push", "hosted", "card", "link"] as const
export type Flow = (typeof FLOW_NAMES)[number]
export const SOURCE_TYPES = ["ORDER", "INVOICE"] as const
export type SourceType = (typeof SOURCE_TYPES)[number]
/** Who pays the gateway's fees: the shopper on top of the total, or the shop out of it. */
export const FEE_BEARERS = ["PAYER", "PAYEE"] as const
export type FeeBearer = (typeof FEE_BEARERS)[number]
