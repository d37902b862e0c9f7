import type { OperationId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { rowsOf, type Database } from "../../ledger/database"

type TakenBack = { readonly id: OperationId; readonly at: Date }

const LATELY = `
  select id, taken_back_at as at from mp_operation
   where taken_back_at > now() - $1 * interval '1 ms'
   order by taken_back_at desc limit ${LIMITS.notifiedAtOnce}`

/** Payments that their operators took back as long ago as a notification is tried. */
export const listTakenBack = (database: Database): Promise<TakenBack[]> =>
  rowsOf<TakenBack>(database, LATELY, [LIMITS.notificationGivenUpMs], "mp_taken_back")
