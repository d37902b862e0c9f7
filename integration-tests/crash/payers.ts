/** What payers do: in the shop, on a payment page whose address they have, and at their bank. */
import type { Simulator } from "../../packages/simulator/src"
import { CARD, HOSTED, PUSH } from "../support/flows-harness"
import type { LedgerDatabase } from "../support/ledger-database"

/** What they press in the shop, and what the shop's page sends with it. */
export const METHODS = {
  phone: { providerId: PUSH, with: {} },
  page: { providerId: HOSTED, with: {} },
  card: { providerId: CARD, with: { cardToken: "card_3ds" } },
  "card without a question": { providerId: CARD, with: { cardToken: "card_no_3ds" } },
} as const

export type Method = keyof typeof METHODS

const OPEN_PAGES = `
  select source_id from mp_operation
   where flow in ('hosted', 'link') and hosted_url is not null and submitted_at is not null`

export async function payOnPages(ledger: LedgerDatabase, simulator: Simulator): Promise<void> {
  for (const { source_id } of await ledger.sql(OPEN_PAGES)) {
    const sourceId = Number(source_id)
    if (simulator.book.document(sourceId)?.status !== "ACTIVE") continue
    simulator.hosted.pay(sourceId, { method: "card" })
  }
}

/** Each bank that asks is answered, in the payer's browser: the shop takes no part in it. */
export function answerBanks({ card }: Simulator, answer: "pass" | "refuse"): void {
  for (const { reference } of card.pending()) card[answer]({ reference })
}
