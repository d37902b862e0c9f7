import { LIMITS } from "../../core/limits"
import { systemClock, systemRandom } from "../../core/ports"
import { perStore } from "../../ledger/per-store"
import type { NotificationPorts } from "../../notifications/deps"
import { notify } from "../../notifications/run"
import { watchOperators } from "../../notifications/trouble"
import { workIn } from "../wiring/flows-from"
import { notifyFrom } from "../wiring/notify-from"
import { steadyPass } from "../../worker/steady-pass"
import { dueIn } from "./due"
import { job } from "./job"

const passOf = perStore(({ clock }: NotificationPorts) => ({
  run: steadyPass(clock, systemRandom, {
    away: "notifications can't be made now; they are made once they can",
    back: "making notifications again",
  }),
  /** Channels that are still being sent. */
  busy: new Set<string>(),
  watchedAtMs: -Infinity,
}))

/** A job of its own, so that a provider that hangs delays no check and no other channel. */
export const notificationsJob = job(systemClock, LIMITS.notifyEveryMs, async (container) => {
  const work = workIn(container)
  const deps = notifyFrom(container)
  const pass = passOf(deps)
  const behind = { busy: pass.busy, leave: work.follow }
  await work.run((signal) =>
    pass.run(deps.logger, async () => {
      const nowMs = deps.clock.monotonicMs()
      const isToWatch = nowMs - pass.watchedAtMs >= LIMITS.operatorWatchEveryMs
      if (isToWatch) {
        pass.watchedAtMs = nowMs
        await watchOperators(deps)
      }
      // The watch may just have queued a notification.
      const { hasNotifications } = await dueIn(deps).lately()
      if (hasNotifications || isToWatch) await notify(deps, signal, behind)
    }),
  )
})
