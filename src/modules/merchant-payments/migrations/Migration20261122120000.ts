import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * What is told to the shop's subscribers, the receipts of what was paid, and the exchange in it.
 *
 * Events of before the migration count as told: the column is added with a moment in it, which costs no
 * rewrite of the table, and stays empty for new rows. The receipts of payments of before are not
 * fetched: only rows made from now on are due for one, by a default, so that workers of the version
 * before need not know of it. Both partial indexes are empty while there is nothing to do.
 */
export class Migration20261122120000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      alter table mp_operation_event
        add column if not exists announced_at timestamptz default now(),
        add column if not exists announce_after timestamptz;`)
    this.addSql(`alter table mp_operation_event alter column announced_at drop default;`)
    this.addSql(`
      create index if not exists event_to_announce on mp_operation_event (created_at)
        where announced_at is null
          and name in ('complete', 'fail', 'expire', 'doubt', 'strand',
                       'accept', 'give_back', 'dismiss');`)

    this.addSql(`
      create table if not exists mp_receipt (
        operation_id text primary key references mp_operation (id),
        body jsonb not null,
        fetched_at timestamptz not null default now()
      );`)
    this.addSql(`
      alter table mp_operation
        add column if not exists exchange_rate numeric,
        add column if not exists exchange_from text,
        add column if not exists exchange_to text,
        add column if not exists receipt_tries integer not null default 0,
        add column if not exists receipt_due_at timestamptz;`)
    this.addSql(`alter table mp_operation alter column receipt_due_at set default now();`)
    this.addSql(`
      create index if not exists operation_without_receipt on mp_operation (receipt_due_at)
        where receipt_due_at is not null and type = 'COLLECTION' and state = 'completed'
          and source_id is not null;`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists operation_without_receipt;`)
    this.addSql(`
      alter table mp_operation
        drop column if exists receipt_due_at,
        drop column if exists receipt_tries,
        drop column if exists exchange_to,
        drop column if exists exchange_from,
        drop column if exists exchange_rate;`)
    this.addSql(`drop table if exists mp_receipt;`)
    this.addSql(`drop index if exists event_to_announce;`)
    this.addSql(`
      alter table mp_operation_event
        drop column if exists announce_after,
        drop column if exists announced_at;`)
  }
}
