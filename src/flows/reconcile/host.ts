/** What sweeps and reconciliation need to know of Medusa, beside `Host`. Read only. */
import type { HostPayment } from "../../core/reconciliation"
import type { FlowDeps } from "../deps"

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
}

export type ReconcileDeps = FlowDeps & { readonly books: HostBooks }
