import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * One budget of questions for each account, which all workers share, and a sign of life of each worker.
 *
 * What is due is found by two indexes: what has to be asked, account by account, because each account
 * has a budget of its own; and what is only told to Medusa, which costs the gateway nothing.
 */
export class Migration20261120160000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      alter table mp_account
        add column if not exists checks_per_second double precision not null default 5,
        add column if not exists checks_left double precision not null default 5,
        add column if not exists checks_counted_at timestamptz not null default now(),
        add column if not exists checks_paused_until timestamptz,
        add column if not exists checks_slowed_at timestamptz;`)
    this.addSql(`
      alter table mp_account drop constraint if exists account_asks_at_some_rate;`)
    this.addSql(`
      alter table mp_account add constraint account_asks_at_some_rate check (checks_per_second > 0);`)

    this.addSql(`
      create table if not exists mp_worker (
        id text primary key,
        seen_at timestamptz not null default now()
      );`)

    this.addSql(`
      create index if not exists operation_due_to_ask
        on mp_operation (account_id, waiting desc, next_check_at)
        where next_check_at is not null and state not in ('completed', 'review');`)
    this.addSql(`
      create index if not exists operation_due_to_tell
        on mp_operation (waiting desc, next_check_at)
        where next_check_at is not null and state in ('completed', 'review');`)
    this.addSql(`drop index if exists operation_due;`)
  }

  override async down(): Promise<void> {
    this.addSql(`
      create index if not exists operation_due
        on mp_operation (waiting desc, next_check_at) where next_check_at is not null;`)
    this.addSql(`drop index if exists operation_due_to_tell;`)
    this.addSql(`drop index if exists operation_due_to_ask;`)
    this.addSql(`drop table if exists mp_worker;`)
    this.addSql(`
      alter table mp_account
        drop constraint if exists account_asks_at_some_rate,
        drop column if exists checks_slowed_at,
        drop column if exists checks_paused_until,
        drop column if exists checks_counted_at,
        drop column if exists checks_left,
        drop column if exists checks_per_second;`)
  }
}
