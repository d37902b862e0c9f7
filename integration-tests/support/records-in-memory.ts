/** Medusa's records over the carts in memory: a session that is in no cart is gone at once. */
import { idFrom, type CartId, type CustomerId, type OrderId } from "../../src/core/ids"
import type { MedusaPayment } from "../../src/core/medusa-records"
import { decimalSum } from "../../src/core/money"
import type {
  CustomersOwn,
  MedusaCustomers,
  MedusaPeriod,
  MedusaRefundRow,
} from "../../src/engine/medusa-port"
import type { MedusaStrays } from "../../src/engine/stray-order"
import type { Cart } from "./medusa-in-memory"

const CURRENCY = "usd"
/** The least amount of its currency that a payer could pay; Medusa keeps sums as floats. */
const LEAST_PAYABLE = 0.005

type Period = { readonly from: Date; readonly until: Date }

/** As Medusa's tables have it: a row, and when it was written. */
type Written<Row> = Row & { readonly madeAtMs: number | undefined }

type Records = MedusaPeriod & MedusaStrays & Pick<MedusaCustomers, "customersOwn">

export function recordsInMemory(carts: ReadonlyMap<string, Cart>): Records {
  const every = () => [...carts.values()]
  const payments = () => every().flatMap(paymentsOf)
  const refunds = () => every().flatMap(refundsOf)
  const sessions = () => new Set(every().flatMap((cart) => cart.sessions.map(({ id }) => id)))
  return {
    goneSessions: async (ids) => ids.filter((id) => !sessions().has(id)),
    paymentsOfPeriod: async (period, page) => pageOf(payments(), period, page),
    paymentsOfSessions: async (ids) =>
      inOrder(payments().filter(({ sessionId }) => ids.includes(sessionId))),
    refundsOfPeriod: async (period, page) => pageOf(refunds(), period, page),
    refundRows: async (ids) => inOrder(refunds().filter(({ id }) => ids.includes(id))),
    orderNumbers: async () => new Map(),
    adminNames: async () => new Map(),
    ordersNumbered: async () => new Map(),
    strayOrdersSince: async () => [],
    strayOrders: async () => [],
    customersOwn: async (customerId) => ownOf(carts, customerId),
  }
}

function ownOf(carts: ReadonlyMap<string, Cart>, customerId: CustomerId): CustomersOwn | undefined {
  const own = [...carts].filter(([, { customer }]) => customer?.id === customerId)
  if (own.length === 0) return undefined
  return {
    customerId,
    cartIds: own.map(([id]) => idFrom<CartId>(`cart_${id}`)),
    orderIds: own.flatMap(([, { order }]) => (order ? idFrom<OrderId>(order.id) : [])),
  }
}

/** A row of a refund is there from before the provider is asked, and gone where it refuses. */
function paymentsOf({ payments, refunds, order, entries }: Cart): Written<MedusaPayment>[] {
  const open = entries.orderRefunded - entries.credited
  return payments.map(({ sessionId, isCaptured, isCanceled, amount = "0", madeAtMs }) => {
    const own = refunds.filter((row) => row.sessionId === sessionId)
    return {
      id: idFrom(`pay_${sessionId}`),
      sessionId: idFrom(sessionId),
      currency: CURRENCY,
      isCaptured,
      isCanceled,
      capturedAmount: isCaptured ? amount : "0",
      refundedAmount: decimalSum(own.map((row) => row.amount)) ?? "0",
      orderId: order && idFrom(order.id),
      isOrderCanceled: order?.isCanceled ?? false,
      isOrderOpen: Math.abs(open) >= LEAST_PAYABLE,
      madeAtMs,
    }
  })
}

function refundsOf({ refunds }: Cart): Written<MedusaRefundRow>[] {
  return refunds.map(({ id, sessionId, amount, madeAtMs }) => ({
    id: idFrom(id),
    sessionId: idFrom(sessionId),
    currency: CURRENCY,
    amount,
    madeAtMs,
  }))
}

/** A page of a period's rows, by id. */
function pageOf<Row extends { readonly id: string }>(
  rows: readonly Written<Row>[],
  { from, until }: Period,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
): Row[] {
  const own = rows.filter(
    ({ madeAtMs: at }) => at === undefined || (at >= from.getTime() && at < until.getTime()),
  )
  return inOrder(own)
    .filter(({ id }) => id > afterId)
    .slice(0, limit)
}

const inOrder = <Row extends { readonly id: string }>(rows: readonly Row[]): Row[] =>
  [...rows].sort((one, other) => (one.id < other.id ? -1 : 1))
