import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * The ledger's tables. Constraints are named after the rule they keep. Amounts are whole smallest
 * units; times are the database's own.
 */
export class Migration20261120090000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      create table if not exists mp_account (
        id text primary key,
        label text not null,
        base_url text not null,
        source_kind text not null default 'ORDER',
        fee_bearer text,
        order_placement text not null default 'pay_first',
        currencies text[] not null default '{USD,LRD,RWF}',
        wire_names jsonb not null default '{}',
        push_window_minutes integer not null default 30,
        hosted_window_minutes integer not null default 60,
        checks_per_second_max integer not null default 20,
        policies jsonb not null default '{}',
        is_default boolean not null default false,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        deleted_at timestamptz,
        constraint account_source_kind_is_known check (source_kind in ('ORDER', 'INVOICE')),
        constraint account_fee_bearer_is_known
          check (fee_bearer is null or fee_bearer in ('PAYER', 'PAYEE')),
        constraint account_order_placement_is_known
          check (order_placement in ('pay_first', 'order_first')),
        constraint account_windows_are_positive
          check (push_window_minutes > 0 and hosted_window_minutes > 0),
        constraint account_rate_is_positive check (checks_per_second_max > 0)
      );`)
    this.addSql(`
      create unique index if not exists one_default_account
        on mp_account (is_default) where is_default and deleted_at is null;`)

    this.addSql(`
      create table if not exists mp_credential (
        id text primary key,
        account_id text not null references mp_account (id),
        client_id text not null,
        secret_ciphertext text,
        key_id text,
        fingerprint text not null,
        owner_id bigint,
        status text not null default 'active',
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        deleted_at timestamptz,
        constraint credential_status_is_known check (status in ('active', 'draining'))
      );`)
    this.addSql(`
      create unique index if not exists one_credential_per_client
        on mp_credential (account_id, fingerprint) where deleted_at is null;`)

    this.addSql(`
      create table if not exists mp_party (
        id text primary key,
        account_id text not null references mp_account (id),
        owner_id bigint,
        customer_id text,
        cart_id text,
        party_id bigint not null,
        counterparty_id bigint,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        deleted_at timestamptz,
        constraint party_belongs_to_a_shopper check (customer_id is not null or cart_id is not null)
      );`)
    this.addSql(`
      create unique index if not exists one_party_per_shopper
        on mp_party (account_id, coalesce(owner_id, 0), coalesce(customer_id, cart_id));`)

    this.addSql(`
      create table if not exists mp_operation (
        id text primary key,
        type text not null,
        state text not null,
        surplus boolean not null default false,
        flow text not null,
        account_id text not null references mp_account (id),
        owner_id bigint,
        provider_id text not null,
        payment_collection_id text not null,
        payment_session_id text not null,
        cart_id text,
        order_id text,
        parent_id text references mp_operation (id),
        currency_code text not null,
        amount_minor bigint not null,
        collected_minor bigint,
        reserved_refund_minor bigint not null default 0,
        host_refund_id text,
        host_amount numeric,
        lines jsonb not null default '[]',
        source_type text not null,
        source_id bigint,
        source_number text,
        source_status text,
        party_id bigint,
        gateway_session_id bigint,
        payment_account_id bigint,
        payment_method text,
        carrier text,
        payer_currency text,
        payer_amount numeric,
        payee_currency text,
        payee_amount numeric,
        fees jsonb,
        reference uuid,
        payment_intent_id bigint,
        provider_transaction_id text,
        messages jsonb,
        hosted_url text,
        return_token text,
        success_url text,
        cancel_url text,
        card_client_secret text,
        phone_hint text,
        expires_at timestamptz not null,
        window_ends_at timestamptz,
        reason text,
        closing text,
        waiting boolean not null default false,
        waiting_at timestamptz,
        sendings integer not null default 0,
        last_sent_at timestamptz,
        last_sending text,
        absent_at timestamptz,
        failed_at timestamptz,
        contradicted_at timestamptz,
        settle_attempts integer not null default 0,
        checks integer not null default 0,
        checked_at timestamptz,
        next_check_at timestamptz,
        lease_token uuid,
        lease_until timestamptz,
        submitted_at timestamptz,
        recorded_at timestamptz,
        returned_at timestamptz,
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        deleted_at timestamptz,
        constraint operation_type_is_known
          check (type in ('COLLECTION', 'REFUND', 'PAYOUT', 'TRANSFER')),
        constraint operation_state_is_known check (state in
          ('drafted', 'submitted', 'in_flight', 'completed', 'failed', 'expired', 'review')),
        constraint operation_flow_is_known check (flow in ('push', 'hosted', 'card', 'link')),
        constraint operation_source_type_is_known check (source_type in ('ORDER', 'INVOICE')),
        constraint amount_is_positive check (amount_minor > 0),
        constraint refunds_never_exceed_what_was_collected
          check (reserved_refund_minor between 0 and coalesce(collected_minor, 0)),
        constraint money_is_sent_under_a_reference
          check (flow = 'hosted' or flow = 'link' or reference is not null
                 or state in ('drafted', 'expired')),
        constraint phone_hint_is_three_digits check (phone_hint is null or length(phone_hint) <= 3),
        constraint only_the_unfinished_is_due_or_watched
          check (recorded_at is null or next_check_at is null or state <> 'completed')
      );`)
    this.addSql(`
      create unique index if not exists one_live_collection_per_payment_collection
        on mp_operation (payment_collection_id)
        where type = 'COLLECTION' and returned_at is null and not surplus
          and state in ('drafted', 'submitted', 'in_flight', 'completed', 'review');`)
    this.addSql(`
      create unique index if not exists one_operation_per_reference
        on mp_operation (reference) where reference is not null;`)
    this.addSql(`
      create unique index if not exists a_source_proves_one_hosted_operation
        on mp_operation (account_id, source_type, source_id)
        where source_id is not null and flow in ('hosted', 'link');`)
    this.addSql(`
      create unique index if not exists one_operation_per_return_token
        on mp_operation (return_token) where return_token is not null;`)
    this.addSql(`
      create index if not exists operation_due
        on mp_operation (waiting desc, next_check_at) where next_check_at is not null;`)
    this.addSql(`
      create index if not exists operation_of_collection
        on mp_operation (payment_collection_id, created_at desc);`)
    this.addSql(`
      create index if not exists operation_of_cart on mp_operation (cart_id)
        where cart_id is not null;`)
    this.addSql(`
      create index if not exists operation_of_order on mp_operation (order_id)
        where order_id is not null;`)
    this.addSql(`
      create index if not exists operation_of_parent on mp_operation (parent_id)
        where parent_id is not null;`)
    this.addSql(`
      create index if not exists operation_by_state on mp_operation (state, created_at desc);`)

    this.addSql(`
      create table if not exists mp_operation_session (
        payment_session_id text primary key,
        operation_id text not null references mp_operation (id),
        payment_collection_id text not null,
        created_at timestamptz not null default now()
      );`)
    this.addSql(`
      create index if not exists operation_session_of_operation
        on mp_operation_session (operation_id);`)

    this.addSql(`
      create table if not exists mp_operation_event (
        operation_id text not null references mp_operation (id),
        seq integer not null,
        name text not null,
        state text not null,
        why text not null,
        facts jsonb not null default '{}',
        created_at timestamptz not null default now(),
        constraint one_event_per_seq primary key (operation_id, seq)
      );`)
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists mp_operation_event;`)
    this.addSql(`drop table if exists mp_operation_session;`)
    this.addSql(`drop table if exists mp_operation;`)
    this.addSql(`drop table if exists mp_party;`)
    this.addSql(`drop table if exists mp_credential;`)
    this.addSql(`drop table if exists mp_account;`)
  }
}
