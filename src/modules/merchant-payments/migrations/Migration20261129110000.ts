import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * When a payment method began to fail most of its payments, and when that was over: a row for each
 * change, committed with it, until the store's bus has heard of it. The version before writes none.
 */
const METHOD_EVENTS: readonly string[] = [
  `create table if not exists mp_method_event (
    payment_method text not null,
    -- Since when the method was disrupted: of both changes the same.
    since timestamptz not null,
    name text not null,
    reason text not null,
    ended integer not null,
    failed integer not null,
    created_at timestamptz not null default now(),
    announce_after timestamptz,
    announced_at timestamptz,
    constraint one_method_event_per_change primary key (payment_method, since, name),
    constraint method_event_is_known check (name in ('disrupted', 'recovered'))
  );`,
  `create index if not exists method_event_to_announce on mp_method_event (created_at)
     where announced_at is null;`,
]

export class Migration20261129110000 extends Migration {
  override async up(): Promise<void> {
    for (const statement of METHOD_EVENTS) this.addSql(statement)
  }

  override async down(): Promise<void> {
    this.addSql("drop table if exists mp_method_event;")
  }
}
