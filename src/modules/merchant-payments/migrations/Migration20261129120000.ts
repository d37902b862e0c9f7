import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * By state, without what is paid and recorded, or went back: that is most of all, and the list
 * `operation_newest` has it. So a payment leaves this index with the write that records it.
 */
const UNSETTLED = `create index if not exists operation_unsettled
  on mp_operation (state, created_at desc, id desc)
  where state <> 'completed'
     or (type = 'COLLECTION' and recorded_at is null and returned_at is null);`

/**
 * Every check of a payment writes each index that holds the payment, so an index that another one
 * can stand in for goes. The states have the index above. A source's number and the three digits of
 * a phone are among the words of an operation, which have an index that no check writes.
 *
 * They go after the new index is made, so readers are locked out for a moment only.
 */
const SPARED: Readonly<Record<string, string>> = {
  operation_by_state: "(state, created_at desc)",
  operation_of_source: "(account_id, source_id) where source_id is not null",
  operation_of_phone: "(phone_hint, created_at desc, id desc) where phone_hint is not null",
}

/** A write of a payment touches fewer indexes. */
export class Migration20261129120000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(UNSETTLED)
    for (const name of Object.keys(SPARED)) this.addSql(`drop index if exists ${name};`)
  }

  override async down(): Promise<void> {
    for (const [name, columns] of Object.entries(SPARED)) {
      this.addSql(`create index if not exists ${name} on mp_operation ${columns};`)
    }
    this.addSql("drop index if exists operation_unsettled;")
  }
}
