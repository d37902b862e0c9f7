import { LIMITS } from "../core/limits"
import type { EventCode } from "../core/messages"
import { stateAfter, type Event, type Operation, type State, isUnderWay } from "../core/operation"
import type { Changes, Fields } from "../core/operation-columns"
import { storable, storableJson } from "../core/storable"
import type { Database } from "./database"
import { entryOf, OPERATION_COLUMNS, operationFrom } from "./operation-row"
import { IS_WITHIN_ORDER_WINDOW, withinOrderWindow } from "./order-window"

export type { Changes }

export type Advance = {
  /** A transition of the machine, or the title of an event that leaves the state as it is. */
  readonly event: Event | { readonly note: string }
  /** What happened, and why: its sentence is in `core/messages`; `note` is an admin's own words. */
  readonly code: EventCode
  /** Redacted: ids, amounts, states and codes, never sentences of ours. */
  readonly facts?: Readonly<Record<string, unknown>>
  readonly changes?: Changes
  /** When to check next; "never" ends the checks. Absent: as it was. */
  readonly next?: { readonly inMs: number } | "never"
  /** Moves the end of the time to pay. Absent: as it was. */
  readonly expiresInMs?: number
  /** Absent: the lease stays as it is. */
  readonly lease?: "release" | { readonly forMs: number }
}

/** Money entering review is due once more if its account may refund it (`refund-orphan.ts`). */
const MAY_REFUND = `a.policies @> '{"refund_orphans": true}'`
/** Late money is due also if its account may place an order for it, which is the default. */
const MAY_PLACE = `not a.policies @> '{"place_late_money": false}'`

function dueForPolicy({ changes }: Advance): string {
  const may = changes?.reason === "late_payment" ? `(${MAY_REFUND} or ${MAY_PLACE})` : MAY_REFUND
  return `exists (select from mp_account a where a.id = account_id and ${may})`
}

/**
 * The payer's time ends half-way between the last check that was answered and this one. If these
 * are so far apart that the middle says little (no shopper waited, or the gateway was away),
 * nothing is noted.
 */
const CONFIRMED_AFTER = `confirmed_after_ms = (
  select case when now() - last <= ${LIMITS.confirmedWithinMs} * interval '1 ms'
                or now() - last < last - submitted_at
              then extract(epoch from last - submitted_at + (now() - last) / 2) * 1000 end
    from (select greatest(checked_at, submitted_at) as last) checks)`

const PAYER = ["payment_method", "carrier", "phone_hint"]
const PAYER_AWAY = [
  `prompted_payer = coalesce(prompted_payer,
     jsonb_build_object(${PAYER.map((column) => `'${column}', ${column}`).join(", ")}))`,
  ...PAYER.map((column) => `${column} = null`),
].join(", ")
const PAYER_BACK = [
  ...PAYER.map((column) => `${column} = coalesce(${column}, prompted_payer ->> '${column}')`),
  "prompted_payer = null",
].join(", ")

/**
 * The one write that moves an operation: compare-and-set by version and, where the caller holds a
 * lease, by lease token. State, version and event commit together or not at all. The write sets
 * `synchronous_commit` for itself, because a restarted process believes what is written here.
 *
 * @returns undefined where nothing was written, so read again: another writer was faster, the lease
 *   was lost, the machine has no such transition (recorded money is never stranded), the operation
 *   has another reference, or it would be submitted after its order's window or its lease is over
 */
export async function advanceOperation(
  database: Database,
  operation: Operation,
  advance: Advance,
): Promise<Operation | undefined> {
  const { event } = advance
  const state = typeof event === "string" ? stateAfter(operation.state, event) : operation.state
  if (state === undefined || (event === "strand" && operation.recordedAt)) return undefined
  const parameters = parametersOf(operation, state, advance)
  const entersReview =
    operation.type === "COLLECTION" && state === "review" && operation.state !== "review"
  const sets = assignments(
    withoutSpentSecret(operation, state, advance),
    parameters,
    entersReview ? dueForPolicy(advance) : undefined,
  )
  // Money that comes after a dismissal waits for a decision of its own.
  const again = entersReview ? ", dismissed_at = null" : ""
  const moved = momentOfMoney(operation, state, advance)
  // A worker frozen past its lease must not send, even if no other worker has the operation.
  const inTime =
    event === "submit"
      ? `and ${IS_WITHIN_ORDER_WINDOW} and (lease_until is null or lease_until > now())`
      : ""
  const once = onceUnder(advance, parameters)
  const rows = await database.query(
    `with moved as (
       update mp_operation
          set version = version + 1, updated_at = now(), state = $4${sets}${again}${moved}
        where id = $1 and version = $2 and lease_token is not distinct from $3::uuid ${once}
          ${inTime}
          and set_config('synchronous_commit', 'on', true) = 'on'
       returning *
     ), ${NOTED}
     select ${OPERATION_COLUMNS} from moved`,
    parameters,
  )
  return rows[0] && operationFrom(rows[0])
}

