import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Since when a worker is there, and for which operations it waits for Medusa beyond the bound. */
export class Migration20261123020000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      alter table mp_worker
        add column if not exists began_at timestamptz not null default now(),
        add column if not exists unanswered text[] not null default '{}';`)
  }

  override async down(): Promise<void> {
    this.addSql(`
      alter table mp_worker drop column if exists unanswered, drop column if exists began_at;`)
  }
}
