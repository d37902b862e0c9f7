import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * The list of a million payments by one index, in the place of four: whatever operations share, and then
 * the order of the list (`operation-kinds.ts`). Four indexes found a page by one filter; by two of them
 * the server walked down one index and threw away what the other would not have had. And each look at a
 * payment that writes when to look again writes all indexes: three fewer cost less. Payouts and transfers
 * are found by their states as well, for the same reason.
 *
 * Workers of the version before find their pages slower meanwhile, and nothing else.
 */
export class Migration20261122170000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      create index if not exists operation_by_kind
        on mp_operation (type, state, flow, currency_code, account_id,
                         coalesce(payment_method, ''), created_at desc, id desc);`)
    this.addSql(`
      create index if not exists operation_out_by_state
        on mp_operation (type, state, created_at desc, id desc)
        where type in ('PAYOUT', 'TRANSFER');`)
    for (const index of [
      "operation_out",
      "operation_of_currency",
      "operation_of_method",
      "operation_of_type",
      "operation_by_flow",
    ]) {
      this.addSql(`drop index if exists ${index};`)
    }
  }

  override async down(): Promise<void> {
    this.addSql(`
      create index if not exists operation_of_currency
        on mp_operation (currency_code, created_at desc, id desc);`)
    this.addSql(`
      create index if not exists operation_of_method
        on mp_operation (payment_method, created_at desc, id desc)
        where payment_method is not null;`)
    this.addSql(`
      create index if not exists operation_of_type
        on mp_operation (type, created_at desc, id desc) where type <> 'COLLECTION';`)
    this.addSql(`
      create index if not exists operation_by_flow
        on mp_operation (flow, created_at desc, id desc);`)
    this.addSql(`
      create index if not exists operation_out on mp_operation (type, created_at desc, id desc)
        where type in ('PAYOUT', 'TRANSFER');`)
    this.addSql(`drop index if exists operation_out_by_state;`)
    this.addSql(`drop index if exists operation_by_kind;`)
  }
}
