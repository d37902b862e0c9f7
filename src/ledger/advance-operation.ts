import { stateAfter, type Event, type Operation } from "../core/operation"
import type { Database } from "./database"
import { linesToJson, OPERATION_COLUMNS, operationFrom } from "./operation-row"
import { storable, storableJson } from "./storable"

/** What may change beside the state. `true` in a moment means the database's now, `false` forgets it. */
export type Changes = Partial<{
  surplus: boolean
  cartId: string | null
  orderId: string | null
  collectedMinor: bigint
  lines: Operation["lines"]
  feeBearer: Operation["feeBearer"]
  sourceId: number
  sourceNumber: string
  sourceStatus: string
  partyId: number
  gatewaySessionId: number
  paymentAccountId: number
  paymentMethod: string
  carrier: string | null
  payerCurrency: string
  payerAmount: string | null
  payeeCurrency: string
  payeeAmount: string | null
  fees: object
  reference: string
  paymentIntentId: number
  providerTransactionId: string
  messages: object
  hostedUrl: string
  phoneHint: string | null
  successUrl: string | null
  cancelUrl: string | null
  reason: string | null
  closing: string | null
  sendings: number
  lastSending: string
  settleAttempts: number
  checks: number
  lastSentAt: boolean
  absentAt: boolean
  failedAt: boolean
  contradictedAt: boolean
  checkedAt: boolean
  submittedAt: boolean
  recordedAt: boolean
  returnedAt: boolean
  waitingAt: boolean
  waiting: boolean
}>

export type Advance = {
  /** A transition of the machine, or a note about the same state. */
  readonly event: Event | { readonly note: string }
  readonly why: string
  /** Redacted: ids, statuses and codes only. */
  readonly facts?: Readonly<Record<string, unknown>>
  readonly changes?: Changes
  /** When to look next; "never" ends the looking. Absent: as it was. */
  readonly next?: { readonly inMs: number } | "never"
  /** Moves the end of the time to pay. Absent: as it was. */
  readonly expiresInMs?: number
  /** Absent: the lease stays as it is. */
  readonly lease?: "release" | { readonly forMs: number }
}

const MOMENTS: readonly string[] = [
  "lastSentAt",
  "absentAt",
  "failedAt",
  "contradictedAt",
  "checkedAt",
  "submittedAt",
  "recordedAt",
  "returnedAt",
  "waitingAt",
] satisfies readonly (keyof Changes)[]

/**
 * The one write that moves an operation: compare-and-set by version and, where the caller holds one, by
 * lease token; state, version and event commit together or not at all.
 *
 * Undefined: somebody else was faster, or the lease was lost, or the machine has no such transition
 * (recorded money is never stranded), or the operation has another reference already. Nothing was
 * written then; read again before deciding again.
 *
 * `synchronous_commit` is set for this statement alone, in case the database's owner relaxed it: what
 * is written here is what a restarted process believes.
 */
export async function advanceOperation(
  database: Database,
  operation: Operation,
  advance: Advance,
): Promise<Operation | undefined> {
  const { event } = advance
  const state = typeof event === "string" ? stateAfter(operation.state, event) : operation.state
  if (state === undefined || (event === "strand" && operation.recordedAt)) return undefined
  const parameters: unknown[] = [
    operation.id,
    operation.version,
    operation.leaseToken,
    state,
    typeof event === "string" ? event : event.note,
    storable(advance.why),
    storableJson(advance.facts ?? {}),
  ]
  const sets = assignments(advance, parameters)
  const { reference } = advance.changes ?? {}
  // The key under which money may move already: a second one could move it twice.
  const once =
    reference === undefined
      ? ""
      : `and (reference is null or reference = $${parameters.push(reference)}::uuid)`
  const rows = await database.query(
    `with moved as (
       update mp_operation
          set version = version + 1, updated_at = now(), state = $4${sets}
        where id = $1 and version = $2 and lease_token is not distinct from $3::uuid ${once}
          and set_config('synchronous_commit', 'on', true) = 'on'
       returning *
     ), noted as (
       insert into mp_operation_event (operation_id, seq, name, state, why, facts)
       select id, version, $5, state, $6, $7::jsonb from moved
     )
     select ${OPERATION_COLUMNS} from moved`,
    parameters,
  )
  return rows[0] && operationFrom(rows[0])
}

function assignments(advance: Advance, parameters: unknown[]): string {
  const sets: string[] = []
  const bind = (value: unknown) => `$${parameters.push(value)}`
  for (const [key, value] of Object.entries(advance.changes ?? {})) {
    if (value === undefined) continue
    const column = columnOf(key)
    if (MOMENTS.includes(key)) sets.push(`${column} = ${value === true ? "now()" : "null"}`)
    else sets.push(`${column} = ${bind(bindable(key, value))}`)
  }
  if (advance.next === "never") sets.push("next_check_at = null")
  else if (advance.next) {
    sets.push(`next_check_at = now() + ${bind(advance.next.inMs)} * interval '1 ms'`)
  }
  if (advance.expiresInMs !== undefined) {
    sets.push(`expires_at = now() + ${bind(advance.expiresInMs)} * interval '1 ms'`)
  }
  if (advance.lease === "release") sets.push("lease_token = null, lease_until = null")
  else if (advance.lease) {
    sets.push(`lease_until = now() + ${bind(advance.lease.forMs)} * interval '1 ms'`)
  }
  return sets.length === 0 ? "" : `, ${sets.join(", ")}`
}

/** `sourceId` is `source_id`; money in smallest units keeps its name. */
function columnOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function bindable(key: string, value: unknown): unknown {
  if (key === "lines") return linesToJson(value as Operation["lines"])
  if (typeof value === "bigint") return value.toString()
  if (typeof value === "object" && value !== null) return storableJson(value)
  return typeof value === "string" ? storable(value) : value
}
