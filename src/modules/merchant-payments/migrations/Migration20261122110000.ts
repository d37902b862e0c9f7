import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * The desk: money that a person has set aside, refunds that wait for a second admin, and the indexes by
 * which a list of a million payments is found by whatever somebody asks for. Each has the order of the
 * list in it, so that a page is read and nothing is sorted; those of rare rows are partial.
 *
 * Workers of before write nothing of it and read none.
 */
export class Migration20261122110000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      alter table mp_operation add column if not exists dismissed_at timestamptz;`)

    this.addSql(`
      create table if not exists mp_refund_approval (
        id text primary key,
        operation_id text not null,
        amount_minor bigint not null,
        currency_code text not null,
        asked_by text not null,
        asked_at timestamptz not null default now(),
        approved_by text,
        approved_at timestamptz,
        closed_at timestamptz,
        constraint approved_amount_is_positive check (amount_minor > 0),
        constraint two_admins_are_two check (approved_by is null or approved_by <> asked_by)
      );`)
    this.addSql(`
      create index if not exists refund_approval_open
        on mp_refund_approval (operation_id, id) where closed_at is null;`)

    this.addSql(`
      create index if not exists operation_newest on mp_operation (created_at desc, id desc);`)
    this.addSql(`
      create index if not exists operation_of_currency
        on mp_operation (currency_code, created_at desc, id desc);`)
    this.addSql(`
      create index if not exists operation_of_method
        on mp_operation (payment_method, created_at desc, id desc)
        where payment_method is not null;`)
    this.addSql(`
      create index if not exists operation_of_phone
        on mp_operation (phone_hint, created_at desc, id desc) where phone_hint is not null;`)
    this.addSql(`
      create index if not exists operation_of_type
        on mp_operation (type, created_at desc, id desc) where type <> 'COLLECTION';`)
    this.addSql(`
      create index if not exists operation_by_flow
        on mp_operation (flow, created_at desc, id desc);`)
    this.addSql(`
      create index if not exists operation_of_transaction
        on mp_operation (provider_transaction_id) where provider_transaction_id is not null;`)
    this.addSql(`
      create index if not exists operation_of_source_number
        on mp_operation (source_number) where source_number is not null;`)
    this.addSql(`
      create index if not exists operation_of_intent
        on mp_operation (payment_intent_id) where payment_intent_id is not null;`)
    this.addSql(`
      create index if not exists operation_for_a_person
        on mp_operation (created_at desc, id desc)
        where state = 'review' or contradicted_at is not null
           or (type = 'REFUND' and state in ('failed', 'expired') and answered_at is not null);`)
  }

  override async down(): Promise<void> {
    for (const index of [
      "operation_for_a_person",
      "operation_of_intent",
      "operation_of_source_number",
      "operation_of_transaction",
      "operation_by_flow",
      "operation_of_type",
      "operation_of_phone",
      "operation_of_method",
      "operation_of_currency",
      "operation_newest",
    ]) {
      this.addSql(`drop index if exists ${index};`)
    }
    this.addSql(`drop table if exists mp_refund_approval;`)
    this.addSql(`alter table mp_operation drop column if exists dismissed_at;`)
  }
}
