import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * What a comparison of the three books adds up to, and why one is not complete, beside what it found;
 * and the way to the newest one of a period, which an admin asks for.
 *
 * A worker of the version before keeps its comparisons without: they are not shown as totals.
 */
export class Migration20261122150000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      alter table mp_reconciliation
        add column if not exists totals jsonb,
        add column if not exists incomplete_because text[] not null default '{}';`)
    this.addSql(`
      create index if not exists reconciliation_of_period
        on mp_reconciliation (account_id, from_at, until_at, created_at desc)
        where totals is not null;`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists reconciliation_of_period;`)
    this.addSql(`
      alter table mp_reconciliation
        drop column if exists incomplete_because, drop column if exists totals;`)
  }
}
