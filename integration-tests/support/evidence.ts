/**
 * What the oracle looks at, read by SQL: the ledger's own tables, and Medusa's payments, captures,
 * orders and transactions. Nothing of the product takes part in reading; a wrong parser must not
 * hide a wrong row.
 */
import { z } from "zod"
import type { BookView } from "../../packages/simulator/src/book/view"

export type Query = (
  sql: string,
  parameters?: readonly unknown[],
) => Promise<readonly Record<string, unknown>[]>

export type LedgerOperation = {
  readonly id: string
  readonly state: string
  readonly type: string
  readonly isDuplicate: boolean
  readonly flow: string
  readonly collectionId: string
  readonly sessionId: string
  readonly providerId?: string
  /** All payment sessions that it has ever belonged to, where Medusa replaced them. */
  readonly sessionIds?: readonly string[]
  readonly amountMinor: bigint
  readonly currency: string
  readonly collectedMinor: bigint | null
  readonly reservedRefundMinor: bigint
  readonly refundedMinor: bigint
  /** Of a refund: the collection that it gives back. */
  readonly parentId: string | null
  /** Of a refund that Medusa asked for: its row there, what it is of, and what has become of it. */
  readonly medusa?: {
    readonly rowId: string
    readonly amount: string
    readonly isUndone: boolean
  } | null
  readonly sourceId: number | null
  readonly reference: string | null
  /** Of payouts and transfers. */
  readonly idempotencyKey?: string | undefined
  readonly isSubmitted: boolean
  readonly isRecorded: boolean
  readonly isReturned: boolean
  /** Why it is where it is, in a word. */
  readonly reason?: string | null
  /** Seconds until the next check; null: never. */
  readonly dueInSeconds: number | null
  /** The time in which its order is to be paid, where the order was placed before its money. */
  readonly orderWindow?: { readonly endsInSeconds: number; readonly isDone: boolean } | undefined
  readonly version: number
}

export type LedgerEvent = {
  readonly operationId: string
  readonly seq: number
  readonly name: string
  readonly state: string
}

export type LedgerEvidence = {
  readonly operations: readonly LedgerOperation[]
  readonly events: readonly LedgerEvent[]
  /** Paid documents that a reconciliation told people of, because no operation knows them. */
  readonly reportedSourceIds?: readonly number[]
  /** Every row of our tables as text. */
  readonly dump: readonly string[]
}

export type MedusaPayment = {
  readonly id: string
  readonly sessionId: string
  readonly collectionId: string
  readonly providerId: string
  /** Major units, unrounded. */
  readonly amount: string
  readonly currency: string
  readonly isCaptured: boolean
  readonly isCanceled: boolean
  /** Sum of its captures, and of those that are in the order's transactions. */
  readonly capturedAmount: string
  readonly inOrderAmount: string
  readonly orderId: string | null
  readonly isOrderCanceled: boolean
  /** Rows that stand, and what collection and order say was refunded in all. */
  readonly refunds?: {
    readonly rows: readonly MedusaRefund[]
    /** Of the order, that name one of the rows, or the payment, or a row that is gone. */
    readonly transactions: readonly { readonly referenceId: string; readonly amount: string }[]
    readonly ofCollection: string
    readonly rowsOfCollection: string
    /** Null without an order. */
    readonly ofOrder: { readonly summary: string; readonly transactions: string } | null
  }
}

export type MedusaRefund = {
  readonly id: string
  readonly amount: string
  readonly createdBy: string | null
}

type MedusaSession = {
  readonly id: string
  readonly providerId?: string
  readonly collectionId: string
  readonly amount: string
  readonly currency: string
}

export type MedusaEvidence = {
  readonly payments: readonly MedusaPayment[]
  /** Orders of the payment collections that have one of our sessions. */
  readonly orders?: readonly {
    readonly id: string
    readonly collectionId: string
    readonly isCanceled: boolean
  }[]
  /** Payment sessions of ours that there are; left out where nobody asks for them. */
  readonly sessions?: readonly MedusaSession[]
  /** The public `data` of every payment session of ours, as text. */
  readonly sessionData: readonly string[]
}

/** What was written to people and machines while the test ran, and what must not be in it. */
type OutputEvidence = {
  readonly texts: readonly string[]
  readonly secrets: readonly string[]
  readonly phones: readonly string[]
}

export type Evidence = {
  readonly book: Pick<BookView, "documents" | "executions" | "refunds"> &
    Partial<Pick<BookView, "payouts" | "transfers">>
  readonly ledger: LedgerEvidence
  /** Left out where no Medusa takes part. */
  readonly medusa?: MedusaEvidence
  readonly output: OutputEvidence
  /**
   * References of refunds that somebody made at the gateway without the shop, in the merchant's
   * portal. Left out: there is none.
   */
  readonly portalRefunds?: ReadonlySet<string>
}

