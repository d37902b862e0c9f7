/** A person who was given the address of an open payment page pays there. */
import type { Simulator } from "../../packages/simulator/src"
import type { LedgerDatabase } from "../support/ledger-database"

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
