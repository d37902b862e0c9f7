import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** One row. `beats` only grows: workers remember it, and a database that has less went back. */
const MARK = `create table if not exists mp_database_mark (
  name text primary key,
  beats bigint not null default 0,
  beat_at timestamptz not null default now(),
  place jsonb not null default '{}',
  behind_since timestamptz,
  noticed_at timestamptz,
  noticed_by text,
  constraint a_notice_says_since_when check ((behind_since is null) = (noticed_at is null))
);`

/** The database says by itself that it was restored from a backup. */
export class Migration20261129150500 extends Migration {
  override async up(): Promise<void> {
    this.addSql(MARK)
  }

  override async down(): Promise<void> {
    this.addSql("drop table if exists mp_database_mark;")
  }
}
