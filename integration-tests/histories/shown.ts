/**
 * What people are shown of a history at one moment, read as the routes read it, and only what is
 * looked at. Nothing here is true because a row says so: what is shown is held against what is shown
 * elsewhere, and against the gateway's own book.
 */
import { filterOf, operationsQuery, pagingOf } from "../../src/review/schemas/list-query"
import { queryFrom } from "../../src/admin/lib/filters"
import { UTC } from "../../src/core/time-zone"
import type { FlowDeps } from "../../src/engine/deps"
import { Refusal } from "../../src/core/refusal"
import { readGauges, type Gauges } from "../../src/ledger/read-gauges"
import { receiptOfPayment, type ReceiptPorts } from "../../src/papers/read-receipt"
import type { ReceiptDocument } from "../../src/papers/receipt-document"
import { listFile } from "../../src/reconciliation/list-file"
import { accountantFile } from "../../src/reconciliation/accountant-file"
import { readOverview } from "../../src/reconciliation/read-overview"
import type { Overview } from "../../src/reconciliation/schemas/overview"
import { readOperation, readOperations, readOrder } from "../../src/review/read-operations"
import type {
  OperationDetail,
  OperationList,
  OrderPaymentsResponse,
} from "../../src/review/schemas/operations"
import { idFrom } from "../../src/core/ids"
import { aPaperOrder } from "../support/paper"
import { cellsIn } from "./csv-cells"
import { comparePeriod, type Compared, type Days } from "./shown-period"
import { linkOf, openedReceipt, statusesOf, type ShownLink, type ShownStatus } from "./shown-status"

/** A query of the list of payments, as its route takes it. */
export type ListQuery = Readonly<Record<string, string>>

/** Each is read when it is first looked at, and once. */
export type Shown = {
  /** Every row, newest first, with the sums of all. */
  all(): Promise<OperationList>
  details(): Promise<readonly OperationDetail[]>
  home(): Promise<Overview>
  /** The accountant's sheet of all time: the cells of its lines, the first its head. */
  sheet(): Promise<readonly (readonly string[])[]>
  /** By payment session; one that the store's route does not know any more is absent. */
  statuses(): Promise<ReadonlyMap<string, ShownStatus>>
  /** Whole, or the page of a query that has a limit. */
  list(query: ListQuery): Promise<OperationList>
  /** The list as a file: the cells of its lines, the first its head. */
  file(query: ListQuery): Promise<readonly (readonly string[])[]>
  /** The box on an order. */
  order(id: string): Promise<OrderPaymentsResponse>
  /** Of a payment's order, or of the payment; null: there is none yet. */
  receipt(id: string): Promise<ReceiptDocument | null>
  /** What the customer's link opens; null: nothing any more. */
  opened(url: string): Promise<ReceiptDocument | null>
  /** The payment link of an order. */
  link(orderId: string): Promise<ShownLink | undefined>
  /** What the metrics are made from. */
  gauges(): Promise<Gauges>
  /** A comparison that begins now; not before it is over. */
  compared(days: Days): Promise<Compared>
}

const MOST = "100"
const SINCE = new Date("2026-01-01")

/** @param sessionIds every session that a shopper's page was ever opened with */
export function shownBy(deps: FlowDeps, sessionIds: readonly string[]): Shown {
  const page = (query: ListQuery) => {
    const asked = operationsQuery.parse({ limit: MOST, totals: "true", ...query })
    return readOperations(deps, filterOf(asked), pagingOf(asked), asked.totals !== undefined)
  }
  const list = async (query: ListQuery) => {
    const first = await page(query)
    const operations = [...first.operations]
    let { next } = first
    while (next !== null && query["limit"] === undefined) {
      const turned = await page({ ...query, after: next })
      operations.push(...turned.operations)
      next = turned.next
    }
    return { ...first, operations }
  }
  const all = once(() => list({}))
  const compared = new Map<string, Promise<Compared>>()
  return {
    list,
    all,
    details: once(async () => {
      const details: OperationDetail[] = []
      for (const { id } of (await all()).operations) {
        details.push(await readOperation(deps, idFrom(id)))
      }
      return details
    }),
    async file(query) {
      const asked = operationsQuery.parse({ ...query, format: "csv" })
      return cellsIn(await listFile(deps, filterOf(asked)))
    },
    order: (id) => readOrder(deps, idFrom(id)),
    receipt: (id) => receiptOf(deps, id),
    opened: (url) => openedReceipt({ ...deps, papers: PAPERS }, url),
    link: (orderId) => linkOf(deps, orderId),
    gauges: () => readGauges(deps.database),
    async compared(days) {
      const known = compared.get(days.to + days.from) ?? comparePeriod(deps, days)
      compared.set(days.to + days.from, known)
      return known
    },
    // After what was done last: a page's span ends when it is looked at.
    home: once(() => readOverview(deps, UTC, deps.clock.now())),
    sheet: once(() => sheetOf(deps)),
    statuses: once(() => statusesOf(deps, sessionIds)),
  }
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  return () => (known ??= read())
}

/** The query that a link of the admin's pages asks the list with. */
export function queryOfLink(address: string): ListQuery {
  const asked = queryFrom(new URL(address, "https://shop.example").searchParams)
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

const PAPERS: ReceiptPorts["papers"] = {
  paperOrder: async (id) => aPaperOrder({ id }),
  shopName: async () => "Harbour & Hills",
}

async function receiptOf(deps: FlowDeps, id: string): Promise<ReceiptDocument | null> {
  try {
    const { document } = await receiptOfPayment({ ...deps, papers: PAPERS }, idFrom(id))
    return document
  } catch (error) {
    if (error instanceof Refusal && error.code === "receipt_not_ready") return null
    throw error
  }
}

async function sheetOf(deps: FlowDeps): Promise<string[][]> {
  const until = new Date(deps.clock.now().getTime() + 1)
  const asked = { from: SINCE, until, timeZone: UTC, language: "en" } as const
  const { lines } = await accountantFile(deps, asked)
  return cellsIn(lines)
}
