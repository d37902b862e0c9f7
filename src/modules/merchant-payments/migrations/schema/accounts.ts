/** Merchant accounts at the gateway, their credentials, their shoppers and their changes. */

export const ACCOUNTS: readonly string[] = [
  `create table if not exists mp_account (
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
    realtime_url text,
    policies jsonb not null default '{}',
    is_default boolean not null default false,
    credential_id text,

    -- The budget of questions that all workers share, and the pause that the gateway asked for.
    checks_per_second_max integer not null default 20,
    checks_left double precision not null default 20,
    checks_counted_at timestamptz not null default now(),
    checks_paused_until timestamptz,

    -- When the gateway last refused a text as it was written and took its plain form.
    plain_texts_at timestamptz,

    -- A payout or transfer raises this number, unless another was faster: two at once can't both
    -- fit a daily cap.
    money_out_turn integer not null default 0,

    version integer not null default 1,
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
  );`,
  `create unique index if not exists one_default_account
     on mp_account (is_default) where is_default and deleted_at is null;`,

  // A currency belongs to one account. The environment's account has no rows here.
  `create table if not exists mp_account_currency (
    currency_code text not null,
    account_id text not null references mp_account (id),
    constraint one_account_per_currency primary key (currency_code)
  );`,

  // `secret_ciphertext` is null for the environment's credential, and after an admin has deleted
  // the secret.
  `create table if not exists mp_credential (
    id text primary key,
    account_id text not null references mp_account (id),
    client_id text not null,
    base_url text not null,
    fingerprint text not null,
    secret_ciphertext text,
    key_id text,
    secret_saved_at timestamptz,
    owner_id bigint,
    successor_id text references mp_credential (id),
    -- The first credential that was proven to be the same merchant's: a source has one number for
    -- both. Null: this credential has numbers of its own.
    numbers_of text references mp_credential (id),
    status text not null default 'active',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    constraint credential_status_is_known check (status in ('active', 'draining'))
  );`,
  `create unique index if not exists one_credential_per_client
     on mp_credential (account_id, fingerprint) where deleted_at is null;`,

  `create table if not exists mp_party (
    id text primary key,
    account_id text not null references mp_account (id),
    customer_id text,
    cart_id text,
    party_id bigint not null,
    counterparty_id bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint party_belongs_to_a_shopper check (customer_id is not null or cart_id is not null)
  );`,
  // Two starts at once may both make a party at the gateway; the first row is the one used.
  `create unique index if not exists one_party_per_shopper
     on mp_party (account_id, coalesce(customer_id, cart_id));`,
  `create index if not exists party_of_guest on mp_party (updated_at) where customer_id is null;`,

  // The party and the payment accounts that the gateway has for a phone number, stored under the
  // number's keyed digest. The gateway may refuse to make them again, and no call lists them.
  `create table if not exists mp_payer (
    account_id text not null references mp_account (id),
    number_digest text not null,
    credential_id text not null references mp_credential (id),
    party_id bigint not null,
    counterparty_id bigint,
    -- Ids of payment accounts, by payment method.
    payment_accounts jsonb not null default '{}',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint one_payer_per_number_and_party
      primary key (account_id, number_digest, credential_id, party_id)
  );`,
  `create index if not exists payer_by_time on mp_payer (updated_at);`,

  // The amounts that an operator takes, as a refusal stated them. Admins and shoppers are shown
  // them; no code decides by them.
  `create table if not exists mp_operator_limit (
    account_id text not null references mp_account (id),
    payment_method text not null,
    currency_code text not null,
    least numeric,
    most numeric,
    learned_at timestamptz not null default now(),
    constraint one_limit_per_operator_and_currency
      primary key (account_id, payment_method, currency_code)
  );`,

  // The gateway's token, sealed, which all processes of a client share, and which process may ask
  // for the next one.
  `create table if not exists mp_gateway_token (
    client_digest text primary key,
    version integer not null default 0,
    token_ciphertext text,
    key_id text,
    minutes double precision not null default 0,
    got_at timestamptz not null default now(),
    claim text,
    claimed_until timestamptz,
    -- The tokens that all processes together got since then; their number is limited.
    minute_from timestamptz not null default now(),
    got_in_minute integer not null default 0
  );`,
  // Unknown forms of gateway answers: names and kinds, no content.
  `create table if not exists mp_gateway_form (
    account_id text not null references mp_account (id),
    operation text not null,
    field text not null,
    kind text not null,
    -- For an unknown word: a digest of the account's own names when the word was met.
    names_digest text,
    first_at timestamptz not null default now(),
    last_at timestamptz not null default now(),
    constraint one_row_per_form primary key (account_id, operation, field, kind)
  );`,
  `create index if not exists gateway_form_by_time on mp_gateway_form (last_at);`,

  `create table if not exists mp_account_event (
    id text primary key,
    -- No foreign key, because a new account that waits for a second admin has no row yet.
    account_id text not null,
    name text not null,
    done_by text not null,
    asked_by text,
    changes jsonb not null default '{}',
    created_at timestamptz not null default now(),
    announced_at timestamptz,
    announce_after timestamptz
  );`,
  `create index if not exists account_event_newest
     on mp_account_event (account_id, created_at desc, id desc);`,
  `create index if not exists account_event_to_announce on mp_account_event (created_at)
     where announced_at is null;`,

  // `subject` names the exact request, so that an admin confirms only that request.
  `create table if not exists mp_approval (
    id text primary key,
    subject text not null,
    asked_by text not null,
    asked_at timestamptz not null default now(),
    approved_by text,
    approved_at timestamptz,
    closed_at timestamptz,
    -- What the second admin is shown of an account's change, without secrets. Else null.
    proposal jsonb,
    refused_by text,
    constraint two_admins_are_two check (approved_by is null or approved_by <> asked_by)
  );`,
  `create index if not exists approval_open on mp_approval (subject, id) where closed_at is null;`,
  `create index if not exists approval_of_account on mp_approval (asked_at)
     where closed_at is null and proposal is not null;`,
]
