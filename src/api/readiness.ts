/**
 * Whether this process can take payments. However many ask, the database is asked once in
 * `LIMITS.readyKeptMs`, and a database that hangs is waited for `LIMITS.readyWithinMs` at most.
 */
import { LIMITS } from "../core/limits"
import type { FlowDeps } from "../engine/deps"
import { shortCache } from "../engine/short-cache"
import { answers } from "../ledger/answers"
import { perStore } from "../ledger/per-store"

type Ports = Pick<FlowDeps, "database" | "clock">

const cacheOf = perStore(({ clock }: Ports) =>
  shortCache<boolean>(clock, { keptForMs: LIMITS.readyKeptMs, most: 1 }),
)

export const readinessOf = (deps: Ports): Promise<boolean> => cacheOf(deps)([], () => ask(deps))

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
