/** What payers do outside the shop: on a payment page whose address they have, and at their bank. */
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

/** Each bank that asks is answered, in the payer's browser: the shop takes no part in it. */
export function answerBanks({ card }: Simulator, answer: "pass" | "refuse"): void {
  for (const { reference } of card.pending()) card[answer]({ reference })
}
