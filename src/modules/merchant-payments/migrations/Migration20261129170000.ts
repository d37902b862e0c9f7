import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * Whom a prompt went to, while no answer of the gateway says that this prompt brought the money. The
 * payment's own columns are empty for as long, so that every list, sum and filter agrees.
 */
export class Migration20261129170000 extends Migration {
  override async up(): Promise<void> {
    this.addSql("alter table mp_operation add column if not exists prompted_payer jsonb;")
  }

  override async down(): Promise<void> {
    this.addSql("alter table mp_operation drop column if exists prompted_payer;")
  }
}
