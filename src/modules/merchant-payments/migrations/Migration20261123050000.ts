import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * What two admins have to want is no longer only a refund: the approvals are kept by what they are about.
 * Payouts and transfers of one account take turns at its row, so that a daily cap holds against two at
 * once, and what is done to an account is written down for good.
 *
 * Workers of the version before go on, but for refunds above the second-admin limit: they end in an
 * error until the worker is replaced, and send nothing.
 */
export class Migration20261123050000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`alter table mp_refund_approval rename to mp_approval;`)
    this.addSql(`alter table mp_approval rename column operation_id to subject;`)
    this.addSql(`
      update mp_approval
         set subject = 'refund ' || subject || ' ' || amount_minor || ' ' || currency_code;`)
    this.addSql(`
      alter table mp_approval drop column amount_minor, drop column currency_code;`)
    this.addSql(`alter index refund_approval_open rename to approval_open;`)

    this.addSql(`
      alter table mp_account add column if not exists money_out_turn integer not null default 0;`)

    this.addSql(`
      create table if not exists mp_account_event (
        id text primary key,
        account_id text not null references mp_account (id),
        name text not null,
        done_by text not null,
        asked_by text,
        changes jsonb not null default '{}',
        created_at timestamptz not null default now(),
        announced_at timestamptz,
        announce_after timestamptz
      );`)
    this.addSql(`
      create index if not exists account_event_newest
        on mp_account_event (account_id, created_at desc, id desc);`)
    this.addSql(`
      create index if not exists account_event_to_announce on mp_account_event (created_at)
        where announced_at is null;`)

    this.addSql(`drop index if exists event_to_announce;`)
    this.addSql(`
      create index event_to_announce on mp_operation_event (created_at)
        where announced_at is null
          and name in ('ask', 'complete', 'fail', 'expire', 'doubt', 'strand',
                       'accept', 'give_back', 'dismiss');`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists event_to_announce;`)
    this.addSql(`
      create index event_to_announce on mp_operation_event (created_at)
        where announced_at is null
          and name in ('complete', 'fail', 'expire', 'doubt', 'strand',
                       'accept', 'give_back', 'dismiss');`)
    this.addSql(`drop table if exists mp_account_event;`)
    this.addSql(`alter table mp_account drop column if exists money_out_turn;`)
    this.addSql(`alter index approval_open rename to refund_approval_open;`)
    this.addSql(`
      alter table mp_approval
        add column amount_minor bigint, add column currency_code text;`)
    this.addSql(`
      update mp_approval
         set amount_minor = split_part(subject, ' ', 3)::bigint,
             currency_code = split_part(subject, ' ', 4), subject = split_part(subject, ' ', 2)
       where subject like 'refund %';`)
    this.addSql(`delete from mp_approval where amount_minor is null;`)
    this.addSql(`
      alter table mp_approval
        alter column amount_minor set not null, alter column currency_code set not null,
        add constraint approved_amount_is_positive check (amount_minor > 0);`)
    this.addSql(`alter table mp_approval rename column subject to operation_id;`)
    this.addSql(`alter table mp_approval rename to mp_refund_approval;`)
  }
}
