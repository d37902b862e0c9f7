import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * Refunds as operations of their own: what went back is counted beside what is reserved, a refund that
 * Medusa asks for is known by Medusa's id, and one that was sent has a reference whatever the flow of
 * its payment. All of it is new to workers of before, which make no refunds and read none.
 */
export class Migration20261121110000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      alter table mp_operation
        add column if not exists refunded_minor bigint not null default 0,
        add column if not exists asked_by text;`)
    this.addSql(`
      alter table mp_operation drop constraint if exists what_went_back_was_reserved;`)
    this.addSql(`
      alter table mp_operation add constraint what_went_back_was_reserved
        check (refunded_minor between 0 and reserved_refund_minor);`)
    this.addSql(`
      alter table mp_operation drop constraint if exists a_refund_belongs_to_a_payment;`)
    this.addSql(`
      alter table mp_operation add constraint a_refund_belongs_to_a_payment
        check (type <> 'REFUND' or (parent_id is not null and host_amount is not null
               and (reference is not null or state in ('drafted', 'expired'))));`)
    this.addSql(`
      create unique index if not exists one_refund_per_host_refund
        on mp_operation (host_refund_id) where host_refund_id is not null;`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists one_refund_per_host_refund;`)
    this.addSql(`
      alter table mp_operation
        drop constraint if exists a_refund_belongs_to_a_payment,
        drop constraint if exists what_went_back_was_reserved,
        drop column if exists asked_by,
        drop column if exists refunded_minor;`)
  }
}
