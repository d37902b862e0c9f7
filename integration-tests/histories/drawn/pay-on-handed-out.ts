/** Pays on a page whose address was handed out, or was about to be; a tab with one may stay open for days. */
import type { Simulator } from "../../../packages/simulator/src"
import { payPage, type Means } from "../commands"
import { PHONE } from "../secrets"
import type { DrivenLedger } from "./ledger"

const PAGES = `
  select source_id from mp_operation
   where hosted_url is not null and submitted_at is not null order by created_at, id`

/** @returns why the page takes nothing, as it says it itself; undefined: it took what was paid */
export async function payOnHandedOut(
  ledger: DrivenLedger,
  simulator: Simulator,
  page: number,
  means: Means,
): Promise<string | undefined> {
  const pages = await ledger.sql(PAGES)
  const sourceId = Number(pages[page % Math.max(1, pages.length)]?.["source_id"] ?? 0)
  if (simulator.book.document(sourceId)?.status !== "ACTIVE") return undefined
  try {
    payPage(simulator, sourceId, means, PHONE)
    return undefined
  } catch (error) {
    return String(error)
  }
}
