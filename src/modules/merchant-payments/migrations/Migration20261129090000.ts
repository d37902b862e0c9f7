import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Each operation keeps the trace that has sent it, so that later checks are linked to it. */
export class Migration20261129090000 extends Migration {
  override async up(): Promise<void> {
    this.addSql("alter table mp_operation add column if not exists trace_parent text;")
  }

  override async down(): Promise<void> {
    this.addSql("alter table mp_operation drop column if exists trace_parent;")
  }
}
