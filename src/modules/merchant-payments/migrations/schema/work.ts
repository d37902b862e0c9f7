/** What workers and processes share about their work. Nothing here moves money. */

export const WORK: readonly string[] = [
  `create table if not exists mp_worker (
    id text primary key,
    began_at timestamptz not null default now(),
    seen_at timestamptz not null default now(),
    unanswered text[] not null default '{}'
  );`,

  // `subject`: what a task is about, if that differs from one run to the next.
  `create table if not exists mp_task (
    name text primary key,
    subject text,
    begun_at timestamptz not null default now(),
    due_at timestamptz not null default now(),
    lease_token uuid,
    lease_until timestamptz
  );`,

  // How often payments were started for a number and a cart, under a keyed digest, and which
  // shopper may start next.
  `create table if not exists mp_bucket (
    key text not null,
    full_at timestamptz not null,
    constraint one_bucket_per_key primary key (key)
  );`,
  `create index if not exists bucket_that_is_full on mp_bucket (full_at);`,

  // The networks, browsers, customers and phone numbers of recent starts, under keyed digests. A
  // start by card has the word `card` as its number. How a network's payments ended decides whether
  // it may start more.
  `create table if not exists mp_start (
    payment_collection_id text not null,
    network text not null,
    client text,
    customer text,
    number_digest text not null default '',
    at timestamptz not null default now(),
    constraint one_start_per_collection_network_and_number
      primary key (payment_collection_id, network, number_digest)
  );`,
  `create index if not exists start_of_network on mp_start (network, at desc);`,
  `create index if not exists start_of_client on mp_start (client, at desc)
     where client is not null;`,
  `create index if not exists start_of_customer on mp_start (customer, at desc)
     where customer is not null;`,
  `create index if not exists start_by_time on mp_start (at);`,

  // Counts of calls to the gateway, a row for each minute and account.
  `create table if not exists mp_gateway_minute (
    minute timestamptz not null,
    account_id text not null,
    calls integer not null default 0,
    errors integer not null default 0,
    too_many integer not null default 0,
    last_answer_at timestamptz,
    constraint one_count_per_minute_and_account primary key (minute, account_id)
  );`,

  `create table if not exists mp_reconciliation (
    id text primary key,
    account_id text not null references mp_account (id),
    from_at timestamptz not null,
    until_at timestamptz not null,
    is_complete boolean not null,
    incomplete_because text[] not null default '{}',
    counts jsonb not null default '{}',
    differences jsonb not null default '[]',
    left_out integer not null default 0,
    totals jsonb not null,
    created_at timestamptz not null default now(),
    constraint reconciliation_has_a_period check (from_at < until_at),
    constraint reconciliation_leaves_out_no_less_than_none check (left_out >= 0)
  );`,
  `create index if not exists reconciliation_of_account
     on mp_reconciliation (account_id, created_at desc);`,
  `create index if not exists reconciliation_of_period
     on mp_reconciliation (account_id, from_at, until_at, created_at desc);`,
]
