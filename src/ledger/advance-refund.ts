import { LIMITS } from "../core/limits"
import { isMedusaRefund, stateAfter, type Event, type Operation } from "../core/operation"
import {
  assignments,
  CODE,
  FACTS,
  momentOfMoney,
  NOTED,
  onceUnder,
  parametersOf,
  type Advance,
} from "./advance-operation"
import type { Database } from "./database"
import { OPERATION_COLUMNS, operationFrom } from "./operation-row"

/** The refund as written; `parent` is its collection, where the statement has written it too. */
type AdvancedRefund = { readonly operation: Operation; readonly parent: Operation | undefined }

/** What only the write of a refund can do, besides {@link Advance}. */
export type RefundAdvance = {
  /**
   * Milliseconds from this refund's end until its collection, if in review, is checked again.
   * Absent: as it was.
   */
  readonly parentInMs?: number
  /** A late refund reserves its part again; a constraint refuses that if the part is gone. */
  readonly isCountedLate?: boolean
}

/**
 * As `advanceOperation`, for a refund: its effect on the collection is written in the same
 * statement, or neither is written.
 *
 * - A refund that ends without money frees its part. Completed money that was not recorded because
 *   of the refund (`isOwedToMedusa`) is due again.
 * - A completed refund is counted. When all that was collected went back, the collection is
 *   returned. A refund of the excess over what was asked for makes a payment in review due, which
 *   is accepted then.
 * - A refund that goes through after its end is a duplicate, and an admin decides. Its part was
 *   freed at its end, so nothing is counted or freed again. If the admin accepts it while its part
 *   is free, it is counted then.
 *
 * A refund that Medusa asked for is due soon after either end, so that Medusa's records show what
 * went back. The collection's row is locked before it is read, so two refunds at once are both
 * counted.
 */
export async function advanceRefund(
  database: Database,
  refund: Operation,
  advance: Advance & RefundAdvance,
): Promise<AdvancedRefund | undefined> {
  const { event } = advance
  const state = typeof event === "string" ? stateAfter(refund.state, event) : refund.state
  if (state === undefined) return undefined
  const effect = advance.isCountedLate === true ? "settle" : effectOf(refund, event)
  const isLate = effect === "late"
  const changes = isLate ? { ...advance.changes, isDuplicate: true } : advance.changes
  const next = nextForMedusa(refund, effect, advance)
  const parameters = [...parametersOf(refund, state, advance), effect, advance.parentInMs ?? null]
  const advanced = { ...advance, ...(changes ? { changes } : {}), ...(next ? { next } : {}) }
  const sets = assignments(advanced, parameters)
  const once = onceUnder(advance, parameters)
  const moved = momentOfMoney(refund, state, advance)
  const rows = await database.query(
    `with moved as (
       update mp_operation
          set version = version + 1, updated_at = now(), state = $4${sets}${moved}
        where id = $1 and version = $2 and lease_token is not distinct from $3::uuid ${once}
          and type = 'REFUND' and set_config('synchronous_commit', 'on', true) = 'on'
       returning *
     ), ${NOTED}, ${ON_THE_COLLECTION}
     select true as is_refund, ${OPERATION_COLUMNS} from moved
     union all select false, ${OPERATION_COLUMNS} from counted`,
    parameters,
  )
  const found = rows.find((row) => row["is_refund"] === true)
  const parent = rows.find((row) => row["is_refund"] === false)
  return found && { operation: operationFrom(found), parent: parent && operationFrom(parent) }
}

/** Parameters that are bound after those of `parametersOf`. */
const EFFECT = "$8"
const PARENT_IN_MS = "$9::double precision"

const ON_THE_COLLECTION = `
  parent as (
    select p.*, moved.id as refund_id, moved.amount_minor as refund_minor,
           moved.reason as refund_reason, moved.asked_by as refund_asked_by,
           ${EFFECT} in ('count', 'settle')
             and p.refunded_minor + moved.amount_minor >= p.collected_minor as is_all,
           ${EFFECT} in ('count', 'settle')
             and p.state = 'review' and moved.medusa_amount = 0 as is_rest,
           p.reserved_refund_minor + case ${EFFECT} when 'free' then -moved.amount_minor
             when 'settle' then moved.amount_minor else 0 end as reserved_after
      from mp_operation p join moved on p.id = moved.parent_id
     where ${EFFECT} in ('free', 'count', 'settle')
       for update of p
  ), counted as (
    update mp_operation p
       set version = p.version + 1, updated_at = now(),
           reserved_refund_minor = parent.reserved_after,
           refunded_minor = case when ${EFFECT} in ('count', 'settle')
             then parent.refunded_minor + parent.refund_minor else parent.refunded_minor end,
           state = case when parent.is_all and parent.state = 'review'
             then 'completed' else parent.state end,
           returned_at = case when parent.is_all and parent.state in ('completed', 'review')
             then now() else parent.returned_at end,
           waiting = parent.waiting and not parent.is_all,
           next_check_at = case
             when parent.is_all then null
             when parent.is_rest then now()
             when ${EFFECT} in ('free', 'settle') and parent.state = 'completed'
                  and parent.recorded_at is null
                  and parent.reserved_after
                        <= greatest(0, parent.collected_minor - parent.amount_minor) then now()
             when ${EFFECT} = 'free' and parent.state = 'review' and ${PARENT_IN_MS} is not null
               then now() + ${PARENT_IN_MS} * interval '1 ms'
             else parent.next_check_at end
      from parent where p.id = parent.id
    returning p.*
  ), parent_noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select counted.id, counted.version,
           case when ${EFFECT} = 'free' then 'refund_released'
                when not parent.is_all then 'refunded'
                when parent.state = 'review' then 'give_back' else 'returned' end,
           counted.state, ${CODE},
           jsonb_build_object('refund', parent.refund_id, 'amount_minor', parent.refund_minor::text,
                              'reason', parent.refund_reason, 'asked_by', parent.refund_asked_by)
             || jsonb_strip_nulls(jsonb_build_object(
                  'note', ${FACTS} -> 'note', 'execution', ${FACTS} -> 'execution'))
      from counted join parent on parent.id = counted.id
  )`

type Effect = "none" | "free" | "count" | "late" | "settle"

function effectOf(refund: Operation, event: Advance["event"]): Effect {
  const isEnded = refund.state === "failed" || refund.state === "expired"
  const effects: Partial<Record<Event, Effect>> = {
    fail: "free",
    expire: "free",
    dismiss: "free",
    complete: "count",
    accept: "count",
  }
  if (refund.isDuplicate || typeof event !== "string") return "none"
  if (isEnded) return event === "complete" || event === "doubt" ? "late" : "none"
  return effects[event] ?? "none"
}

/** @returns when a refund that Medusa asked for is due; undefined: as the caller plans */
function nextForMedusa(refund: Operation, effect: Effect, { next }: Advance): Advance["next"] {
  if (!isMedusaRefund(refund)) return undefined
  if (effect === "count" && refund.recordedAt) return "never"
  if (effect === "none" || effect === "late") return undefined
  const planned = next === undefined || next === "never" ? LIMITS.refundMedusaCheckMs : next.inMs
  return { inMs: Math.min(planned, LIMITS.refundMedusaCheckMs) }
}
