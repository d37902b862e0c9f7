import type { Operation } from "../core/operation"
import type { Database } from "./database"

/** Before a step that may take long: whoever holds the operation holds it for so long from now on. */
const KEEP = `
  update mp_operation set lease_until = now() + $3 * interval '1 ms'
   where id = $1 and lease_token = $2
  returning id`

/** @returns false where the lease has ended, and somebody else has it by now */
export async function keepLease(
  database: Database,
  { id, leaseToken }: Operation,
  leaseMs: number,
): Promise<boolean> {
  const rows = await database.query(KEEP, [id, leaseToken, leaseMs])
  return rows.length > 0
}
