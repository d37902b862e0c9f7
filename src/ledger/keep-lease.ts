import type { Operation } from "../core/operation"
import type { Database } from "./database"

/**
 * Whoever holds the operations holds them for so long from now on; those that another has by now
 * are left.
 */
const KEEP = `
  update mp_operation o set lease_until = now() + $3 * interval '1 ms'
    from unnest($1::text[], $2::uuid[]) as held (id, token)
   where o.id = held.id and o.lease_token = held.token
  returning o.id`

/** Of checks that take long. @returns how many are held */
export async function keepLeases(
  database: Database,
  operations: readonly Operation[],
  leaseMs: number,
): Promise<number> {
  const rows = await database.query(KEEP, [
    operations.map(({ id }) => id),
    operations.map(({ leaseToken }) => leaseToken),
    leaseMs,
  ])
  return rows.length
}

/**
 * Before a step that may take long.
 *
 * @returns false where the lease has ended, and another has it by now
 */
export async function keepLease(
  database: Database,
  operation: Operation,
  leaseMs: number,
): Promise<boolean> {
  return (await keepLeases(database, [operation], leaseMs)) > 0
}
