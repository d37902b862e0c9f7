import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** When the database's clock was last put back, and by how much. */
const COLUMNS = ["put_back_at timestamptz", "put_back_ms double precision"] as const

export class Migration20261129150600 extends Migration {
  override async up(): Promise<void> {
    for (const column of COLUMNS) {
      this.addSql(`alter table mp_database_mark add column if not exists ${column};`)
    }
  }

  override async down(): Promise<void> {
    for (const column of COLUMNS) {
      const [name = ""] = column.split(" ")
      this.addSql(`alter table if exists mp_database_mark drop column if exists ${name};`)
    }
  }
}
