/** What sweeps and reconciliation need to know of Medusa. Read only. */
import type { HostPayment } from "../../core/reconciliation"

export type HostBooks = {
  /** Of these payment sessions, those that Medusa has deleted at least so long ago, or never had. */
  goneSessions(ids: readonly string[], forMs: number): Promise<readonly string[]>
  /** Payments of our providers that were made in a period, in the order of their ids. */
  paymentsOfPeriod(
    period: { readonly from: Date; readonly until: Date },
    page: { readonly afterId: string; readonly limit: number },
  ): Promise<readonly HostPayment[]>
  /** Payments of our providers, of these sessions. */
  paymentsOfSessions(sessionIds: readonly string[]): Promise<readonly HostPayment[]>
  /** Refunds of our providers' payments that Medusa made a row for in a period, by their ids. */
  refundsOfPeriod(
    period: { readonly from: Date; readonly until: Date },
    page: { readonly afterId: string; readonly limit: number },
  ): Promise<readonly HostRefundRow[]>
  /** Of these refund rows, as far as they are there. */
  refundRows(ids: readonly string[]): Promise<readonly HostRefundRow[]>
  /** The numbers that people know orders by. */
  orderNumbers(orderIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Amount as Medusa has it, unrounded. */
export type HostRefundRow = {
  readonly id: string
  readonly sessionId: string
  readonly currency: string
  readonly amount: string
}
