/** Which payment methods are disrupted now, for whatever a shopper is shown. */
import type { MethodStatus } from "../schemas/methods"
import { LIMITS } from "../../core/limits"
import type { FlowDeps } from "../../engine/deps"
import { shortCache } from "../../engine/short-cache"
import { listDisruptedMethods } from "../../ledger/disrupted-methods"
import { perStore } from "../../ledger/per-store"

export const statusOf = (disrupted: ReadonlySet<string>, method: string): MethodStatus =>
  disrupted.has(method) ? "disrupted" : "ok"

type Ports = Pick<FlowDeps, "database" | "clock">

const cacheOf = perStore(({ clock }: Ports) =>
  shortCache<ReadonlySet<string>>(clock, { keptForMs: LIMITS.disruptedKeptMs, most: 1 }),
)

/** Read once in some seconds, however many shoppers ask. Nothing is lost if it can't be read. */
export function disruptedMethods(deps: Ports): Promise<ReadonlySet<string>> {
  const read = () => listDisruptedMethods(deps.database)
  return cacheOf(deps)([], read).catch(() => new Set<string>())
}
