import { LIMITS } from "../../core/limits"
import { systemClock, systemRandom } from "../../core/ports"
import { notify } from "../../notifications/run"
import { watchOperators } from "../../notifications/trouble"
import { workIn } from "../wiring/flows-from"
import { notifyFrom } from "../wiring/notify-from"
import { steadyPass } from "../../worker/steady-pass"
import { dueIn } from "./due"
import { job } from "./job"

const run = steadyPass(systemClock, systemRandom, {
  away: "notifications can't be made now; they are made once they can",
  back: "making notifications again",
})

/** Channels that are still being sent. */
const busy = new Set<string>()
let watchedAtMs = -Infinity

/** A job of its own, so that a provider that hangs delays no check and no other channel. */
export const notificationsJob = job(systemClock, LIMITS.notifyEveryMs, async (container) => {
  const work = workIn(container)
  const deps = notifyFrom(container)
  const behind = { busy, leave: work.follow }
  await work.run((signal) =>
    run(deps.logger, async () => {
      const nowMs = deps.clock.monotonicMs()
      const isToWatch = nowMs - watchedAtMs >= LIMITS.operatorWatchEveryMs
      if (isToWatch) {
        watchedAtMs = nowMs
        await watchOperators(deps)
      }
      // The watch may just have queued a notification.
      const { hasNotifications } = await dueIn(deps.database).lately()
      if (hasNotifications || isToWatch) await notify(deps, signal, behind)
    }),
  )
})
