import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * What a worker's sign of life says since it is given by a timer: since when the worker was heard
 * without a gap, and when it last looked for due payments. The version before writes neither.
 */
export class Migration20261128101500 extends Migration {
  override async up(): Promise<void> {
    this.addSql("alter table mp_worker add column if not exists heard_since timestamptz;")
    this.addSql("alter table mp_worker add column if not exists passed_at timestamptz;")
  }

  override async down(): Promise<void> {
    this.addSql("alter table if exists mp_worker drop column if exists heard_since;")
    this.addSql("alter table if exists mp_worker drop column if exists passed_at;")
  }
}
