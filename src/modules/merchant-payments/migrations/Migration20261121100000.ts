import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * The tasks that one worker does for all of them, what each reconciliation found, and the indexes by
 * which sweeps and retention find their few rows: the partial ones hold next to nothing while all is well.
 *
 * A worker of the version before knows none of it, and need not: it writes no row that is wrong here.
 */
export class Migration20261121100000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      create table if not exists mp_task (
        name text primary key,
        due_at timestamptz not null default now(),
        lease_token uuid,
        lease_until timestamptz,
        taken_by text,
        began_at timestamptz,
        done_at timestamptz
      );`)

    this.addSql(`
      create table if not exists mp_reconciliation (
        id text primary key,
        account_id text not null references mp_account (id),
        from_at timestamptz not null,
        until_at timestamptz not null,
        is_complete boolean not null,
        counts jsonb not null default '{}',
        differences jsonb not null default '[]',
        left_out integer not null default 0,
        created_at timestamptz not null default now(),
        constraint reconciliation_has_a_period check (from_at < until_at),
        constraint reconciliation_leaves_out_no_less_than_none check (left_out >= 0)
      );`)
    this.addSql(`
      create index if not exists reconciliation_of_account
        on mp_reconciliation (account_id, created_at desc);`)

    this.addSql(`
      alter table mp_operation add column if not exists events_pruned_at timestamptz;`)
    this.addSql(`
      create index if not exists operation_forgotten on mp_operation (id)
        where next_check_at is null and recorded_at is null and returned_at is null
          and state in ('drafted', 'submitted', 'in_flight', 'completed');`)
    this.addSql(`
      create index if not exists operation_of_source on mp_operation (account_id, source_id)
        where source_id is not null;`)
    this.addSql(`
      create index if not exists operation_of_period on mp_operation (account_id, created_at);`)
    this.addSql(`
      create index if not exists operation_to_prune on mp_operation (updated_at)
        where events_pruned_at is null and next_check_at is null
          and state in ('completed', 'failed', 'expired');`)
    this.addSql(`
      create index if not exists party_of_guest on mp_party (updated_at)
        where customer_id is null;`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists party_of_guest;`)
    this.addSql(`drop index if exists operation_to_prune;`)
    this.addSql(`drop index if exists operation_of_period;`)
    this.addSql(`drop index if exists operation_of_source;`)
    this.addSql(`drop index if exists operation_forgotten;`)
    this.addSql(`alter table mp_operation drop column if exists events_pruned_at;`)
    this.addSql(`drop table if exists mp_reconciliation;`)
    this.addSql(`drop table if exists mp_task;`)
  }
}
