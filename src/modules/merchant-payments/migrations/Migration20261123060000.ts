import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * How often a number, a cart, a network and an account were started for lately, and the key under which
 * they are known: the table holds no number and no address. Workers of the version before count nothing.
 */
export class Migration20261123060000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      create table if not exists mp_bucket (
        key text not null,
        full_at timestamptz not null,
        constraint one_bucket_per_key primary key (key)
      );`)
    this.addSql(`create index if not exists bucket_that_is_full on mp_bucket (full_at);`)
    this.addSql(`
      create table if not exists mp_bucket_key (
        is_only boolean not null default true,
        key text not null,
        constraint one_bucket_key primary key (is_only),
        constraint bucket_key_is_only check (is_only)
      );`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists mp_bucket_key;`)
    this.addSql(`drop table if exists mp_bucket;`)
  }
}
