import { LIMITS } from "../../core/limits"
import { rowsOf, type Database } from "../../ledger/database"
import { IS_OPEN, type RequestKind } from "../../ledger/requests"

/** A request of any kind that waits for a second admin, as the merchant is told of it. */
type WaitingRequest = {
  readonly id: string
  readonly kind: RequestKind
  readonly askedAt: Date
  /** Major units, as decimal text; null: the request is of no amount. */
  readonly amount: string | null
  readonly currency: string | null
}

const WAITING = `
  select a.id, a.kind, a.asked_at as "askedAt",
         a.details ->> 'amount' as amount, a.details ->> 'currency' as currency
    from mp_approval a
   where a.kind is not null and ${IS_OPEN} order by a.asked_at desc limit ${LIMITS.notifiedAtOnce}`

export const listWaitingRequests = (database: Database): Promise<WaitingRequest[]> =>
  rowsOf<WaitingRequest>(database, WAITING, [], "mp_waiting_requests")
