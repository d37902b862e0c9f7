/**
 * Joins the writes of checks that changed nothing: one statement for all that come within
 * `LIMITS.checksWrittenWithinMs`. A check is over when it has handed its write over; the time until
 * it is written counts as part of the wait for the next check. If the process dies first, the
 * leases end and the questions are repeated.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { databaseFault, isAway } from "../ledger/database-error"
import {
  postponeOperation,
  postponeOperations,
  releaseOperations,
  type Postponement,
} from "../ledger/postpone-operation"
import type { FlowDeps } from "../engine/deps"

export type HeldBackWrites = {
  /** Takes the write of a check that changed nothing. */
  postpone(operation: Operation, postponement: Postponement): void
  /**
   * Gives back the lease of an operation whose check was not begun. If the write fails, the lease
   * ends by itself.
   */
  releaseUnbegun(operation: Operation): void
  /**
   * Writes what is left.
   * @throws the database's error, if it was away for this write or an earlier one
   */
  end(): Promise<void>
}

type Held = readonly [operation: Operation, postponement: Postponement, sinceMs: number]

export function heldBackWrites(
  deps: Pick<FlowDeps, "database" | "logger" | "clock">,
): HeldBackWrites {
  let checks: Held[] = []
  let unbegun: Operation[] = []
  let timer: AbortController | undefined
  let failure: { readonly error: unknown } | undefined
  const writing = new Set<Promise<void>>()

  const write = () => {
    timer?.abort()
    timer = undefined
    const [ended, released] = [checks, unbegun]
    checks = []
    unbegun = []
    if (ended.length + released.length === 0) return
    const written: Promise<void> = writeTogether(deps, ended, released)
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => writing.delete(written))
    writing.add(written)
  }
  const soon = () => {
    if (checks.length + unbegun.length >= LIMITS.checksPerRun) return write()
    if (timer) return
    timer = new AbortController()
    deps.clock.sleep(LIMITS.checksWrittenWithinMs, timer.signal).then(write, () => undefined)
  }
  return {
    postpone(operation, postponement) {
      checks.push([operation, postponement, deps.clock.monotonicMs()])
      soon()
    },
    releaseUnbegun(operation) {
      unbegun.push(operation)
      soon()
    },
    async end() {
      write()
      await Promise.all(writing)
      if (failure) throw failure.error
    },
  }
}

async function writeTogether(
  deps: Pick<FlowDeps, "database" | "logger" | "clock">,
  checks: readonly Held[],
  unbegun: readonly Operation[],
): Promise<void> {
  await releaseOperations(deps.database, unbegun).catch(() => undefined)
  if (checks.length === 0) return
  const nowMs = deps.clock.monotonicMs()
  const due = checks.map(([operation, postponement, sinceMs]) => {
    const { inMs } = postponement
    const leftMs = inMs === null ? null : Math.max(0, inMs - (nowMs - sinceMs))
    return [operation, { ...postponement, inMs: leftMs }] as const
  })
  try {
    await postponeOperations(deps.database, due)
  } catch (error) {
    // One broken connection leads here. Rows that were already written are not written again.
    if (isAway(databaseFault(error))) await postponeOperations(deps.database, due)
    else await oneByOne(deps, due)
  }
}

/** Writes each row alone: one that can't be written must not keep the others from being written. */
async function oneByOne(
  deps: Pick<FlowDeps, "database" | "logger" | "clock">,
  checks: readonly (readonly [Operation, Postponement])[],
): Promise<void> {
  for (const [operation, postponement] of checks) {
    try {
      await postponeOperation(deps.database, operation, postponement)
    } catch (error) {
      if (isAway(databaseFault(error))) throw error
      deps.logger.error(
        `merchant payments: the check of ${operation.id} could not be written: ` + errorText(error),
      )
    }
  }
}
