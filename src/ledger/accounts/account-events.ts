/**
 * What was done to an account, and by whom. Rows are added and never changed, but for the mark that
 * Medusa's bus has heard of them; each is committed with the change that it is of.
 */
import { randomUUID } from "node:crypto"
import type { AccountChanges, AccountEventName, AccountHappening } from "../../core/account-event"
import { LIMITS } from "../../core/limits"
import { momentIn, type Database, type Row } from "../database"

export type AccountEventDraft = {
  readonly name: AccountEventName
  /** An admin's id, an API key's, or `environment`. */
  readonly by: string
  /** Who asked for it first, where it took two. */
  readonly askedBy: string | null
  readonly changes: AccountChanges
}

export type AccountEvent = AccountEventDraft & { readonly id: string; readonly at: Date }

/** Five values of an event, from the parameter `$first` on, as columns of an insert. */
export function accountEventInsert(accountId: string, first: number): string {
  const given = Array.from({ length: 5 }, (_, index) => `$${first + index}`)
  const [id, name, by, askedBy, changes] = given
  return `insert into mp_account_event (id, account_id, name, done_by, asked_by, changes)
    select ${id}::text, ${accountId}, ${name}::text, ${by}::text, ${askedBy}::text,
           ${changes}::jsonb`
}

/** In the order of {@link accountEventInsert}. */
export function accountEventValues({ name, by, askedBy, changes }: AccountEventDraft): unknown[] {
  const id = `mpaev_${randomUUID().replaceAll("-", "")}`
  return [id, name, by, askedBy, JSON.stringify(changes)]
}

const ADD = accountEventInsert("$1", 2)

/** By itself, for what has changed nothing: a request that waits for a second admin. */
export async function addAccountEvent(
  database: Database,
  accountId: string,
  event: AccountEventDraft,
): Promise<void> {
  await database.query(ADD, [accountId, ...accountEventValues(event)])
}

const LIST = `
  select * from mp_account_event where account_id = $1
   order by created_at desc, id desc limit $2`

/** The newest first, also of an account that was removed. */
export async function listAccountEvents(
  database: Database,
  accountId: string,
): Promise<AccountEvent[]> {
  const rows = await database.query(LIST, [accountId, LIMITS.eventsShownMax])
  return rows.map((row) => ({
    ...draftFrom(row),
    id: String(row["id"]),
    at: momentIn(row["created_at"]),
  }))
}

/** Like the operations' events: claimed for a while, the oldest first, never twice at a time. */
const claimStatement = (limit: number) => `
  with due as materialized (
    select id from mp_account_event
     where announced_at is null and (announce_after is null or announce_after <= now())
     order by created_at limit ${Math.trunc(limit)}
       for update skip locked
  )
  update mp_account_event e set announce_after = now() + $1 * interval '1 ms'
    from due where e.id = due.id
  returning e.*`

export async function claimAccountEvents(
  database: Database,
  claim: { readonly limit: number; readonly forMs: number },
): Promise<AccountHappening[]> {
  const rows = await database.query(claimStatement(claim.limit), [claim.forMs])
  return rows.map((row) => {
    const { name, by, changes } = draftFrom(row)
    const eventId = String(row["id"])
    const accountId = String(row["account_id"])
    return {
      eventId,
      accountId,
      name,
      by,
      fields: Object.keys(changes),
      occurredAt: momentIn(row["created_at"]),
    }
  })
}

const MARK = `
  update mp_account_event set announced_at = now()
   where id = any ($1::text[]) and announced_at is null`

export async function markAccountEvents(
  database: Database,
  happenings: readonly Pick<AccountHappening, "eventId">[],
): Promise<void> {
  await database.query(MARK, [happenings.map(({ eventId }) => eventId)])
}

function draftFrom(row: Row): AccountEventDraft {
  const { asked_by: askedBy, changes } = row
  return {
    // The column holds what `accountEventValues` has put there.
    name: String(row["name"]) as AccountEventName,
    by: String(row["done_by"]),
    askedBy: typeof askedBy === "string" ? askedBy : null,
    changes: typeof changes === "object" && changes !== null ? { ...changes } : {},
  }
}
