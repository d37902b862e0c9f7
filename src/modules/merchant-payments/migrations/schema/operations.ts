/** Operations (each one intended movement of money) and the tables that belong to them. */

export const OPERATIONS: readonly string[] = [
  // A fillfactor of 80 leaves room in each page: a lease is written into the page of its row, and
  // no index is updated.
  `create table if not exists mp_operation (
    id text primary key,
    type text not null,
    state text not null,
    is_duplicate boolean not null default false,
    flow text not null,
    account_id text not null references mp_account (id),
    credential_id text references mp_credential (id),
    version integer not null default 1,

    -- Medusa's ids; null for payouts and transfers, which Medusa does not know.
    provider_id text,
    payment_collection_id text,
    payment_session_id text,
    cart_id text,
    order_id text,

    -- Amounts are whole smallest units.
    currency_code text not null,
    amount_minor bigint not null,
    collected_minor bigint,
    reserved_refund_minor bigint not null default 0,
    refunded_minor bigint not null default 0,
    lines jsonb not null default '[]',
    fee_bearer text,

    -- Refunds: the payment, Medusa's id and unrounded amount, and when Medusa recorded what.
    parent_id text references mp_operation (id),
    medusa_refund_id text,
    medusa_amount numeric,
    answered_at timestamptz,
    undone_at timestamptz,
    -- The failed refund that this refund replaces.
    retry_of text references mp_operation (id),

    -- Payouts and transfers.
    asked_by text,
    idempotency_key text,
    recipient_name text,
    wallet_id bigint,
    counterparty_id bigint,

    -- The gateway's side.
    source_type text,
    source_id bigint,
    source_number text,
    source_status text,
    party_id bigint,
    gateway_session_id bigint,
    payment_account_id bigint,
    -- The reference that \`submit\` will commit. It is made with the draft, so that a standby
    -- database that lost \`submit\` sends the same reference, which the gateway knows.
    draft_reference uuid not null default gen_random_uuid(),
    reference uuid,
    payment_intent_id bigint,
    provider_transaction_id text,
    messages jsonb,

    -- How the payer paid and what it cost. People read it; no code decides by it.
    payment_method text,
    carrier text,
    phone_hint text,
    customer_name text,
    customer_email text,
    search_words text[] not null default '{}',
    payer_currency text,
    payer_amount numeric,
    quoted_payer_amount numeric,
    payee_currency text,
    payee_amount numeric,
    fees jsonb,
    exchange_rate numeric,
    exchange_from text,
    exchange_to text,
    confirmed_after_ms double precision,

    -- The encrypted secret with which the shopper's browser authenticates a card.
    card_secret jsonb,

    -- The payment page, and the way back to the shop.
    hosted_url text,
    return_token text,
    success_url text,
    cancel_url text,

    -- Until when the operation can be paid, and until when its unpaid order waits for money.
    expires_at timestamptz not null,
    window_ends_at timestamptz,
    window_done_at timestamptz,

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
    -- When the ledger first had proof that the money moved. It is set once and never changed, so a
    -- day's sums stay the same.
    money_at timestamptz,
    recorded_at timestamptz,
    returned_at timestamptz,
    dismissed_at timestamptz,
    -- When its order was cancelled in Medusa, and when an admin said that the money stays.
    order_canceled_at timestamptz,
    kept_at timestamptz,
    receipt_tries integer not null default 0,
    receipt_due_at timestamptz default now(),
    events_pruned_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),

    constraint operation_type_is_known
      check (type in ('COLLECTION', 'REFUND', 'PAYOUT', 'TRANSFER')),
    constraint operation_state_is_known check (state in
      ('drafted', 'submitted', 'in_flight', 'completed', 'failed', 'expired', 'review')),
    constraint operation_flow_is_known check (flow in ('push', 'hosted', 'card', 'link')),
    constraint operation_source_type_is_known check (source_type in ('ORDER', 'INVOICE')),
    constraint operation_fee_bearer_is_known
      check (fee_bearer is null or fee_bearer in ('PAYER', 'PAYEE')),
    constraint amount_is_positive check (amount_minor > 0),

    -- A refund raises the reserve before it is sent, so that two at once can't both fit what was
    -- collected.
    constraint refunds_never_exceed_what_was_collected
      check (reserved_refund_minor between 0 and coalesce(collected_minor, 0)),
    constraint what_went_back_was_reserved
      check (refunded_minor between 0 and reserved_refund_minor),

    constraint a_payment_is_one_of_medusas check (
      type in ('PAYOUT', 'TRANSFER')
      or (provider_id is not null and payment_collection_id is not null
          and payment_session_id is not null and source_type is not null)),

    -- A push that sent nothing may be in review without a reference: another payer paid its source.
    constraint money_is_sent_under_a_reference
      check (flow = 'hosted' or flow = 'link' or reference is not null
             or (submitted_at is null and state not in ('submitted', 'in_flight'))),
    -- The refund of a payment by page has a reference, although the payment has none.
    constraint a_refund_belongs_to_a_payment
      check (type <> 'REFUND' or (parent_id is not null and medusa_amount is not null
             and (reference is not null or state in ('drafted', 'expired')))),
    constraint money_out_is_asked_for_under_a_key check (
      type not in ('PAYOUT', 'TRANSFER')
      or (idempotency_key is not null and asked_by is not null
          and (reference is not null or state in ('drafted', 'expired')))),

    constraint a_card_secret_is_kept_while_it_is_of_use
      check (card_secret is null or (flow = 'card' and state in ('submitted', 'in_flight'))),
    constraint phone_hint_is_three_digits check (phone_hint is null or length(phone_hint) <= 3),
    constraint only_the_unfinished_is_due_or_watched
      check (recorded_at is null or next_check_at is null or state <> 'completed')
  ) with (fillfactor = 80);`,

  // Unique rules that let money move only once, whatever several processes do at the same time.
  `create unique index if not exists one_live_collection_per_payment_collection
     on mp_operation (payment_collection_id)
     where type = 'COLLECTION' and returned_at is null and not is_duplicate
       and state in ('drafted', 'submitted', 'in_flight', 'completed', 'review');`,
  `create unique index if not exists one_operation_per_reference
     on mp_operation (reference) where reference is not null;`,
  `create unique index if not exists one_refund_per_medusa_refund
     on mp_operation (medusa_refund_id) where medusa_refund_id is not null;`,
  `create unique index if not exists one_movement_per_idempotency_key
     on mp_operation (idempotency_key) where idempotency_key is not null;`,
  // A push may reuse the source of a failed try; a source paid on a page proves one operation only.
  // The credential is part of the key: another gateway or merchant may give out the same numbers.
  `create unique index if not exists a_source_proves_one_hosted_operation
     on mp_operation (coalesce(credential_id, account_id), source_type, source_id)
     where source_id is not null and flow in ('hosted', 'link');`,
  `create unique index if not exists one_operation_per_return_token
     on mp_operation (return_token) where return_token is not null;`,

  // Due operations. Those that need the gateway are indexed by account, because each account has a
  // budget; those that need only Medusa are not.
  `create index if not exists operation_due_at_gateway
     on mp_operation (account_id, waiting desc, next_check_at)
     where next_check_at is not null and state not in ('completed', 'review');`,
  `create index if not exists operation_due_in_medusa
     on mp_operation (waiting desc, next_check_at)
     where next_check_at is not null and state in ('completed', 'review');`,
  `create index if not exists operation_without_receipt on mp_operation (receipt_due_at)
     where receipt_due_at is not null and type = 'COLLECTION' and state = 'completed'
       and source_id is not null;`,

  // To find operations by purchase, by source, and by the gateway's ids.
  `create index if not exists operation_of_collection
     on mp_operation (payment_collection_id, created_at desc);`,
  `create index if not exists operation_of_cart on mp_operation (cart_id)
     where cart_id is not null;`,
  `create index if not exists operation_of_order on mp_operation (order_id)
     where order_id is not null;`,
  `create index if not exists operation_of_parent on mp_operation (parent_id)
     where parent_id is not null;`,
  `create index if not exists operation_of_source on mp_operation (account_id, source_id)
     where source_id is not null;`,
  `create index if not exists operation_of_intent
     on mp_operation (payment_intent_id) where payment_intent_id is not null;`,

  // The admin's lists, each in its own order, so that a page is read without sorting. By time and by
  // amount, an index also has what many operations share, so that any combination is filtered in
  // the index. Each check of a payment writes all indexes, so there is none for each filter.
  `create index if not exists operation_newest on mp_operation (created_at desc, id desc)
     include (type, state, flow, currency_code, account_id, payment_method);`,
  `create index if not exists operation_by_amount
     on mp_operation (currency_code, amount_minor desc, created_at desc, id desc)
     include (type, state, flow, account_id, payment_method);`,
  `create index if not exists operation_by_state on mp_operation (state, created_at desc);`,
  `create index if not exists operation_out_by_state
     on mp_operation (type, state, created_at desc, id desc)
     where type in ('REFUND', 'PAYOUT', 'TRANSFER');`,
  `create index if not exists operation_of_phone
     on mp_operation (phone_hint, created_at desc, id desc) where phone_hint is not null;`,
  `create index if not exists operation_money_elsewhere
     on mp_operation (created_at desc, id desc)
     where type = 'COLLECTION' and recorded_at is null
       and (returned_at is not null
            or (state in ('failed', 'expired') and collected_minor is not null));`,
  `create index if not exists operation_for_a_person
     on mp_operation (created_at desc, id desc)
     where state = 'review' or contradicted_at is not null
        or (type = 'REFUND' and state in ('failed', 'expired') and dismissed_at is null)
        or (type = 'COLLECTION' and order_canceled_at is not null and kept_at is null);`,

  // For sweep, retention, reconciliation and statistics; the partial indexes are almost empty.
  `create index if not exists operation_forgotten on mp_operation (id)
     where next_check_at is null and recorded_at is null and returned_at is null
       and state in ('drafted', 'submitted', 'in_flight', 'completed');`,
  `create index if not exists operation_to_prune on mp_operation (updated_at)
     where events_pruned_at is null and next_check_at is null
       and state in ('completed', 'failed', 'expired');`,
  `create index if not exists operation_of_period on mp_operation (account_id, created_at);`,
  `create index if not exists operation_moved on mp_operation (money_at, id)
     where money_at is not null;`,

  // Every payment session that was made for an operation. Medusa deletes its own rows of
  // replaced sessions.
  `create table if not exists mp_operation_session (
    payment_session_id text primary key,
    operation_id text not null references mp_operation (id),
    payment_collection_id text not null,
    created_at timestamptz not null default now()
  );`,
  `create index if not exists operation_session_of_operation
     on mp_operation_session (operation_id);`,

  `create table if not exists mp_operation_event (
    operation_id text not null references mp_operation (id),
    seq integer not null,
    name text not null,
    state text not null,
    code text not null,
    facts jsonb not null default '{}',
    created_at timestamptz not null default now(),
    announced_at timestamptz,
    announce_after timestamptz,
    -- When it was turned into notifications, into none as well.
    notified_at timestamptz,
    constraint one_event_per_seq primary key (operation_id, seq)
  );`,
  // Events still to be announced, by the names in `worker/rules/announcements.ts`. The index is
  // empty at rest.
  `create index if not exists event_to_announce on mp_operation_event (created_at)
     where announced_at is null
       and name in ('ask', 'complete', 'fail', 'expire', 'doubt', 'strand',
                    'accept', 'give_back', 'dismiss');`,
  // Events still to be turned into notifications: the same names, and empty at rest as well.
  `create index if not exists event_to_notify on mp_operation_event (created_at)
     where notified_at is null
       and name in ('ask', 'complete', 'fail', 'expire', 'doubt', 'strand',
                    'accept', 'give_back', 'dismiss');`,

  `create table if not exists mp_receipt (
    operation_id text primary key references mp_operation (id),
    body jsonb not null,
    fetched_at timestamptz not null default now()
  );`,

  // The link to the customer's receipt of an order. It is stored as it is, because it is sent again
  // with each notification, and must outlive a change of the encryption key. What it opens stands
  // in the same database.
  `create table if not exists mp_receipt_link (
    order_id text primary key,
    -- Null: the customer's data was erased before there was a link.
    token text,
    ended_at timestamptz,
    is_erased boolean not null default false,
    created_at timestamptz not null default now(),
    constraint one_receipt_per_token unique (token),
    constraint a_link_without_token_has_ended check (token is not null or ended_at is not null)
  );`,
  `create index if not exists receipt_link_by_age on mp_receipt_link (created_at)
     where not is_erased;`,
]
