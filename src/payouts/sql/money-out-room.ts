import { storedPolicies, type AccountPolicies } from "../../core/account-policies"
import { LIMITS } from "../../core/limits"
import type { Database } from "../../ledger/database"

/** What an account lets out, and what has left it, both as they were at one moment. */
export type MoneyOutRoom = {
  readonly policies: AccountPolicies
  /** In one currency since a day ago, in smallest units. */
  readonly sentMinor: bigint
  /** A draft names it: of two at once the second reads again, and counts the first one's money. */
  readonly turn: number
}

/** What is under way counts as gone; what failed or ended without a trace has not left. */
const ROOM = `
  select a.money_out_turn as turn, a.policies,
         (select coalesce(sum(o.amount_minor), 0)::text from mp_operation o
           where o.type in ('PAYOUT', 'TRANSFER') and o.account_id = a.id and o.currency_code = $2
             and o.state not in ('failed', 'expired')
             and o.created_at > now() - $3 * interval '1 ms') as sent_minor
    from mp_account a where a.id = $1 and a.deleted_at is null`

/** @returns undefined for an account that is gone */
export async function findMoneyOutRoom(
  database: Database,
  accountId: string,
  currency: string,
): Promise<MoneyOutRoom | undefined> {
  const [row] = await database.query(ROOM, [accountId, currency, LIMITS.movedTogetherMs])
  return (
    row && {
      policies: storedPolicies(row["policies"]),
      sentMinor: BigInt(String(row["sent_minor"])),
      turn: Number(row["turn"]),
    }
  )
}
