/**
 * A merchant of very many payments: a gateway on a real socket that makes its list on the way, and
 * the rows of the ledger and of Medusa that agree with it.
 */
import type { ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createServer } from "node:http"
import { idFrom } from "../../src/core/ids"
import type { MedusaPayment } from "../../src/core/medusa-records"
import type { MedusaPort } from "../../src/engine/medusa-port"
import { createGateway, type Gateway } from "../../src/gateway"
import type { LedgerDatabase } from "./ledger-database"

/** A row of the gateway's list of orders. */
export type ListedOrder = {
  readonly id: number
  readonly reference_id: string
  readonly status: string
  readonly total_amount: string
  readonly paid_at: string
  /** Left out: the first merchant, who is the account's. */
  readonly owner_id?: number
}

/** What the gateway lists, by the numbers of its payments. */
export type Listing = {
  /** The rows of one payment, in their order; none: the list lacks it. */
  readonly rows: (row: ListedOrder) => readonly ListedOrder[]
  /** Ends the connection of a list after so many payments. */
  readonly cutAfter?: (status: string | null) => number
  /** Answers a question about what is not there. Left out: as the contract has it. */
  readonly gone?: (response: ServerResponse) => void
}

/** Payments from one number to another, that all began at one moment. */
export type Payments = { readonly from: number; readonly until: number; readonly at: string }

export const AS_IT_IS: Listing = { rows: (row) => [row] }

const uuid = (n: number) => `3f1e2b8a-4c5d-4e6f-8a9b-${String(n).padStart(12, "0")}`
export const operationId = (n: number) => `mpop_${uuid(n).replaceAll("-", "")}`

const rowOf = (n: number, at: string): ListedOrder => ({
  id: n,
  reference_id: uuid(n),
  status: "PAID",
  total_amount: "19.99",
  paid_at: at,
})

const write = async (response: ServerResponse, text: string) => {
  if (response.destroyed) return
  if (!response.write(text)) await new Promise((resolve) => response.once("drain", resolve))
}

/** What the gateway adds to each row, as the contract has it. */
const whole = (row: ListedOrder) => ({
  owner_id: 1,
  ...row,
  order_number: `ORD-2026-${row.id}`,
  counterparty_id: 3,
  currency: "USD",
  note: "Order of the shop",
  fee_bearer: "PAYEE",
  as_payment_link: false,
  owner_type: "ORGANIZATION",
  created_at: row.paid_at,
  updated_at: row.paid_at,
})

export async function longList() {
  let payments: Payments = { from: 1, until: 1, at: "" }
  let listing = AS_IT_IS
  let bytes = 0
  const asked: string[] = []

  async function sendList(response: ServerResponse, status: string | null): Promise<void> {
    response.writeHead(200, { "content-type": "application/json" })
    const end = Math.min(payments.from + (listing.cutAfter?.(status) ?? Infinity), payments.until)
    let text = "["
    let isFirst = true
    for (let n = payments.from; n < end; n++) {
      for (const row of listing.rows(rowOf(n, payments.at))) {
        if (status !== null && row.status !== status) continue
        text += `${isFirst ? "" : ","}${JSON.stringify(whole(row))}`
        isFirst = false
      }
      if (text.length < 16_000) continue
      bytes += text.length
      await write(response, text)
      text = ""
    }
    bytes += text.length
    await write(response, text)
    if (end < payments.until) response.socket?.destroySoon()
    else response.end("]")
  }

  /** A source's state by itself: as the list has it. */
  function sourceBy(id: number) {
    const near = [id, id - 1_000_000].filter((n) => n >= payments.from && n < payments.until)
    const rows = near.flatMap((n) => listing.rows(rowOf(n, payments.at)))
    const row = rows.find((one) => one.id === id)
    return row && { source_id: id, source_type: "ORDER", currency: "USD", ...row }
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://gateway")
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json" })
      response.end(JSON.stringify(body))
    }
    request.resume()
    asked.push(`${url.pathname}${url.search}`)
    if (url.pathname.endsWith("/token")) return answer(200, { access_token: "t", expires_in: 60 })
    if (url.pathname === "/v1/invoices/list") return answer(200, [])
    if (url.pathname === "/v1/orders/list") {
      return void sendList(response, url.searchParams.get("status"))
    }
    const source =
      url.pathname === "/v1/status/source" && sourceBy(Number(url.searchParams.get("source_id")))
    if (source) answer(200, source)
    else if (listing.gone) listing.gone(response)
    else answer(404, { detail: "Not found." })
  })
  server.on("connection", (socket) => socket.on("error", () => undefined))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const gateway: Gateway = createGateway({
    baseUrl: `http://127.0.0.1:${port}`,
    clientId: "client",
    clientSecret: "secret",
  })
  return {
    gateway,
    asked,
    bytes: () => bytes,
    /** What is listed from now on. */
    list(next: Payments, as: Listing) {
      payments = next
      listing = as
      bytes = 0
      asked.length = 0
    },
    async close() {
      await gateway.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Writes payments that are completed and recorded in Medusa. */
export async function writePayments(
  { sql }: Pick<LedgerDatabase, "sql">,
  { from, until, at }: Payments,
): Promise<void> {
  await sql(
    `insert into mp_operation (id, type, state, flow, account_id, provider_id, cart_id,
       payment_collection_id, payment_session_id, currency_code, amount_minor, collected_minor,
       source_type, source_id, source_status, reference, submitted_at, expires_at, recorded_at,
       money_at, created_at)
     select 'mpop_3f1e2b8a4c5d4e6f8a9b' || lpad(n::text, 12, '0'), 'COLLECTION', 'completed',
       'push', 'mpacc_env', 'p', 'cart_' || n, 'pay_col_' || n, 'payses_' || n, 'USD', 1999, 1999,
       'ORDER', n, 'PAID', gen_random_uuid(), $3::timestamptz, $3::timestamptz, $3::timestamptz,
       $3::timestamptz, $3::timestamptz
       from generate_series($1::int, $2::int - 1) n`,
    [from, until, at],
  )
}

/** Medusa's captured payments of the same, in pages as Medusa has them. */
export function medusaOf({
  from,
  until,
}: Payments): Pick<MedusaPort, "paymentsOfPeriod" | "paymentsOfSessions"> {
  const paymentOf = (n: number): MedusaPayment => ({
    id: idFrom(`pay_${String(n).padStart(9, "0")}`),
    sessionId: idFrom(`payses_${n}`),
    currency: "usd",
    isCaptured: true,
    isCanceled: false,
    capturedAmount: "19.99",
    refundedAmount: "0",
    orderId: idFrom(`order_${n}`),
    isOrderCanceled: false,
    isOrderOpen: false,
  })
  return {
    paymentsOfPeriod: (_period, { afterId, limit }) => {
      const next = afterId === "" ? from : Number(afterId.slice("pay_".length)) + 1
      const count = Math.max(Math.min(limit, until - next), 0)
      return Promise.resolve(Array.from({ length: count }, (_one, n) => paymentOf(next + n)))
    },
    paymentsOfSessions: (ids) =>
      Promise.resolve(
        ids
          .map((id) => Number(id.slice("payses_".length)))
          .filter((n) => n >= from && n < until)
          .map(paymentOf),
      ),
  }
}
