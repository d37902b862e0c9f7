import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** The moment at which the end of an order's time to pay was dealt with, for each of its operations. */
export class Migration20261121100500 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`alter table mp_operation add column if not exists window_done_at timestamptz;`)
  }

  override async down(): Promise<void> {
    this.addSql(`alter table mp_operation drop column if exists window_done_at;`)
  }
}