const OPERATIONS = `
  select o.*, extract(epoch from next_check_at - now()) as due_in_seconds,
         extract(epoch from window_ends_at - now()) as window_in_seconds,
         array(select s.payment_session_id from mp_operation_session s
                where s.operation_id = o.id) as session_ids,
         coalesce((select jsonb_agg(jsonb_build_object('seq', e.seq, 'name', e.name, 'state', e.state)
                                    order by e.seq)
                     from mp_operation_event e where e.operation_id = o.id), '[]') as events
    from mp_operation o
   order by o.id`

/** Also of refunds. */
const EVENTS = z.array(z.record(z.string(), z.unknown()))

/** Changes with every change of an operation. */
const STAMP = `select count(*)::text || ' ' || coalesce(sum(version), 0)::text as stamp from mp_operation`

const REPORTED = `
  select distinct (d.value ->> 'source_id')::bigint as source_id
    from mp_reconciliation r, jsonb_array_elements(r.differences) d
   where d.value ->> 'code' = 'paid_unknown_to_ledger'`

/** From the catalogue: a secret must not hide in a table that a list here has forgotten. */
const TABLES = `
  select relname as name from pg_class
   where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname like 'mp\\_%'
   order by relname`

/**
 * The ledger and Medusa as they were at one moment, while a store goes on working: read again when
 * something moved in between.
 */
export async function readSides(
  query: Query,
): Promise<{ readonly ledger: LedgerEvidence; readonly medusa: MedusaEvidence }> {
  for (;;) {
    const [before] = await query(STAMP)
    const ledger = await readLedger(query)
    const medusa = await readMedusa(query)
    const [after] = await query(STAMP)
    if (before?.["stamp"] === after?.["stamp"]) return { ledger, medusa }
  }
}

/** Operations and their events are read in one statement: a worker may write between two. */
export async function readLedger(query: Query): Promise<LedgerEvidence> {
  const rows = await query(OPERATIONS)
  const reported = await query(REPORTED)
  const tables = await query(TABLES)
  const rowsOf = tables.map(({ name }) => `select t::text as row from ${String(name)} t`)
  const dumped = await query(rowsOf.join(" union all "))
  return {
    operations: rows.map((row) => ({
      id: String(row["id"]),
      state: String(row["state"]),
      type: String(row["type"]),
      isDuplicate: row["is_duplicate"] === true,
      flow: String(row["flow"]),
      collectionId: String(row["payment_collection_id"]),
      providerId: String(row["provider_id"]),
      sessionId: String(row["payment_session_id"]),
      sessionIds: Array.isArray(row["session_ids"]) ? row["session_ids"].map(String) : [],
      amountMinor: BigInt(String(row["amount_minor"])),
      currency: String(row["currency_code"]),
      collectedMinor:
        row["collected_minor"] === null ? null : BigInt(String(row["collected_minor"])),
      reservedRefundMinor: BigInt(String(row["reserved_refund_minor"])),
      refundedMinor: BigInt(String(row["refunded_minor"])),
      parentId: row["parent_id"] === null ? null : String(row["parent_id"]),
      medusa:
        row["medusa_refund_id"] === null
          ? null
          : {
              rowId: String(row["medusa_refund_id"]),
              amount: String(row["medusa_amount"]),
              isUndone: row["undone_at"] !== null,
            },
      sourceId: row["source_id"] === null ? null : Number(row["source_id"]),
      reference: row["reference"] === null ? null : String(row["reference"]),
      idempotencyKey: row["idempotency_key"] ? String(row["idempotency_key"]) : undefined,
      isSubmitted: row["submitted_at"] !== null,
      isRecorded: row["recorded_at"] !== null,
      isReturned: row["returned_at"] !== null,
      reason: row["reason"] === null ? null : String(row["reason"]),
      dueInSeconds: row["due_in_seconds"] === null ? null : Number(row["due_in_seconds"]),
      orderWindow:
        row["window_in_seconds"] === null
          ? undefined
          : {
              endsInSeconds: Number(row["window_in_seconds"]),
              isDone: row["window_done_at"] !== null,
            },
      version: Number(row["version"]),
    })),
    events: rows.flatMap((row) =>
      eventsIn(row["events"]).map((event) => ({
        operationId: String(row["id"]),
        seq: Number(event["seq"]),
        name: String(event["name"]),
        state: String(event["state"]),
      })),
    ),
    reportedSourceIds: reported.map((row) => Number(row["source_id"])),
    dump: dumped.map((row) => String(row["row"])),
  }
}

/** A driver that reads no `jsonb` gives it as text. */
function eventsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return EVENTS.parse(typeof value === "string" ? JSON.parse(value) : value)
}

const OURS = `provider_id like 'pp\\_%\\_merchant'`

