/**
 * The newest rows of each kind that a route can be asked about, by the words of its address. A real
 * row behind each door: without one, only the refusal of what does not exist is asked.
 */
import type { Harness } from "../http/support/harness"

const newest = (column: string, from: string, by: string, count = 12) =>
  `select ${column} from ${from} order by ${by} desc limit ${count}`

const waiting = (kinds: string) =>
  newest(
    "id",
    `mp_approval where kind in (${kinds}) and open_subject is not null and closed_at is null`,
    "asked_at",
  )

/** More of the payments than of the others: most of them are under way, and some have ended. */
const ROWS = {
  operations: newest("id", "mp_operation", "created_at", 40),
  links: newest("id", "mp_operation where flow = 'link'", "created_at"),
  reviews: newest("id", "mp_operation where state = 'review'", "created_at"),
  paid: newest("id", "mp_operation where order_id is not null", "created_at"),
  payouts: newest("id", "mp_operation where type = 'PAYOUT'", "created_at"),
  transfers: newest("id", "mp_operation where type = 'TRANSFER'", "created_at"),
  paidOrders: newest("order_id", "mp_operation where order_id is not null", "created_at"),
  /** Refunds that Medusa shows no more, and that were not made again. */
  failedRefunds: newest(
    "o.id",
    `mp_operation o
      where o.type = 'REFUND' and o.state = 'failed' and o.undone_at is not null
        and o.dismissed_at is null
        and not exists (select from mp_operation again where again.retry_of = o.id)`,
    "o.created_at",
  ),
  /** Payments whose session may read its receipt. */
  paidSessions: newest(
    "o.payment_session_id",
    "mp_operation o join mp_receipt r on r.operation_id = o.id where o.recorded_at is not null",
    "o.created_at",
  ),
  /** A payment, and the second order that a store left behind it. */
  strays: newest(
    "subject || ' ' || substr(name, 13)",
    "mp_task where name like 'stray_order:%' and subject is not null",
    "name",
  ),
  tokens: newest("return_token", "mp_operation where return_token is not null", "created_at"),
  receipts: newest("token", "mp_receipt_link where token is not null", "created_at"),
  payoutRequests: waiting("'PAYOUT', 'TRANSFER'"),
  refundRequests: waiting("'REFUND'"),
  accountChanges: waiting("'ACCOUNT'"),
  accounts: newest(
    "id",
    "mp_account where deleted_at is null",
    "(id = 'mpacc_env') desc, created_at",
  ),
  /** An account that an admin made, with the version that may be changed. */
  versions: newest(
    "id || ' ' || version",
    "mp_account where id <> 'mpacc_env' and deleted_at is null",
    "created_at",
  ),
  credentials: newest("id", "mp_credential", "created_at"),
  /** An account, and a credential that it used before. */
  formers: newest(
    "account_id || ' ' || id",
    "mp_credential where status = 'draining' and deleted_at is null",
    "created_at",
  ),
  customers: newest("id", "customer where email like 'fuzz-%'", "created_at"),
  payments: newest(
    "p.id",
    `payment p join mp_operation o on o.payment_session_id = p.payment_session_id
      where o.state = 'completed' and o.recorded_at is not null`,
    "o.created_at",
  ),
} as const

export type RowKind = keyof typeof ROWS
export type Rows = Readonly<Record<RowKind, readonly string[]>>

const ALL = `select ${Object.entries(ROWS)
  .map(([kind, query]) => `array(${query}) as "${kind}"`)
  .join(", ")}`

export async function readRows({ sql }: Harness): Promise<Rows> {
  const [rows] = await sql<Rows>(ALL)
  if (!rows) throw new Error("one row has all of them")
  return rows
}
