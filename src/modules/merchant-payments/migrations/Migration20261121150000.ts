import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * Which credential each operation was made with, and which one has been proven to belong to the same
 * merchant since. Operations of before have none: they are asked about with the account's own.
 */
export class Migration20261121150000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      alter table mp_credential
        add column if not exists successor_id text references mp_credential (id);`)
    this.addSql(`
      alter table mp_operation
        add column if not exists credential_id text references mp_credential (id);`)
  }

  override async down(): Promise<void> {
    this.addSql(`alter table mp_operation drop column if exists credential_id;`)
    this.addSql(`alter table mp_credential drop column if exists successor_id;`)
  }
}
