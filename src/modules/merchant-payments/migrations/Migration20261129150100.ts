import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * What one admin asks for and another approves is a request with an id of its own: of which kind,
 * under which keys, what is shown of it, and what it became. A request of the version before has no
 * `kind`; that version finds none of these by its `subject`, so it approves none of them.
 */
const COLUMNS: readonly string[] = [
  "kind text",
  // The subject while the request waits: two admins, or two forms, can't ask for the same twice.
  "open_subject text",
  // The caller's idempotency keys that stand for the request; the first is the payout's own.
  "keys text[] not null default '{}'",
  "details jsonb",
  // What carrying it out needs and nobody may read: encrypted, and gone once the request has ended.
  "sealed jsonb",
  // The payout or refund that it became. One that ended as a draft leaves the request waiting.
  "operation_id text",
  // A digest of the asker's address: an admin with another address is somebody else.
  "asked_as text",
  "note text",
  "answer text",
]

const INDEXES: readonly string[] = [
  `create unique index if not exists one_open_request_per_subject
     on mp_approval (open_subject);`,
  "create index if not exists approval_of_key on mp_approval using gin (keys);",
  `create index if not exists approval_of_operation on mp_approval (operation_id)
     where operation_id is not null;`,
  `create index if not exists approval_waiting on mp_approval (asked_at desc)
     where closed_at is null and kind is not null;`,
]

export class Migration20261129150100 extends Migration {
  override async up(): Promise<void> {
    for (const column of COLUMNS) {
      this.addSql(`alter table mp_approval add column if not exists ${column};`)
    }
    for (const index of INDEXES) this.addSql(index)
  }

  override async down(): Promise<void> {
    for (const column of COLUMNS) {
      const [name = ""] = column.split(" ")
      this.addSql(`alter table if exists mp_approval drop column if exists ${name};`)
    }
  }
}
