/**
 * Whether this process can take payments. However many ask, the database is asked once in
 * `LIMITS.readyKeptMs`, and a database that hangs is waited for `LIMITS.readyWithinMs` at most.
 */
import { LIMITS } from "../core/limits"
import type { FlowDeps } from "../engine/deps"
import { shortCache } from "../engine/short-cache"
import type { Database } from "../ledger/database"
import { answers } from "../ledger/answers"

type Ports = Pick<FlowDeps, "database" | "clock">

const caches = new WeakMap<Database, ReturnType<typeof shortCache<boolean>>>()

export function readinessOf(deps: Ports): Promise<boolean> {
  const { database, clock } = deps
  const cache =
    caches.get(database) ?? shortCache<boolean>(clock, { keptForMs: LIMITS.readyKeptMs, most: 1 })
  caches.set(database, cache)
  return cache([], () => ask(deps))
}

async function ask({ database, clock }: Ports): Promise<boolean> {
  const given = new AbortController()
  const late = clock.sleep(LIMITS.readyWithinMs, given.signal).then(
    () => false,
    () => false,
  )
  const isThere = answers(database).then(
    () => true,
    () => false,
  )
  const isReady = await Promise.race([isThere, late])
  given.abort()
  return isReady
}
