import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { systemClock, systemRandom } from "../core/ports"
import { notify } from "../notifications/run"
import { watchOperators } from "../notifications/trouble"
import { workIn } from "../medusa/wiring/flows-from"
import { notifyFrom } from "../medusa/wiring/notify-from"
import { steadyPass } from "../medusa/wiring/steady-pass"

const run = steadyPass(systemClock, systemRandom, {
  away: "notifications can't be made now; they are made once they can",
  back: "making notifications again",
})

/** Channels that are still being sent. */
const busy = new Set<string>()
let watchedAtMs = -Infinity

/** A job of its own, so that a provider that hangs delays no check and no other channel. */
export default async function sendNotifications(container: MedusaContainer): Promise<void> {
  const work = workIn(container)
  const deps = notifyFrom(container)
  const behind = { busy, leave: work.follow }
  await work.run((signal) =>
    run(deps.logger, async () => {
      const nowMs = deps.clock.monotonicMs()
      if (nowMs - watchedAtMs >= LIMITS.operatorWatchEveryMs) {
        watchedAtMs = nowMs
        await watchOperators(deps)
      }
      await notify(deps, signal, behind)
    }),
  )
}

export const config = {
  name: "merchant-payments-notifications",
  schedule: { interval: LIMITS.notifyEveryMs, concurrency: "forbid" },
}
