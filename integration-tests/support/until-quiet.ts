/**
 * Lets the days pass that the ledger still wants to look at something, for ledger and gateway
 * alike, with a pass of the job at each moment: until nothing is due any more, the last watch
 * included.
 */
import { checkDueOperations } from "../../src/worker/check-due-operations"
import type { FlowsHarness } from "./flows-harness"

const CHECKS_MAX = 300
/** So that what is due at a moment is due after it. */
const A_BIT_LATER_MS = 5

const DUE = `
  select (extract(epoch from min(greatest(next_check_at, coalesce(lease_until, next_check_at)))
          - now()) * 1000)::double precision as in_ms
    from mp_operation where next_check_at is not null`

const MOMENTS = `
  select table_name, string_agg(format('%1$I = %1$I - $1 * interval ''1 ms''', column_name), ', ') as moves
    from information_schema.columns
   where table_schema = 'public' and table_name like 'mp\\_operation%'
     and data_type like 'timestamp%'
   group by table_name`

/** Everything that has happened, happened so much longer ago. */
export async function passForAll(harness: FlowsHarness, ms: number): Promise<void> {
  for (const { table_name, moves } of await harness.ledger.sql(MOMENTS)) {
    await harness.ledger.sql(`update ${String(table_name)} set ${String(moves)}`, [ms])
  }
  harness.later(ms)
}

export async function untilQuiet(harness: FlowsHarness): Promise<void> {
  for (let checks = 0; checks < CHECKS_MAX; checks++) {
    const [row] = await harness.ledger.sql(DUE)
    const inMs = row?.["in_ms"]
    if (inMs === null || inMs === undefined) return
    await passForAll(harness, Math.max(0, Math.ceil(Number(inMs))) + A_BIT_LATER_MS)
    await checkDueOperations(harness.deps, { atMost: 50 })
  }
  throw new Error(`I7: not quiet after ${CHECKS_MAX} looks`)
}
