/** What payers do outside the shop, on a payment page whose address they have. */
import type { Simulator } from "../../packages/simulator/src"
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
    const sourceId = Number(source_id)
    if (simulator.book.document(sourceId)?.status !== "ACTIVE") continue
    payPage(simulator, sourceId, means, PHONE)
  }
}

export { answerBanks } from "../histories/commands"
