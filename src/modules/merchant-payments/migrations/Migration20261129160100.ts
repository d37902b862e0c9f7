import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** When an admin made another link: an older way to the receipt, as a session's id, has ended. */
export class Migration20261129160100 extends Migration {
  override async up(): Promise<void> {
    this.addSql("alter table mp_receipt_link add column if not exists renewed_at timestamptz;")
  }

  override async down(): Promise<void> {
    this.addSql("alter table mp_receipt_link drop column if exists renewed_at;")
  }
}
