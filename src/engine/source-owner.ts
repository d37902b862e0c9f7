/**
 * Whose the money on a push's source is. A retry takes over the source of a failed push, so one
 * source may have been tried with several times; and it may be paid without us. One payment
 * must not be held twice, or it could be given back twice.
 */
import type { SourceOwner } from "../core/decide/decision"
import { hasEnded, type Operation } from "../core/operation"
import type { Gateway } from "../gateway"
import { bringForward } from "../ledger/bring-forward"
import { findOthersOfSource } from "../ledger/find-operations"
import { askExecution } from "./ask-gateway"
import type { MoneyDeps } from "./deps"
import type { ShopperTime } from "./shopper-time"

/**
 * From the ledger alone. `another`: another operation with this source is open, or ever had money.
 * Undefined: only ended tries know it.
 */
export async function ownerByLedger(
  deps: Pick<MoneyDeps, "database">,
  operation: Operation,
): Promise<"another" | undefined> {
  if (operation.sourceId === null) return undefined
  const others = await findOthersOfSource(deps.database, operation)
  return others.some((other) => !isSpent(other)) ? "another" : undefined
}

/**
 * Of a source that reads `PAID` though the operation's own execution did not complete. The other
 * tries are asked for, now: the one that completed has the money, and is checked soon. If none
 * did, it was paid without us, and the newest try holds it.
 */
export async function ownerOfPaid(
  deps: MoneyDeps,
  gateway: Gateway,
  operation: Operation,
  shopper?: ShopperTime,
): Promise<SourceOwner> {
  const others = await findOthersOfSource(deps.database, operation)
  if (others.some((other) => !isSpent(other))) return "another"
  for (const other of others) {
    if (other.reference === null) continue
    if (!shopper) await deps.budget.take(other.accountId)
    const { finding } = await askExecution(gateway, other.reference, shopper?.callOptions())
    if (finding.kind === "seen" && finding.status === "COMPLETED") {
      await bringForward(deps.database, other.id, 0)
      return "another"
    }
    const broughtNothing =
      finding.kind === "absent" || (finding.kind === "seen" && finding.status === "FAILED")
    if (!broughtNothing) return "unsure"
  }
  const newer = others.find((other) => isNewer(other, operation))
  if (!newer) return "this"
  await bringForward(deps.database, newer.id, 0)
  return "another"
}

/** It ended, and never held money. */
function isSpent(operation: Operation): boolean {
  return hasEnded(operation) && operation.collected === null
}

function isNewer(one: Operation, other: Operation): boolean {
  const laterMs = one.createdAt.getTime() - other.createdAt.getTime()
  return laterMs === 0 ? one.id > other.id : laterMs > 0
}
