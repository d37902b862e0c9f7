import type { IEventBusModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { LIMITS } from "../../core/limits"
import { systemClock } from "../../core/ports"
import type { FlowDeps } from "../../engine/deps"
import { perStore } from "../../ledger/per-store"
import { announce, type EventBus } from "../../worker/announce"
import { checkDueOperations } from "../../worker/check-due-operations"
import type { Announcement } from "../../worker/rules/announcements"
import { flowsFrom, workIn } from "../wiring/flows-from"
import { steadyPass } from "../../worker/steady-pass"
import { job } from "./job"
import { dueIn } from "./due"

const passesOf = perStore(({ clock, random }: FlowDeps) => ({
  run: steadyPass(clock, random),
  send: steadyPass(clock, random, {
    away: "announcements can't be sent now; the job tries again until it can",
    back: "sending announcements again",
  }),
}))

/**
 * Slow checks continue after the pass, so that the next one begins in time. Each pass also sends the
 * announcements of its findings; an event bus that is down does not delay the next pass.
 */
export const checkJob = job(systemClock, LIMITS.checkEveryMs, async (container) => {
  const work = workIn(container)
  const deps = flowsFrom(container)
  const { run, send } = passesOf(deps)
  let hasNews = false
  await work.run((signal) =>
    run(deps.logger, async () => {
      hasNews = await check(deps, signal, work.follow)
    }),
  )
  if (!hasNews) return
  await work.run((signal) =>
    send(deps.logger, () => announce({ ...deps, bus: busOf(container) }, signal)),
  )
})

/** @returns whether there may be something to announce */
async function check(
  deps: FlowDeps,
  signal: AbortSignal,
  leave: (rest: Promise<void>) => void,
): Promise<boolean> {
  const due = await dueIn(deps).now()
  deps.underWay.passed()
  if (due === undefined) return false
  if (due.checkInMs === null || due.checkInMs > 0) return due.hasAnnouncements
  await checkDueOperations(deps, { atMost: LIMITS.checksPerRun, signal, leave })
  return true
}

/** Medusa's event bus, whichever module that is. */
function busOf(container: MedusaContainer): EventBus {
  const bus: IEventBusModuleService = container.resolve(Modules.EVENT_BUS)
  return { emit: (announcements) => bus.emit<Announcement["data"]>([...announcements]) }
}
