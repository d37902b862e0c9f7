import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * Since when a payment's source reads paid while its prompt reads FAILED. If the prompt is approved
 * later, the gateway has taken the money twice; the index finds the few that may be.
 */
export class Migration20261129150300 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`alter table mp_operation add column if not exists paid_otherwise_at timestamptz;`)
    this.addSql(
      `create index if not exists operation_paid_otherwise on mp_operation (paid_otherwise_at)
         where paid_otherwise_at is not null;`,
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists operation_paid_otherwise;`)
    this.addSql(`alter table mp_operation drop column if exists paid_otherwise_at;`)
  }
}