/** Drops a card's secret unless its payment is under way: no card is authenticated after that. */
function withoutSpentSecret({ cardSecret }: Operation, state: State, advance: Advance): Advance {
  if (isUnderWay({ state })) return advance
  const isKept = cardSecret !== null || advance.changes?.cardSecret !== undefined
  return isKept ? { ...advance, changes: { ...advance.changes, cardSecret: null } } : advance
}

/**
 * SQL `, money_at = …` for a write that proves that the money moved: the gateway confirmed it,
 * named what it took of a payment, or completed money that goes back or out with another amount. The
 * first such write decides the moment.
 */
export function momentOfMoney(
  { type }: Pick<Operation, "type">,
  state: State,
  { event, changes }: Advance,
): string {
  const isTaken = type === "COLLECTION" && (changes?.collectedMinor ?? null) !== null
  const isOther = type !== "COLLECTION" && changes?.reason === "amount_mismatch"
  const isProof = state === "completed" || event === "complete" || isTaken || isOther
  return isProof ? ", money_at = coalesce(money_at, now())" : ""
}

/** The event's code and facts, as {@link parametersOf} binds them. */
export const CODE = "$6"
export const FACTS = "$7::jsonb"

/** Inserts the event of the row that `moved`, in the same statement. */
export const NOTED = `noted as (
       insert into mp_operation_event (operation_id, seq, name, state, code, facts)
       select id, version, $5, state, ${CODE}, ${FACTS} from moved
     )`

/** $1 to $7 of the statement that moves an operation: its key, its new state and the event. */
export function parametersOf(
  { id, version, leaseToken }: Operation,
  state: State,
  { event, code, facts = {} }: Advance,
): unknown[] {
  const name = typeof event === "string" ? event : event.note
  return [id, version, leaseToken, state, name, code, storableJson(facts)]
}

/** SQL that refuses a second reference: money may move under the first, and would move twice. */
export function onceUnder({ changes }: Advance, parameters: unknown[]): string {
  const { reference } = changes ?? {}
  return reference === undefined
    ? ""
    : `and (reference is null or reference = $${parameters.push(reference)}::uuid)`
}

/**
 * SQL `, column = value` for each change; the values are appended to `parameters`.
 *
 * @param isDueIf SQL condition under which the next check is now, whatever the advance says
 */
export function assignments(advance: Advance, parameters: unknown[], isDueIf?: string): string {
  const sets: string[] = []
  const bind = (value: unknown) => `$${parameters.push(value)}`
  for (const [field, value] of given(advance.changes ?? {})) {
    const { column, isMoment } = entryOf(field)
    if (field === "confirmedAfter") sets.push(CONFIRMED_AFTER)
    else if (field === "isPayerUnknown") sets.push(value === true ? PAYER_AWAY : PAYER_BACK)
    else if (isMoment) sets.push(`${column} = ${value === true ? "now()" : "null"}`)
    else sets.push(`${column} = ${bind(bindable(field, value))}`)
  }
  const next = nextCheck(advance, bind)
  if (isDueIf) {
    sets.push(`next_check_at = case when ${isDueIf} then now() else ${next ?? "next_check_at"} end`)
  } else if (next) sets.push(`next_check_at = ${next}`)
  if (advance.expiresInMs !== undefined) {
    const ends = `now() + ${bind(advance.expiresInMs)} * interval '1 ms'`
    sets.push(`expires_at = least(${ends}, window_ends_at)`)
  }
  if (advance.lease === "release") sets.push("lease_token = null, lease_until = null")
  else if (advance.lease) {
    sets.push(`lease_until = now() + ${bind(advance.lease.forMs)} * interval '1 ms'`)
  }
  return sets.length === 0 ? "" : `, ${sets.join(", ")}`
}

function nextCheck(
  { next, changes }: Advance,
  bind: (value: unknown) => string,
): string | undefined {
  if (next === undefined) return undefined
  const planned =
    next === "never" ? "null::timestamptz" : `now() + ${bind(next.inMs)} * interval '1 ms'`
  return changes?.windowDoneAt === true ? planned : withinOrderWindow(planned, "$4::text")
}

/** Columns and values of a new row, one for each field; values are appended to `parameters`. */
export function inserted(fields: GivenFields, parameters: unknown[]) {
  return {
    columns: given(fields)
      .map(([field]) => entryOf(field).column)
      .join(", "),
    values: given(fields)
      .map(([field, value]) => `$${parameters.push(bindable(field, value))}`)
      .join(", "),
  }
}

type GivenFields = Partial<Readonly<Record<keyof Fields, unknown>>>
const given = (fields: GivenFields) =>
  (Object.entries(fields) as [keyof Fields, unknown][]).filter(([, value]) => value !== undefined)

function bindable(field: keyof Fields, value: unknown): unknown {
  const { write } = entryOf(field)
  if (write) return write(value as never)
  if (typeof value === "bigint") return value.toString()
  if (typeof value === "object" && value !== null) return storableJson(value)
  return typeof value === "string" ? storable(value) : value
}
