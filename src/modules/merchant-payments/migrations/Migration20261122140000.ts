import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * Accounts that are typed in the admin: which credential each uses now, when its secret was saved and
 * where it may be sent, the version that a change is compared with, and which account takes which
 * currency. And how the gateway's calls of the last hours went, a row for each minute and account.
 *
 * Workers of the version before go on: everything has a default, and they know no other account than
 * the environment's, whose currencies are not in the new table.
 */
export class Migration20261122140000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      alter table mp_account
        add column if not exists version integer not null default 1,
        add column if not exists credential_id text;`)
    this.addSql(`
      alter table mp_credential
        add column if not exists base_url text,
        add column if not exists secret_saved_at timestamptz;`)
    this.addSql(`
      create table if not exists mp_account_currency (
        currency_code text not null,
        account_id text not null references mp_account (id),
        constraint one_account_per_currency primary key (currency_code)
      );`)
    this.addSql(`
      create table if not exists mp_gateway_minute (
        minute timestamptz not null,
        account_id text not null,
        calls integer not null default 0,
        errors integer not null default 0,
        too_many integer not null default 0,
        last_answer_at timestamptz,
        constraint one_count_per_minute_and_account primary key (minute, account_id)
      );`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists mp_gateway_minute;`)
    this.addSql(`drop table if exists mp_account_currency;`)
    this.addSql(`
      alter table mp_credential drop column if exists base_url,
        drop column if exists secret_saved_at;`)
    this.addSql(`
      alter table mp_account drop column if exists version, drop column if exists credential_id;`)
  }
}
