import { LIMITS } from "../../core/limits"
import type { Database, Row } from "../../ledger/database"

export type OperationEvent = {
  readonly seq: number
  readonly name: string
  readonly state: string
  readonly code: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly at: Date
}

const EVENTS = `
  select seq, name, state, code, facts, created_at from (
    select * from mp_operation_event where operation_id = $1 order by seq desc limit $2) newest
   order by seq`

/** Oldest first; of very many the newest. */
export async function findEvents(
  database: Database,
  operationId: string,
): Promise<OperationEvent[]> {
  return (await database.query(EVENTS, [operationId, LIMITS.eventsShownMax])).map(eventFrom)
}

const DECISION = `
  select seq, name, state, code, facts, created_at from mp_operation_event
   where operation_id = $1 and name in ('accept', 'give_back', 'dismiss')
   order by seq desc limit 1`

/** The last decision of an admin, or of the account's policy, on money that was in review. */
export async function findDecision(
  database: Database,
  operationId: string,
): Promise<OperationEvent | undefined> {
  const [row] = await database.query(DECISION, [operationId])
  return row && eventFrom(row)
}

function eventFrom(row: Row): OperationEvent {
  const { facts, created_at: at } = row
  return {
    seq: Number(row["seq"]),
    name: String(row["name"]),
    state: String(row["state"]),
    code: String(row["code"]),
    facts: typeof facts === "object" && facts !== null ? { ...facts } : {},
    at: at instanceof Date ? at : new Date(String(at)),
  }
}
