/** What payers do outside the shop, on a payment page whose address they have. */
import type { Simulator } from "../../packages/simulator/src"
import { HostedRefusal } from "../../packages/simulator/src/rules/hosted"
import { payPage, type Means } from "../histories/commands"
import { PHONE } from "../histories/secrets"
import type { LedgerDatabase } from "../support/ledger-database"

const OPEN_PAGES = `
  select source_id from mp_operation
   where flow in ('hosted', 'link') and hosted_url is not null and submitted_at is not null`

export async function payOnPages(
  ledger: LedgerDatabase,
  simulator: Simulator,
  means: Means,
): Promise<void> {
  for (const { source_id } of await ledger.sql(OPEN_PAGES)) {
    try {
      payPage(simulator, Number(source_id), means, PHONE)
    } catch (error) {
      // A page whose time is over, or that is paid, has nothing to press.
      if (!(error instanceof HostedRefusal)) throw error
    }
  }
}

export { answerBanks } from "../histories/commands"
