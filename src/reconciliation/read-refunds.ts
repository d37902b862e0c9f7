/** What the ledger and Medusa say went back in a period, of one account's payments. */
import type { Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import { pages } from "./close-documents"
import { eachPage, type Period } from "./read-sides"
import type { HostRefund, RefundTotals } from "./rules/reconciliation-totals"
import { findOfSessions } from "./sql/find-for-period"
import { readRefundTotals } from "./sql/refund-totals"

export async function readRefunds(
  deps: FlowDeps,
  account: Account,
  period: Period,
): Promise<{ readonly refunds: RefundTotals[]; readonly hostRefunds: HostRefund[] }> {
  const refunds = await readRefundTotals(deps.database, { ...period, accountIds: [account.id] })
  const rows = await eachPage((afterId, limit) =>
    deps.host.refundsOfPeriod(period, { afterId, limit }),
  )
  const hostRefunds: HostRefund[] = []
  for (const page of pages(rows)) {
    const known = await findOfSessions(
      deps.database,
      page.map(({ sessionId }) => sessionId),
      // The books were read before, and have told of it.
      () => undefined,
    )
    const accountOf = new Map(known.map((one) => [one.paymentSessionId, one.accountId]))
    for (const row of page) {
      const owner = accountOf.get(row.sessionId)
      // As with payments: what is nobody's is the default account's to answer for.
      if (owner === account.id || (owner === undefined && account.isDefault)) hostRefunds.push(row)
    }
  }
  return { refunds, hostRefunds }
}
