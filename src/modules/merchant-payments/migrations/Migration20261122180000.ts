import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Which other payment has a payment intent id is asked before each refund. */
export class Migration20261122180000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      create index if not exists operation_of_intent on mp_operation (payment_intent_id)
        where type = 'COLLECTION' and payment_intent_id is not null;`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists operation_of_intent;`)
  }
}
