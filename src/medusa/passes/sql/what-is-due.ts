/**
 * One question for all jobs, so that a shop in which nothing happens costs one statement and not
 * one for each thing that a job could find. It probes the ends of indexes and takes nothing; what
 * it finds, the jobs' own statements claim. A row that another worker holds counts as due.
 */
import { IS_ACCOUNT_EVENT_UNANNOUNCED } from "../../../ledger/accounts/account-events"
import { BOTH, IS_ASKED } from "../../../ledger/limits/check-budget"
import { rowOf, type Database } from "../../../ledger/database"
import { IS_COLLECTED_DUE, IS_UNNOTIFIED, IS_WAITING_DUE } from "../../../notifications/sql/outbox"
import { IS_UNANNOUNCED } from "../../../worker/sql/announcements"
import { IS_METHOD_EVENT_UNANNOUNCED } from "../../../worker/sql/method-events"
import { IS_RECEIPT_DUE } from "../../../worker/sql/receipts"

export type WhatIsDue = {
  /** Milliseconds until the next check or work in Medusa, at most 0: now; null: there is none. */
  readonly checkInMs: number | null
  readonly hasAnnouncements: boolean
  readonly hasNotifications: boolean
  readonly hasReceipts: boolean
}

const first = (rows: string) => `
  select o.next_check_at as at from mp_operation o
   where ${rows} and o.waiting = half.waiting and o.next_check_at is not null
   order by o.next_check_at limit 1`

const WHAT = `
  select (select extract(epoch from min(next.at) - now())::float8 * 1000 from (
            select one.at from mp_account a cross join ${BOTH}
             cross join lateral (${first(`o.account_id = a.id and ${IS_ASKED}`)}) one
            union all
            select one.at from ${BOTH}
             cross join lateral (${first("o.state in ('completed', 'review')")}) one
          ) next) as "checkInMs",
         exists (select from mp_operation_event where ${IS_UNANNOUNCED})
           or exists (select from mp_account_event where ${IS_ACCOUNT_EVENT_UNANNOUNCED})
           or exists (select from mp_method_event where ${IS_METHOD_EVENT_UNANNOUNCED})
           as "hasAnnouncements",
         exists (select from mp_operation_event where ${IS_UNNOTIFIED})
           or exists (select from mp_notification where ${IS_WAITING_DUE})
           or exists (select from mp_notification where ${IS_COLLECTED_DUE})
           as "hasNotifications",
         exists (select from mp_operation o where ${IS_RECEIPT_DUE}) as "hasReceipts"`

export function readWhatIsDue(database: Database): Promise<WhatIsDue> {
  return rowOf<WhatIsDue>(database, WHAT, [], "mp_what_is_due")
}
