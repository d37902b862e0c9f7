import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** When an operator took a payment back; it counts on that day, and not on the payment's. */
export class Migration20261129150501 extends Migration {
  override async up(): Promise<void> {
    this.addSql("alter table mp_operation add column if not exists taken_back_at timestamptz;")
    this.addSql(`create index if not exists operation_taken_back on mp_operation (taken_back_at)
      where taken_back_at is not null;`)
  }

  override async down(): Promise<void> {
    this.addSql("drop index if exists operation_taken_back;")
    this.addSql("alter table mp_operation drop column if exists taken_back_at;")
  }
}
