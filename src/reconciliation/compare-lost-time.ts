/**
 * Compares the time that the database may have lost, as soon as that is noticed. Where the gateway
 * has nothing that the ledger does not know, the rules go on by themselves. A lost refund comes into
 * the ledger, and the next comparison asks again. For a lost payment an admin looks for the payer
 * first, and ends it with the command `database-restored`.
 */
import { LIMITS } from "../core/limits"
import { endBehind, findBehind, type Behind } from "../ledger/database-mark"
import { rowOf } from "../ledger/database"
import type { FlowDeps } from "../engine/deps"
import { hasNoLostRefund } from "./ask-lost-refunds"
import { reconcile } from "./reconcile"
import type { Period } from "./rules/reconciliation"
import type { AccountSums } from "./schemas/reconciliation"
import { runTask, type Keep } from "./run-task"

/** @returns false when nothing may be lost, or another worker compares */
export async function compareLostTimeWhenDue(
  deps: FlowDeps,
  signal?: AbortSignal,
): Promise<boolean> {
  if (!(await findBehind(deps.database))) return false
  return runTask(deps, "reconcile_lost", signal, async (keep) => {
    const behind = await findBehind(deps.database)
    const isOver = behind === undefined || (await compareLostTime(deps, behind, keep)).isOver
    return { inMs: isOver ? 0 : LIMITS.reconcileEveryMs }
  })
}

const PERIOD = `select $1::timestamptz as "from", now() as until`

export type LostTime = {
  readonly period: Period
  readonly accounts: readonly AccountSums[]
  /** The gateway has nothing that was not known here: the rules go on. */
  readonly isOver: boolean
}

export async function compareLostTime(
  deps: FlowDeps,
  behind: Behind,
  keep?: Keep,
): Promise<LostTime> {
  const period = await rowOf<Period>(deps.database, PERIOD, [behind.since])
  const accounts = await reconcile(deps, period, keep)
  const areRefundsKnown = await hasNoLostRefund(deps, keep ?? (() => Promise.resolve()))
  const isOver = accounts.every(isWithoutLoss) && areRefundsKnown
  if (isOver) {
    await endBehind(deps.database, behind)
    deps.logger.info(
      "merchant payments: the time that the database may have lost is compared with the gateway: " +
        "nothing is missing, and the rules go on",
    )
  } else {
    deps.logger.error(
      "merchant payments: the database lacked payments or refunds that the gateway has, or not all " +
        "could be compared: the rules stand still. See docs/runbooks.md, The database is older than the money",
    )
  }
  return { period, accounts, isOver }
}

/** An account without credentials can send nothing, and there is nothing to read. */
function isWithoutLoss({ incomplete_because, counts }: AccountSums): boolean {
  const isRead = incomplete_because.every((code) => code === "not_configured")
  return isRead && (counts["paid_unknown_to_ledger"] ?? 0) === 0
}
