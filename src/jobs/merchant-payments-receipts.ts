import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { systemClock, systemRandom } from "../core/ports"
import { fetchReceipts } from "../worker/receipts"
import { flowsFrom, workIn } from "../medusa/wiring/flows-from"
import { steadyPass } from "../medusa/wiring/steady-pass"

const run = steadyPass(systemClock, systemRandom, {
  away: "receipts can't be fetched just now, tried again until they can",
  back: "fetching receipts again",
})

/** Accounts whose receipts are still being fetched. */
const busy = new Set<string>()

/** A job of its own, so that a slow receipt delays no payment and no receipt of another account. */
export default async function fetchReceiptsOfPaid(container: MedusaContainer): Promise<void> {
  const work = workIn(container)
  const deps = flowsFrom(container)
  const behind = { busy, leave: work.follow }
  await work.run((signal) => run(deps.logger, () => fetchReceipts(deps, signal, behind)))
}

export const config = {
  name: "merchant-payments-receipts",
  schedule: { interval: LIMITS.receiptsEveryMs, concurrency: "forbid" },
}
