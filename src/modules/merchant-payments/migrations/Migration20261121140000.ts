import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * How long after the prompt a payment was confirmed, as far as two looks can tell: half-way between the
 * last look that did not know yet and the one that did. Null where that says too little.
 */
export class Migration20261121140000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      alter table mp_operation add column if not exists confirmed_after_ms double precision;`)
    this.addSql(`
      create index if not exists operation_confirmations
        on mp_operation (account_id, flow, coalesce(payment_method, ''), submitted_at desc)
        where confirmed_after_ms is not null;`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists operation_confirmations;`)
    this.addSql(`alter table mp_operation drop column if exists confirmed_after_ms;`)
  }
}
