/** A decision about a case in review, and the rule of each type of money for it. */
import type { Operation } from "../core/operation"
import type { Decision } from "../core/possibilities"
import type { Advance, Changes } from "../ledger/advance-operation"
import type { GatewayNow, Reads } from "../engine/ask-now"
import type { FlowDeps } from "../engine/deps"
import type { Written } from "../engine/kinds"

export type Resolution = {
  readonly operationId: string
  readonly action: Decision
  /** Why, in the admin's own words; kept with the event, phone numbers masked. */
  readonly note: string
  readonly adminId: string
  /** Of a refund, in major units: what the admin was shown to go back. No other is sent. */
  readonly expectedAmount?: number | undefined
  /** Where the money is meant to go; only ever the payment's own. */
  readonly cartId?: string | undefined
  readonly orderId?: string | undefined
}

/** What a decision writes beyond what every decision writes. */
export type Ruling = {
  readonly changes: Changes
  readonly next: NonNullable<Advance["next"]>
  readonly isCountedLate?: boolean
  /** For the event. */
  readonly facts?: Readonly<Record<string, string>>
  /** Whose session in Medusa shows what became of it. */
  readonly shown?: (written: Written) => Operation | undefined
}

/** Decides for one type of money. Both throw a Refusal where the gateway's word forbids it. */
export type Rule = {
  accept(deps: FlowDeps, operation: Operation, now: Reads, resolution: Resolution): Promise<Ruling>
  dismiss(operation: Operation, now: GatewayNow): Ruling
}

/** `moved`: another writer was faster; it has to be read and decided about again. */
export type Resolved = GatewayNow | "moved"
