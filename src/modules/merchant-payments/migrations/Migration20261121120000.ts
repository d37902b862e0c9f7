import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * What a budget has saved up for the longest due, below one question; and room in the pages of the
 * operations, so that a lease is written beside the row it is of and no index has to hear of it.
 */
export class Migration20261121120000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      alter table mp_account
        add column if not exists checks_reserved double precision not null default 0;`)
    this.addSql(`alter table mp_operation set (fillfactor = 80);`)
  }

  override async down(): Promise<void> {
    this.addSql(`alter table mp_operation reset (fillfactor);`)
    this.addSql(`alter table mp_account drop column if exists checks_reserved;`)
  }
}
