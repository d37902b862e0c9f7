import { LIMITS } from "../../core/limits"
import type { Database } from "../../ledger/database"

/** Under way counts as gone; what failed or ended without a trace went back to nobody. */
const REFUNDED = `
  select coalesce(sum(amount_minor), 0)::text as minor from mp_operation
   where parent_id = $1 and type = 'REFUND' and state not in ('failed', 'expired')
     and created_at > now() - $2 * interval '1 ms'`

/**
 * What of a collection was given back, or is on its way, since a day ago; in its smallest units.
 */
export async function refundedLately(database: Database, collectionId: string): Promise<bigint> {
  const [row] = await database.query(REFUNDED, [collectionId, LIMITS.movedTogetherMs])
  const { minor } = row ?? {}
  return typeof minor === "string" ? BigInt(minor) : 0n
}
