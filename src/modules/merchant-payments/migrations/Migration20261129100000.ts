import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * Every event of the ledger gets a position, so that a process reads what was written since its
 * last reading, however many payments it watches. Events from before have none: nobody asks for
 * them by it. The default comes in a statement of its own, because a column that is added with one
 * would write the whole table anew.
 */
const POSITIONS: readonly string[] = [
  "create sequence if not exists mp_event_position;",
  "alter table mp_operation_event add column if not exists position bigint;",
  `alter table mp_operation_event
     alter column position set default nextval('mp_event_position');`,
  "alter sequence mp_event_position owned by mp_operation_event.position;",
  `create index if not exists event_by_position on mp_operation_event (position)
     where position is not null;`,
]

/**
 * The sweep's index held each refund, payout and transfer that was ever completed, and the sweep
 * read them all. This one has the sweep's whole condition, so it is empty at rest. The version
 * before asks by the same condition, so this index serves it as well.
 */
const FORGOTTEN: readonly string[] = [
  `create index if not exists operation_to_wake on mp_operation (id)
     where next_check_at is null and recorded_at is null and returned_at is null
       and state in ('drafted', 'submitted', 'in_flight', 'completed')
       and (state <> 'completed' or (type = 'COLLECTION'
            and reserved_refund_minor <= greatest(0, collected_minor - amount_minor)));`,
  "drop index if exists operation_forgotten;",
]

const FORGOTTEN_BEFORE: readonly string[] = [
  `create index if not exists operation_forgotten on mp_operation (id)
     where next_check_at is null and recorded_at is null and returned_at is null
       and state in ('drafted', 'submitted', 'in_flight', 'completed');`,
  "drop index if exists operation_to_wake;",
]

/** What the statements of a large ledger need. */
export class Migration20261129100000 extends Migration {
  override async up(): Promise<void> {
    for (const statement of [...POSITIONS, ...FORGOTTEN]) this.addSql(statement)
  }

  override async down(): Promise<void> {
    for (const statement of FORGOTTEN_BEFORE) this.addSql(statement)
    // The index and the sequence go with their column.
    this.addSql("alter table mp_operation_event drop column if exists position;")
  }
}
