/**
 * What executions of all four types share: one reference, one movement of money (specification,
 * "Idempotency rules for executions"). A reference is unique across all types and merchants.
 */
import type { Behaviour } from "../plans"
import type { MoneyOut } from "../book/money-records"
import type { Execution, OperationType } from "../book/records"
import { notFound, refused } from "../problem"
import type { World } from "../world"

export type AnyExecution = Execution | MoneyOut

/** The execution, and whether this call's answer is to be cut in the middle. */
export type Executed<T extends AnyExecution> = { execution: T; cutsAnswer: boolean }

export const executionUnder = (world: World, reference: string): AnyExecution | undefined =>
  world.book.executions.get(reference) ?? world.book.money.moneyOut.get(reference)

/**
 * The execution that this call repeats, or null if the reference is new. Throws 422 if the
 * reference belongs to another payment; by setting, for every repeat.
 *
 * @param isSame whether the known execution is what this call asks for, field by field
 */
export function repeated<T extends AnyExecution>(
  world: World,
  ownerId: number,
  reference: string,
  isSame: (known: AnyExecution) => known is T,
): Executed<T> | null {
  const field = ["body", "reference_id"]
  const known = executionUnder(world, reference)
  if (!known) return null
  if (known.ownerId !== ownerId || !isSame(known)) {
    throw refused(field, "Reference already used for a different payment")
  }
  if (world.settings.repeatedExecution === "REFUSE") {
    throw refused(field, "Reference already used")
  }
  world.book.update<{ timesCalled: number }>(known, { timesCalled: known.timesCalled + 1 })
  return { execution: known, cutsAnswer: false }
}

/**
 * A merchant's own execution, for a status read. Throws 404 (422 by setting) if it is unknown or
 * still lags.
 */
export function ownExecution(
  world: World,
  ownerId: number,
  type: OperationType,
  reference: string,
): AnyExecution {
  const known = executionUnder(world, reference)
  // A payment on the hosted page has a reference too, but the merchant never gets it.
  const isTheirs =
    known?.ownerId === ownerId &&
    known.operationType === type &&
    !("channel" in known && known.channel === "hosted")
  const { statusLagMs } = world.settings
  const isLagging = known && statusLagMs > 0 && world.time.nowMs() - known.createdAtMs < statusLagMs
  if (known && isTheirs && !isLagging) return known
  if (world.settings.unknownReference === 404) throw notFound("Execution")
  throw refused(["path", "reference_id"], "Execution not found")
}

/** No payer is asked on a handset, so an outcome that would wait for one is approved at once. */
export const withoutHandset = (behaviour: Behaviour): Behaviour =>
  behaviour.outcome === "handset" ? { ...behaviour, outcome: "approve", afterMs: 0 } : behaviour
