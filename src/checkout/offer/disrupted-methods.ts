/** Which payment methods are disrupted now, for whatever a shopper is shown. */
import type { MethodStatus } from "../schemas/methods"
import { LIMITS } from "../../core/limits"
import type { FlowDeps } from "../../engine/deps"
import { shortCache } from "../../engine/short-cache"
import type { Database } from "../../ledger/database"
import { listDisruptedMethods } from "../../ledger/disrupted-methods"

export const statusOf = (disrupted: ReadonlySet<string>, method: string): MethodStatus =>
  disrupted.has(method) ? "disrupted" : "ok"

const caches = new WeakMap<Database, ReturnType<typeof shortCache<ReadonlySet<string>>>>()

/** Read once in some seconds, however many shoppers ask. Nothing is lost if it can't be read. */
export function disruptedMethods({
  database,
  clock,
}: Pick<FlowDeps, "database" | "clock">): Promise<ReadonlySet<string>> {
  const limits = { keptForMs: LIMITS.disruptedKeptMs, most: 1 }
  const cache = caches.get(database) ?? shortCache<ReadonlySet<string>>(clock, limits)
  caches.set(database, cache)
  return cache([], () => listDisruptedMethods(database)).catch(() => new Set<string>())
}
