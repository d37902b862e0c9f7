/**
 * What a decision about a case in review is, and what the rule of each type of money says of it.
 */
import type { Operation } from "../core/operation"
import type { Advance, Changes } from "../ledger/advance-operation"
import type { GatewayNow, Reads } from "../engine/ask-now"
import type { FlowDeps } from "../engine/deps"
import type { Written } from "../engine/kinds"

export type Resolution = {
  readonly operationId: string
  readonly action: "accept" | "refund" | "dismiss"
  /** Why, in the admin's own words; kept with the event, phone numbers masked. */
  readonly note: string
  /** Who. */
  readonly adminId: string
  /** Of a refund, in major units: what the admin was shown. Another amount is not sent. */
  readonly expectedAmount?: number | undefined
  /** Where the money is meant to go; only ever the payment's own. */
  readonly cartId?: string | undefined
  readonly orderId?: string | undefined
}

/** What a decision writes beside what every one writes. */
export type Ruling = {
  readonly changes: Changes
  readonly next: NonNullable<Advance["next"]>
  readonly isCountedLate?: boolean
  /** Whose session in Medusa shows what became of it. */
  readonly shown?: (written: Written) => Operation | undefined
}

/**
 * What the decisions do to one type of money. Both throw a Refusal where the gateway's word forbids
 * it.
 */
export type Rule = {
  accept(deps: FlowDeps, operation: Operation, now: Reads, resolution: Resolution): Promise<Ruling>
  dismiss(operation: Operation, now: GatewayNow): Ruling
}

/** `moved`: another writer was faster; it is to be read and decided about again. */
export type Resolved = GatewayNow | "moved"
