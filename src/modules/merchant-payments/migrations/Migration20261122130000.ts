import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * Payouts and transfers: operations that no payment, cart or order of Medusa's belongs to, so what a
 * payment must have is nothing here. A worker of before can't read such a row and leaves it alone, which
 * is what it should do with money that it knows nothing about.
 *
 * One key of the caller's is one movement of money. Of a recipient the name is kept, and three digits.
 */
export class Migration20261122130000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      alter table mp_operation
        add column if not exists idempotency_key text,
        add column if not exists recipient_name text,
        add column if not exists wallet_id bigint,
        add column if not exists counterparty_id bigint;`)
    this.addSql(`
      alter table mp_operation
        alter column provider_id drop not null,
        alter column payment_collection_id drop not null,
        alter column payment_session_id drop not null,
        alter column source_type drop not null;`)
    this.addSql(`
      alter table mp_operation
        drop constraint if exists a_payment_is_one_of_medusas,
        drop constraint if exists money_out_is_asked_for_under_a_key;`)
    this.addSql(`
      alter table mp_operation
        add constraint a_payment_is_one_of_medusas check (
          type in ('PAYOUT', 'TRANSFER')
          or (provider_id is not null and payment_collection_id is not null
              and payment_session_id is not null and source_type is not null)),
        add constraint money_out_is_asked_for_under_a_key check (
          type not in ('PAYOUT', 'TRANSFER')
          or (idempotency_key is not null and asked_by is not null
              and (reference is not null or state in ('drafted', 'expired'))));`)
    this.addSql(`
      create unique index if not exists one_movement_per_idempotency_key
        on mp_operation (idempotency_key) where idempotency_key is not null;`)
    this.addSql(`
      create index if not exists operation_out on mp_operation (type, created_at desc, id desc)
        where type in ('PAYOUT', 'TRANSFER');`)
  }

  /** The columns of payments stay as they are: payouts that were made are kept, and have nothing there. */
  override async down(): Promise<void> {
    this.addSql(`drop index if exists operation_out;`)
    this.addSql(`drop index if exists one_movement_per_idempotency_key;`)
    this.addSql(`
      alter table mp_operation
        drop constraint if exists money_out_is_asked_for_under_a_key,
        drop constraint if exists a_payment_is_one_of_medusas,
        drop column if exists counterparty_id,
        drop column if exists wallet_id,
        drop column if exists recipient_name,
        drop column if exists idempotency_key;`)
  }
}
