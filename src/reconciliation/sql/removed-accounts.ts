/**
 * Accounts that were removed, and took payments that began in a period: their money was taken all
 * the same.
 */
import { ACCOUNT_COLUMNS, accountFrom, type Account } from "../../ledger/accounts/find-accounts"
import type { Database } from "../../ledger/database"

const REMOVED = `
  select ${ACCOUNT_COLUMNS} from mp_account a
   where deleted_at is not null
     and exists (select from mp_operation o
                  where o.account_id = a.id and o.created_at >= $1 and o.created_at < $2
                    and o.type in ('COLLECTION', 'REFUND'))
   order by id`

export async function findRemovedAccounts(
  database: Database,
  period: { readonly from: Date; readonly until: Date },
): Promise<Account[]> {
  return (await database.query(REMOVED, [period.from, period.until])).map(accountFrom)
}
