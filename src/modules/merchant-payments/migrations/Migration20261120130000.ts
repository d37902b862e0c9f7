import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * How an operation's source is made: document first with a fee bearer, or, with none, in one call. An
 * operation keeps what its account said when it began.
 */
export class Migration20261120130000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`alter table mp_operation add column if not exists fee_bearer text;`)
    this.addSql(`
      alter table mp_operation drop constraint if exists operation_fee_bearer_is_known;`)
    this.addSql(`
      alter table mp_operation add constraint operation_fee_bearer_is_known
        check (fee_bearer is null or fee_bearer in ('PAYER', 'PAYEE'));`)
  }

  override async down(): Promise<void> {
    this.addSql(`alter table mp_operation drop column if exists fee_bearer;`)
  }
}
