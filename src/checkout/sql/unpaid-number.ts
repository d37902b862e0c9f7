import { LIMITS } from "../../core/limits"
import type { Database } from "../../ledger/database"
import { ASKING_PHONE } from "../../ledger/flow-lists"

/** Only pushes count: a payment by card or page was not approved on the number's own phone. */
const OF_NUMBER = `
  select o.* from mp_operation_search s join mp_operation o on o.id = s.operation_id
   where s.words @@ $1::tsquery and o.type = 'COLLECTION' and o.flow in (${ASKING_PHONE})`

const HAS_PAID = `
  select id from (${OF_NUMBER}) o
   where state in ('completed', 'review') or recorded_at is not null limit 1`

/** A prompt that the operator's outage prevented, or that the gateway refused, rang no phone. */
const NTH_PROMPT = `
  select (extract(epoch from submitted_at - now()) * 1000 + $2::float8)::float8 as wait_ms
    from (${OF_NUMBER}) o
   where submitted_at > now() - $2::float8 * interval '1 ms'
     and reason is distinct from 'operator_unavailable'
     and last_sending is distinct from 'refused'
   order by submitted_at desc offset $3 limit 1`

/**
 * How long a number that has never paid must not be asked. It is read before the prompt is written,
 * so some starts at once may pass beyond it, as many as the limit on the number's starts allows.
 *
 * @param phoneWord the number's search word, by which its payments are found
 * @returns milliseconds until one more prompt may go to the number; 0: it may go now
 */
export async function unpaidNumberWaitMs(database: Database, phoneWord: string): Promise<number> {
  const word = `'${phoneWord}'`
  const [nth] = await database.query(NTH_PROMPT, [
    word,
    LIMITS.unpaidNumberMs,
    LIMITS.promptsOfUnpaidNumberMax - 1,
  ])
  if (!nth) return 0
  if ((await database.query(HAS_PAID, [word])).length > 0) return 0
  return Math.max(1, Number(nth["wait_ms"]))
}
