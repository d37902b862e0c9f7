/**
 * What was done to an account, and by which admin or API key, or by the environment. Rows are added
 * and never changed, but for the mark that Medusa's bus has heard of them. Each row is committed
 * together with the change that it describes.
 */
import { randomUUID } from "node:crypto"
import type { AccountEventName, AccountHappening } from "../../core/account"
import type { AccountId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { accountChanges, type AccountChanges } from "../../core/schemas/stored-account"
import { rowsOf, type Database } from "../database"
import { json } from "../operation-row"
import type { RequestUse } from "../requests"

export type AccountEventDraft = {
  readonly name: AccountEventName
  /** An admin's id, an API key's, or `environment`. */
  readonly by: string
  /** The admin who asked first, where two admins were needed; else null. */
  readonly askedBy: string | null
  readonly changes: AccountChanges
}

/** A change as it is written: with the request that it uses up, where two admins were needed. */
export type AgreedEvent = AccountEventDraft & { readonly use: RequestUse | undefined }

export type AccountEvent = AccountEventDraft & { readonly id: string; readonly at: Date }

/** SQL that inserts an event; its five values are bound from the parameter `$first` on. */
export function accountEventInsert(accountId: string, first: number): string {
  const given = Array.from({ length: 5 }, (_, index) => `$${first + index}`)
  const [id, name, by, askedBy, changes] = given
  return `insert into mp_account_event (id, account_id, name, done_by, asked_by, changes)
    select ${id}::text, ${accountId}, ${name}::text, ${by}::text, ${askedBy}::text,
           ${changes}::jsonb`
}

/** The five values of an event, in the order of {@link accountEventInsert}. */
export function accountEventValues({ name, by, askedBy, changes }: AccountEventDraft): unknown[] {
  const id = `mpaev_${randomUUID().replaceAll("-", "")}`
  return [id, name, by, askedBy, JSON.stringify(changes)]
}

/** The values of an event and of the request that its change uses. */
export const agreedValues = ({ use, ...event }: AgreedEvent): unknown[] => [
  ...accountEventValues(event),
  use?.id ?? null,
  use?.approvedBy ?? null,
  use?.answer ?? null,
]

const ADD = accountEventInsert("$1", 2)

/** Adds an event without a change of the account: a request that waits for a second admin. */
export async function addAccountEvent(
  database: Database,
  accountId: AccountId,
  event: AccountEventDraft,
): Promise<void> {
  await database.query(ADD, [accountId, ...accountEventValues(event)])
}

const LIST = `
  select id, name, done_by as by, asked_by as "askedBy", changes, created_at as at
    from mp_account_event where account_id = $1
   order by created_at desc, id desc limit $2`

/** The events of an account, newest first, also if the account was removed. */
export async function listAccountEvents(
  database: Database,
  accountId: AccountId,
): Promise<AccountEvent[]> {
  const rows = await rowsOf<AccountEvent>(database, LIST, [accountId, LIMITS.eventsShownMax])
  return rows.map((row) => ({ ...row, changes: json(row, "changes", accountChanges) }))
}

export const IS_ACCOUNT_EVENT_UNANNOUNCED = "announced_at is null"

/** Claims events for a while, oldest first, never twice at a time, as with operations' events. */
const CLAIM = `
  with due as materialized (
    select id from mp_account_event
     where ${IS_ACCOUNT_EVENT_UNANNOUNCED} and (announce_after is null or announce_after <= now())
     order by created_at limit ${LIMITS.announcedAtOnce}
       for update skip locked
  )
  update mp_account_event e set announce_after = now() + $1 * interval '1 ms'
    from due where e.id = due.id
  returning e.id as "eventId", e.account_id as "accountId", e.name, e.done_by as by,
            array(select jsonb_object_keys(e.changes)) as fields, e.created_at as "occurredAt"`

export function claimAccountEvents(database: Database): Promise<AccountHappening[]> {
  return rowsOf<AccountHappening>(database, CLAIM, [LIMITS.announceLeaseMs])
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
