/**
 * Changes of carts, and of their payment sessions, that the guard has let through and Medusa may
 * still be making. Each is a row of `mp_task` with a lease, written before the guard reads the
 * ledger; a `start` writes its draft before it reads these rows. So of a change and a start that
 * cross, at least one sees the other.
 */
import type { CartId, PaymentCollectionId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Database } from "../../ledger/database"
import { isFree, leaseToken } from "../../ledger/lease"

const BEGIN = `
  insert into mp_task (name, lease_token, lease_until, subject)
  values ('change:' || $1::text, $1::text::uuid, now() + $2 * interval '1 ms', $3)`

/** @returns by which the change is ended */
export async function beginCartChange(
  database: Database,
  changed: CartId | PaymentCollectionId,
  worker: string,
): Promise<string> {
  const token = leaseToken(worker)
  await database.query(BEGIN, [token, LIMITS.cartChangeMs, changed])
  return token
}

/** Deletes the change, and what processes that died have left. */
const END = `
  delete from mp_task
   where name = 'change:' || $1::text
      or (starts_with(name, 'change:') and lease_until < now())`

export async function endCartChange(database: Database, token: string): Promise<void> {
  await database.query(END, [token])
}

const IS_CHANGING = `
  select from mp_task
   where starts_with(name, 'change:') and subject = any($1::text[])
     and not ${isFree("mp_task")} limit 1`

export async function isCartChanging(
  database: Database,
  changed: readonly (CartId | PaymentCollectionId)[],
): Promise<boolean> {
  return (await database.query(IS_CHANGING, [changed])).length > 0
}
