import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * Refunds that Medusa asks for: whether Medusa was told that the money is on its way (`answered_at`), and
 * whether its books were put right when it did not go through after all (`undone_at`). Workers of before
 * ask for none and write neither.
 */
export class Migration20261122100000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      alter table mp_operation
        add column if not exists answered_at timestamptz,
        add column if not exists undone_at timestamptz;`)
  }

  override async down(): Promise<void> {
    this.addSql(`
      alter table mp_operation
        drop column if exists undone_at,
        drop column if exists answered_at;`)
  }
}
