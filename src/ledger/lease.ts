/**
 * Who holds a row, and until when. A lease is a token, which every later write of its holder
 * repeats, and an end by the database's clock. The token also names its worker: it begins with a
 * digest of the worker's name. So what fences a worker and what names it can't disagree, and the
 * tokens of a version that names no worker are like those of a worker that nobody knows.
 *
 * A worker that gives no sign of life, or has ended, loses its leases before their end. If it was
 * only frozen, its writes are refused as soon as another worker has the row.
 */
import { createHash, randomUUID } from "node:crypto"
import { LIMITS } from "../core/limits"

/** Hex digits of a token that name its worker: a UUID's first group. */
const NAME_DIGITS = 8

/** A new token of a lease; no two are the same. @param worker left out: it names none */
export function leaseToken(worker?: string): string {
  const token = randomUUID()
  if (worker === undefined) return token
  const name = createHash("sha256").update(worker).digest("hex").slice(0, NAME_DIGITS)
  return name + token.slice(NAME_DIGITS)
}

/** A worker that was last heard before this moment is silent. */
export const SILENT = `now() - interval '${LIMITS.workerSilentAfterMs} ms'`

/**
 * Whether the worker that a token names has ended, or is silent while a witness was heard: another
 * worker, by itself or after others, without a gap (`sign-of-life.ts`). After an outage of the
 * database all workers look silent, and none is judged until workers were heard for as long. A
 * worker that ended in order says so: it was heard since never.
 */
const isOfSilentWorker = (token: string) => `exists (
  select from mp_worker w
   where w.seen_at < ${SILENT}
     and left(${token}::text, ${NAME_DIGITS})
         = left(encode(sha256(convert_to(w.id, 'UTF8')), 'hex'), ${NAME_DIGITS})
     and (w.heard_since is null or exists (
       select from mp_worker witness
        where witness.heard_since < ${SILENT} and witness.seen_at > ${SILENT})))`

/** Whether nobody holds the row, as SQL. @param row its alias in the statement */
export const isFree = (row: string) =>
  `(${row}.lease_until is null or ${row}.lease_until < now()
    or ${isOfSilentWorker(`${row}.lease_token`)})`
