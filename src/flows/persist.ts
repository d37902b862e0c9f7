/**
 * Writing what is known, against others who write too. A rebind may have raised the version while we
 * asked the gateway; what we learned is still true, so it is written onto the row as it is now, as long
 * as the row still stands in the same state and we still hold it.
 */
import type { Operation } from "../core/operation"
import { advanceOperation, type Advance } from "../ledger/advance-operation"
import { brokenRule, type Database } from "../ledger/database"
import { findById } from "../ledger/find-operations"

const ATTEMPTS = 4

/** The operation as written, or undefined when somebody else has moved it meanwhile. */
export async function persist(
  database: Database,
  operation: Operation,
  advance: Advance,
): Promise<Operation | undefined> {
  let current = operation
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const written = await writeOnce(database, current, advance)
    if (written) return written
    const fresh = await findById(database, operation.id)
    const isOurs =
      fresh !== undefined &&
      fresh.state === operation.state &&
      fresh.leaseToken === operation.leaseToken &&
      fresh.version !== current.version
    if (!isOurs) return undefined
    current = fresh
  }
  return undefined
}

/** Late money takes its collection only if nobody else has; the database says so, not a read before. */
async function writeOnce(
  database: Database,
  operation: Operation,
  advance: Advance,
): Promise<Operation | undefined> {
  try {
    return await advanceOperation(database, operation, advance)
  } catch (error) {
    if (brokenRule(error) !== "one_live_collection_per_payment_collection") throw error
    return advanceOperation(database, operation, {
      ...advance,
      why: `${advance.why}; another operation holds the collection: surplus`,
      changes: { ...advance.changes, surplus: true },
    })
  }
}