const PAYMENTS = `
  select p.id, p.payment_session_id, p.payment_collection_id, p.provider_id,
         p.amount::text as amount, p.currency_code,
         p.captured_at is not null as is_captured, p.canceled_at is not null as is_canceled,
         coalesce((select sum(c.amount) from capture c
                    where c.payment_id = p.id and c.deleted_at is null), 0)::text as captured_amount,
         coalesce((select sum(t.amount) from order_transaction t join capture c on c.id = t.reference_id
                    where c.payment_id = p.id and t.reference = 'capture'
                      and c.deleted_at is null and t.deleted_at is null), 0)::text as in_order_amount,
         o.id as order_id, o.status = 'canceled' or o.canceled_at is not null as is_order_canceled,
         (select coalesce(jsonb_agg(jsonb_build_object(
                   'id', r.id, 'amount', r.amount::text, 'created_by', r.created_by)), '[]')
            from refund r where r.payment_id = p.id and r.deleted_at is null) as refund_rows,
         (select coalesce(jsonb_agg(jsonb_build_object(
                   'reference_id', t.reference_id, 'amount', (-t.amount)::text)), '[]')
            from order_transaction t
           where t.order_id = o.id and t.reference = 'refund' and t.deleted_at is null
         ) as refund_transactions,
         (select coalesce(pc.refunded_amount, 0)::text from payment_collection pc
           where pc.id = p.payment_collection_id) as collection_refunded,
         (select coalesce(sum(r.amount), 0)::text from refund r join payment x on x.id = r.payment_id
           where x.payment_collection_id = p.payment_collection_id and r.deleted_at is null
         ) as rows_of_collection,
         (select coalesce(-sum(t.amount), 0)::text from order_transaction t
           where t.order_id = o.id and t.amount < 0 and t.deleted_at is null
         ) as transactions_of_order,
         (select s.totals ->> 'refunded_total' from order_summary s
           where s.order_id = o.id and s.version = o.version and s.deleted_at is null
           -- Of two admins who cancel at once Medusa may write one each.
           order by s.created_at desc limit 1
         ) as summary_refunded
    from payment p
    left join order_payment_collection oc
      on oc.payment_collection_id = p.payment_collection_id and oc.deleted_at is null
    left join "order" o on o.id = oc.order_id and o.deleted_at is null
   where p.${OURS} and p.deleted_at is null`

const ORDERS = `
  select distinct o.id, oc.payment_collection_id,
         o.status = 'canceled' or o.canceled_at is not null as is_canceled
    from order_payment_collection oc
    join "order" o on o.id = oc.order_id and o.deleted_at is null
    join payment_session s on s.payment_collection_id = oc.payment_collection_id
   where s.${OURS} and oc.deleted_at is null`

const SESSIONS = `
  select id, provider_id, payment_collection_id, amount::text as amount, currency_code,
         deleted_at is null as is_there,
         coalesce(data::text, '') as data
    from payment_session where ${OURS}`

export async function readMedusa(query: Query): Promise<MedusaEvidence> {
  const [payments, orders] = [await query(PAYMENTS), await query(ORDERS)]
  const sessions = await query(SESSIONS)
  return {
    payments: payments.map((row) => ({
      id: String(row["id"]),
      sessionId: String(row["payment_session_id"]),
      collectionId: String(row["payment_collection_id"]),
      providerId: String(row["provider_id"]),
      amount: String(row["amount"]),
      currency: String(row["currency_code"]).toUpperCase(),
      isCaptured: row["is_captured"] === true,
      isCanceled: row["is_canceled"] === true,
      capturedAmount: String(row["captured_amount"]),
      inOrderAmount: String(row["in_order_amount"]),
      orderId: row["order_id"] === null ? null : String(row["order_id"]),
      isOrderCanceled: row["is_order_canceled"] === true,
      refunds: {
        rows: eventsIn(row["refund_rows"]).map((one) => ({
          id: String(one["id"]),
          amount: String(one["amount"]),
          createdBy: typeof one["created_by"] === "string" ? one["created_by"] : null,
        })),
        transactions: eventsIn(row["refund_transactions"]).map((one) => ({
          referenceId: String(one["reference_id"]),
          amount: String(one["amount"]),
        })),
        ofCollection: String(row["collection_refunded"]),
        rowsOfCollection: String(row["rows_of_collection"]),
        ofOrder:
          row["order_id"] === null
            ? null
            : {
                summary: String(row["summary_refunded"] ?? "0"),
                transactions: String(row["transactions_of_order"]),
              },
      },
    })),
    orders: orders.map((row) => ({
      id: String(row["id"]),
      collectionId: String(row["payment_collection_id"]),
      isCanceled: row["is_canceled"] === true,
    })),
    sessions: sessions
      .filter((row) => row["is_there"] === true)
      .map((row) => ({
        id: String(row["id"]),
        providerId: String(row["provider_id"]),
        collectionId: String(row["payment_collection_id"]),
        amount: String(row["amount"]),
        currency: String(row["currency_code"]).toUpperCase(),
      })),
    sessionData: sessions.map((row) => String(row["data"])),
  }
}
