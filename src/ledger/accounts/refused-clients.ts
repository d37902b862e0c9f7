/**
 * The accounts whose client id and secret the gateway refuses now. A row of
 * `mp_notification_trouble` keeps it, so that all processes say it once; its `subject` names the
 * account. Admins and monitors read it; no payment is decided by it.
 */
import { idFrom, type AccountId } from "../../core/ids"
import type { Database } from "../database"

const PREFIX = "account:"

export const refusedSubject = (accountId: AccountId): string => `${PREFIX}${accountId}`

const REFUSED = `
  select a.id from mp_notification_trouble t
    join mp_account a on t.subject = '${PREFIX}' || a.id and a.deleted_at is null`

export async function listRefusedAccounts(database: Database): Promise<ReadonlySet<AccountId>> {
  const rows = await database.query(REFUSED, [], "mp_accounts_refused")
  return new Set(rows.map(({ id }) => idFrom<AccountId>(String(id))))
}

const CALLED = `
  select distinct account_id as id from mp_gateway_minute
   where minute >= date_trunc('minute', now()) - $1::float8 * interval '1 ms'`

/** Accounts for which any process has called the gateway within this time. */
export async function listCalledAccounts(
  database: Database,
  withinMs: number,
): Promise<ReadonlySet<AccountId>> {
  const rows = await database.query(CALLED, [withinMs], "mp_accounts_called")
  return new Set(rows.map(({ id }) => idFrom<AccountId>(String(id))))
}
