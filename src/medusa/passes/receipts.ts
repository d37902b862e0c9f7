import { LIMITS } from "../../core/limits"
import { systemClock } from "../../core/ports"
import type { FlowDeps } from "../../engine/deps"
import { perStore } from "../../ledger/per-store"
import { fetchReceipts } from "../../worker/receipts"
import { flowsFrom, workIn } from "../wiring/flows-from"
import { steadyPass } from "../../worker/steady-pass"
import { dueIn } from "./due"
import { job } from "./job"

const passOf = perStore(({ clock, random }: FlowDeps) => ({
  run: steadyPass(clock, random, {
    away: "receipts can't be fetched just now, tried again until they can",
    back: "fetching receipts again",
  }),
  /** Accounts whose receipts are still being fetched. */
  busy: new Set<string>(),
}))

/** A job of its own, so that a slow receipt delays no payment and no receipt of another account. */
export const receiptsJob = job(systemClock, LIMITS.receiptsEveryMs, async (container) => {
  const work = workIn(container)
  const deps = flowsFrom(container)
  const { run, busy } = passOf(deps)
  const behind = { busy, leave: work.follow }
  await work.run((signal) =>
    run(deps.logger, async () => {
      const { hasReceipts } = await dueIn(deps).lately()
      if (hasReceipts) await fetchReceipts(deps, signal, behind)
    }),
  )
})
