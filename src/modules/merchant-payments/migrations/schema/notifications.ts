/** What is told to people, and by whose choice. Addresses stand in the settings alone. */

export const NOTIFICATIONS: readonly string[] = [
  `create table if not exists mp_notification_settings (
    id text primary key,
    version integer not null,
    body jsonb not null,
    updated_at timestamptz not null default now(),
    constraint notification_settings_are_one check (id = 'shop')
  );`,

  // Who changed the settings, when, and what: names of fields, no addresses. Rows are only added.
  `create table if not exists mp_notification_change (
    version integer primary key,
    done_by text not null,
    changes jsonb not null,
    created_at timestamptz not null default now()
  );`,

  // One row for each event, recipient and channel. A row has no address and no words: both are
  // made when it is sent. \`due_at\` is also the end of a sender's claim.
  `create table if not exists mp_notification (
    key text not null,
    kind text not null,
    audience text not null,
    recipient_id text not null,
    channel text not null,
    event_id text not null,
    operation_id text references mp_operation (id),
    facts jsonb not null default '{}',
    state text not null default 'waiting',
    due_at timestamptz not null default now(),
    tries integer not null default 0,
    problem text,
    summary_key text,
    occurred_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    ended_at timestamptz,
    constraint one_notification_per_event_recipient_and_channel primary key (key),
    constraint notification_audience_is_known check (audience in ('merchant', 'customer')),
    constraint notification_state_is_known check (state in
      ('waiting', 'collected', 'summed', 'sent', 'failed', 'unknown', 'dropped'))
  );`,
  `create index if not exists notification_to_send on mp_notification (channel, due_at)
     where state = 'waiting';`,
  `create index if not exists notification_to_sum on mp_notification (due_at)
     where state = 'collected';`,
  `create index if not exists notification_not_told on mp_notification (ended_at desc)
     where state in ('failed', 'unknown');`,
  `create index if not exists notification_ended on mp_notification (ended_at)
     where ended_at is not null;`,
  `create index if not exists notification_of_operation on mp_notification (operation_id)
     where operation_id is not null;`,

  // A trouble that was told and is not over yet: an operator's, or the job's.
  `create table if not exists mp_notification_trouble (
    subject text primary key,
    -- To the millisecond: a process compares it.
    since timestamptz not null
  );`,
]
