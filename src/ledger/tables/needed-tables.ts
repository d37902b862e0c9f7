/**
 * What this version needs of the database, as its migrations make it. Written by `npm run tables`,
 * never by hand; a test compares it with a freshly migrated database.
 */
import { tablesIn } from "./table-text"

export const NEEDED_TABLES = tablesIn({
  mp_account: `
    base_url text not null; checks_counted_at timestamp with time zone not null default;
    checks_left double precision not null default; checks_paused_until timestamp with time zone;
    checks_per_second_max integer not null default;
    created_at timestamp with time zone not null default; credential_id text;
    currencies text[] not null default; deleted_at timestamp with time zone; fee_bearer text;
    hosted_window_minutes integer not null default; id text not null;
    is_default boolean not null default; label text not null;
    money_out_turn integer not null default; order_placement text not null default;
    plain_texts_at timestamp with time zone; policies jsonb not null default;
    push_window_minutes integer not null default; realtime_url text;
    source_kind text not null default; updated_at timestamp with time zone not null default;
    version integer not null default; wire_names jsonb not null default; unique mp_account_pkey id;
    unique one_default_account is_default where deleted_at is_default;
    check account_fee_bearer_is_known 'PAYEE' 'PAYER' fee_bearer;
    check account_order_placement_is_known 'order_first' 'pay_first' order_placement;
    check account_rate_is_positive checks_per_second_max;
    check account_source_kind_is_known 'INVOICE' 'ORDER' source_kind;
    check account_windows_are_positive hosted_window_minutes push_window_minutes`,
  mp_account_currency: `
    account_id text not null; currency_code text not null;
    unique one_account_per_currency currency_code`,
  mp_account_event: `
    account_id text not null; announce_after timestamp with time zone;
    announced_at timestamp with time zone; asked_by text; changes jsonb not null default;
    created_at timestamp with time zone not null default; done_by text not null; id text not null;
    name text not null; unique mp_account_event_pkey id`,
  mp_approval: `
    answer text; approved_at timestamp with time zone; approved_by text; asked_as text;
    asked_at timestamp with time zone not null default; asked_by text not null;
    closed_at timestamp with time zone; details jsonb; id text not null;
    keys text[] not null default; kind text; note text; open_subject text; operation_id text;
    proposal jsonb; refused_by text; sealed jsonb; subject text not null;
    unique mp_approval_pkey id; unique one_open_request_per_subject open_subject;
    check two_admins_are_two approved_by asked_by`,
  mp_bucket: `
    full_at timestamp with time zone not null; key text not null; unique one_bucket_per_key key`,
  mp_credential: `
    account_id text not null; base_url text not null; client_id text not null;
    created_at timestamp with time zone not null default; deleted_at timestamp with time zone;
    fingerprint text not null; id text not null; key_id text; numbers_of text; owner_id bigint;
    secret_ciphertext text; secret_saved_at timestamp with time zone; status text not null default;
    successor_id text; updated_at timestamp with time zone not null default;
    unique mp_credential_pkey id;
    unique one_credential_per_client account_id | fingerprint where deleted_at;
    check credential_status_is_known 'active' 'draining' status`,
  mp_database_mark: `
    beat_at timestamp with time zone not null default; beats bigint not null default;
    behind_since timestamp with time zone; name text not null; noticed_at timestamp with time zone;
    noticed_by text; place jsonb not null default; put_back_at timestamp with time zone;
    put_back_ms double precision; unique mp_database_mark_pkey name;
    check a_notice_says_since_when behind_since noticed_at`,
  mp_gateway_form: `
    account_id text not null; field text not null;
    first_at timestamp with time zone not null default; kind text not null;
    last_at timestamp with time zone not null default; names_digest text; operation text not null;
    unique one_row_per_form account_id | operation | field | kind`,
  mp_gateway_minute: `
    account_id text not null; calls integer not null default; errors integer not null default;
    last_answer_at timestamp with time zone; minute timestamp with time zone not null;
    too_many integer not null default; unique one_count_per_minute_and_account minute | account_id`,
  mp_gateway_token: `
    claim text; claimed_until timestamp with time zone; client_digest text not null;
    got_at timestamp with time zone not null default; got_in_minute integer not null default;
    key_id text; minute_from timestamp with time zone not null default;
    minutes double precision not null default; token_ciphertext text;
    version integer not null default; unique mp_gateway_token_pkey client_digest`,
  mp_method_event: `
    announce_after timestamp with time zone; announced_at timestamp with time zone;
    created_at timestamp with time zone not null default; ended integer not null;
    failed integer not null; name text not null; payment_method text not null; reason text not null;
    since timestamp with time zone not null;
    unique one_method_event_per_change payment_method | since | name;
    check method_event_is_known 'disrupted' 'recovered' name`,
  mp_notification: `
    audience text not null; channel text not null;
    created_at timestamp with time zone not null default;
    due_at timestamp with time zone not null default; ended_at timestamp with time zone;
    event_id text not null; facts jsonb not null default; key text not null; kind text not null;
    occurred_at timestamp with time zone not null default; operation_id text; problem text;
    recipient_id text not null; state text not null default; summary_key text;
    tries integer not null default; unique one_notification_per_event_recipient_and_channel key;
    check notification_audience_is_known 'customer' 'merchant' audience;
    check notification_state_is_known 'collected' 'dropped' 'failed' 'sent' 'summed' 'unknown' 'waiting' state`,
  mp_notification_change: `
    changes jsonb not null; created_at timestamp with time zone not null default;
    done_by text not null; version integer not null; unique mp_notification_change_pkey version`,
  mp_notification_settings: `
    body jsonb not null; id text not null; updated_at timestamp with time zone not null default;
    version integer not null; unique mp_notification_settings_pkey id;
    check notification_settings_are_one 'shop' id`,
  mp_notification_trouble: `
    since timestamp with time zone not null; subject text not null;
    unique mp_notification_trouble_pkey subject`,
  mp_operation: `
    absent_at timestamp with time zone; account_id text not null; amount_minor bigint not null;
    answered_at timestamp with time zone; asked_by text; cancel_url text; card_secret jsonb;
    carrier text; cart_id text; checked_at timestamp with time zone;
    checks integer not null default; closing text; collected_minor bigint;
    confirmed_after_ms double precision; contradicted_at timestamp with time zone;
    counterparty_id bigint; created_at timestamp with time zone not null default;
    credential_id text; currency_code text not null; customer_email text; customer_name text;
    dismissed_at timestamp with time zone; draft_reference uuid not null default;
    events_pruned_at timestamp with time zone; exchange_from text; exchange_rate numeric;
    exchange_to text; expires_at timestamp with time zone not null;
    failed_at timestamp with time zone; fee_bearer text; fees jsonb; flow text not null;
    gateway_session_id bigint; hosted_url text; id text not null; idempotency_key text;
    is_duplicate boolean not null default; kept_at timestamp with time zone; last_sending text;
    last_sent_at timestamp with time zone; lease_token uuid; lease_until timestamp with time zone;
    lines jsonb not null default; medusa_amount numeric; medusa_refund_id text; messages jsonb;
    money_at timestamp with time zone; next_check_at timestamp with time zone;
    order_canceled_at timestamp with time zone; order_id text;
    paid_otherwise_at timestamp with time zone; parent_id text; party_id bigint;
    payee_amount numeric; payee_currency text; payer_amount numeric; payer_currency text;
    payment_account_id bigint; payment_collection_id text; payment_intent_id bigint;
    payment_method text; payment_session_id text; phone_hint text; prompted_payer jsonb;
    provider_id text; provider_transaction_id text; quoted_payer_amount numeric; reason text;
    receipt_due_at timestamp with time zone default; receipt_tries integer not null default;
    recipient_name text; recorded_at timestamp with time zone; reference uuid;
    refunded_minor bigint not null default; reserved_refund_minor bigint not null default;
    retry_of text; return_token text; returned_at timestamp with time zone;
    search_words text[] not null default; sendings integer not null default;
    settle_attempts integer not null default; source_id bigint; source_number text;
    source_status text; source_type text; state text not null;
    submitted_at timestamp with time zone; success_url text; taken_back_at timestamp with time zone;
    trace_parent text; type text not null; undone_at timestamp with time zone;
    updated_at timestamp with time zone not null default; version integer not null default;
    waiting boolean not null default; waiting_at timestamp with time zone; wallet_id bigint;
    window_done_at timestamp with time zone; window_ends_at timestamp with time zone;
    unique a_source_proves_one_hosted_operation COALESCE(credential_id, account_id) | source_type | source_id where 'hosted' 'link' flow source_id;
    unique mp_operation_pkey id;
    unique one_live_collection_per_payment_collection payment_collection_id where 'COLLECTION' 'completed' 'drafted' 'in_flight' 'review' 'submitted' is_duplicate returned_at state type;
    unique one_movement_per_idempotency_key idempotency_key where idempotency_key;
    unique one_operation_per_reference reference where reference;
    unique one_operation_per_return_token return_token where return_token;
    unique one_refund_per_medusa_refund medusa_refund_id where medusa_refund_id;
    check a_card_secret_is_kept_while_it_is_of_use 'card' 'in_flight' 'submitted' card_secret flow state;
    check a_payment_is_one_of_medusas 'PAYOUT' 'TRANSFER' payment_collection_id payment_session_id provider_id source_type type;
    check a_refund_belongs_to_a_payment 'REFUND' 'drafted' 'expired' medusa_amount parent_id reference state type;
    check amount_is_positive amount_minor;
    check money_is_sent_under_a_reference 'hosted' 'in_flight' 'link' 'submitted' flow reference state submitted_at;
    check money_out_is_asked_for_under_a_key 'PAYOUT' 'TRANSFER' 'drafted' 'expired' asked_by idempotency_key reference state type;
    check only_the_unfinished_is_due_or_watched 'completed' next_check_at recorded_at state;
    check operation_fee_bearer_is_known 'PAYEE' 'PAYER' fee_bearer;
    check operation_flow_is_known 'card' 'hosted' 'link' 'push' flow;
    check operation_source_type_is_known 'INVOICE' 'ORDER' source_type;
    check operation_state_is_known 'completed' 'drafted' 'expired' 'failed' 'in_flight' 'review' 'submitted' state;
    check operation_type_is_known 'COLLECTION' 'PAYOUT' 'REFUND' 'TRANSFER' type;
    check phone_hint_is_three_digits phone_hint;
    check refunds_never_exceed_what_was_collected collected_minor reserved_refund_minor;
    check what_went_back_was_reserved refunded_minor reserved_refund_minor;
    trigger operation_search_words_are_kept`,
  mp_operation_event: `
    announce_after timestamp with time zone; announced_at timestamp with time zone;
    code text not null; created_at timestamp with time zone not null default;
    facts jsonb not null default; name text not null; notified_at timestamp with time zone;
    operation_id text not null; position bigint default; seq integer not null; state text not null;
    unique one_event_per_seq operation_id | seq`,
  mp_operation_search: `
    operation_id text not null; words tsvector not null;
    unique mp_operation_search_pkey operation_id`,
  mp_operation_session: `
    created_at timestamp with time zone not null default; operation_id text not null;
    payment_collection_id text not null; payment_session_id text not null;
    unique mp_operation_session_pkey payment_session_id`,
  mp_operator_limit: `
    account_id text not null; currency_code text not null;
    learned_at timestamp with time zone not null default; least numeric; most numeric;
    payment_method text not null;
    unique one_limit_per_operator_and_currency account_id | payment_method | currency_code`,
  mp_party: `
    account_id text not null; cart_id text; counterparty_id bigint;
    created_at timestamp with time zone not null default; customer_id text; id text not null;
    party_id bigint not null; updated_at timestamp with time zone not null default;
    unique mp_party_pkey id;
    unique one_party_per_shopper account_id | COALESCE(customer_id, cart_id);
    check party_belongs_to_a_shopper cart_id customer_id`,
  mp_payer: `
    account_id text not null; counterparty_id bigint;
    created_at timestamp with time zone not null default; credential_id text not null;
    number_digest text not null; party_id bigint not null; payment_accounts jsonb not null default;
    updated_at timestamp with time zone not null default;
    unique one_payer_per_number_and_party account_id | number_digest | credential_id | party_id`,
  mp_receipt: `
    body jsonb not null; fetched_at timestamp with time zone not null default;
    operation_id text not null; unique mp_receipt_pkey operation_id`,
  mp_receipt_link: `
    created_at timestamp with time zone not null default; ended_at timestamp with time zone;
    is_erased boolean not null default; order_id text not null; renewed_at timestamp with time zone;
    token text; unique mp_receipt_link_pkey order_id; unique one_receipt_per_token token;
    check a_link_without_token_has_ended ended_at token`,
  mp_reconciliation: `
    account_id text not null; counts jsonb not null default;
    created_at timestamp with time zone not null default; differences jsonb not null default;
    from_at timestamp with time zone not null; id text not null;
    incomplete_because text[] not null default; is_complete boolean not null;
    left_out integer not null default; totals jsonb not null;
    until_at timestamp with time zone not null; unique mp_reconciliation_pkey id;
    check reconciliation_has_a_period from_at until_at;
    check reconciliation_leaves_out_no_less_than_none left_out`,
  mp_start: `
    at timestamp with time zone not null default; client text; customer text; network text not null;
    number_digest text not null default; payment_collection_id text not null;
    unique one_start_per_collection_network_and_number payment_collection_id | network | number_digest`,
  mp_task: `
    begun_at timestamp with time zone not null default;
    due_at timestamp with time zone not null default; lease_token uuid;
    lease_until timestamp with time zone; name text not null; subject text; unique mp_task_pkey name`,
  mp_worker: `
    began_at timestamp with time zone not null default; heard_since timestamp with time zone;
    id text not null; passed_at timestamp with time zone;
    seen_at timestamp with time zone not null default; unanswered text[] not null default;
    unique mp_worker_pkey id`,
})
