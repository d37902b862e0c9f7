import type { OperationId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Output } from "../core/schemas/shapes"
import { storedFacts } from "../core/schemas/stored"
import { rowsOf, type Database } from "./database"

/** The age of an operation's last event of a name, in milliseconds, by the database's clock. */
const AGE = `
  select extract(epoch from now() - max(created_at)) * 1000 as age_ms
    from mp_operation_event where operation_id = $1 and name = $2`

const NEWEST = `
  select name, extract(epoch from now() - created_at) * 1000 as age_ms
    from mp_operation_event where operation_id = $1 order by seq desc limit 1`

/**
 * @returns milliseconds since the newest event of an operation was written, if it has this name;
 *   undefined where another event was written since
 */
export async function ageIfNewest(
  database: Database,
  operationId: OperationId,
  name: string,
): Promise<number | undefined> {
  const [row] = await database.query(NEWEST, [operationId])
  return row?.["name"] === name ? Number(row["age_ms"]) : undefined
}

/** @returns milliseconds since the event; undefined where it never was written, or was pruned */
export async function ageOfLastEvent(
  database: Database,
  operationId: OperationId,
  name: string,
): Promise<number | undefined> {
  const [row] = await database.query(AGE, [operationId, name])
  const age = row?.["age_ms"]
  return age === null || age === undefined ? undefined : Number(age)
}

const NEWEST_NAMED = `
  select facts from mp_operation_event
   where operation_id = $1 and name = $2 order by seq desc limit $3`

const NEWEST_OF = `
  select name, facts from mp_operation_event
   where operation_id = $1 and name = any($2::text[]) order by seq desc limit 1`

/** The newest of an operation's events that have one of these names. */
export async function newestOf(
  database: Database,
  operationId: OperationId,
  names: readonly string[],
): Promise<Pick<OperationEvent, "name" | "facts"> | undefined> {
  const [event] = await eventsOf(database, NEWEST_OF, [operationId, [...names]])
  return event
}

/** The facts of an operation's newest events of a name, newest first. */
export async function factsOfNewest(
  database: Database,
  operationId: OperationId,
  { name, limit }: { readonly name: string; readonly limit: number },
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const events = await eventsOf(database, NEWEST_NAMED, [operationId, name, limit])
  return events.map(({ facts }) => facts)
}

const DISMISSED = `
  select 1 from mp_operation_event
   where operation_id = $1
     and (name = 'dismiss' or facts -> 'decisions' @> '[{"name": "dismiss"}]')
   limit 1`

/** Whether an admin has dismissed the operation's money. */
export async function wasDismissed(database: Database, id: OperationId): Promise<boolean> {
  return (await database.query(DISMISSED, [id])).length > 0
}

export type OperationEvent = {
  readonly seq: number
  readonly name: string
  readonly state: string
  readonly code: string
  readonly facts: Output<typeof storedFacts>
  readonly at: Date
}

async function eventsOf(
  database: Database,
  sql: string,
  parameters: readonly unknown[],
): Promise<OperationEvent[]> {
  const rows = await rowsOf<OperationEvent>(database, sql, parameters)
  return rows.map((row) => ({ ...row, facts: storedFacts.parse(row.facts) }))
}

const EVENT = "seq, name, state, code, facts, created_at as at"

const EVENTS = `
  select ${EVENT} from (
    select * from mp_operation_event where operation_id = $1 order by seq desc limit $2) newest
   order by seq`

/** An operation's events, oldest first; of more than `eventsShownMax` only the newest. */
export function findEvents(
  database: Database,
  operationId: OperationId,
): Promise<OperationEvent[]> {
  return eventsOf(database, EVENTS, [operationId, LIMITS.eventsShownMax])
}

const DECISION = `
  select ${EVENT} from mp_operation_event
   where operation_id = $1 and name in ('accept', 'give_back', 'dismiss')
   order by seq desc limit 1`

/** The last decision of an admin, or of the account's policy, on money that was in review. */
export async function findDecision(
  database: Database,
  operationId: OperationId,
): Promise<OperationEvent | undefined> {
  return (await eventsOf(database, DECISION, [operationId]))[0]
}
