import type { IEventBusModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { LIMITS } from "../core/limits"
import { systemClock, systemRandom } from "../core/ports"
import { announce, type EventBus } from "../worker/announce"
import { checkDueOperations } from "../worker/check-due-operations"
import type { Announcement } from "../worker/rules/announcements"
import { flowsFrom, workIn } from "../medusa/wiring/flows-from"
import { steadyPass } from "../medusa/wiring/steady-pass"

const run = steadyPass(systemClock, systemRandom)
const send = steadyPass(systemClock, systemRandom, {
  away: "announcements can't be sent now; the job tries again until it can",
  back: "sending announcements again",
})

/**
 * Slow checks continue after the run, so that the scheduler starts the next one in time. Each run
 * also sends the announcements of its findings; an event bus that is down does not delay the next
 * run.
 */
export default async function checkPayments(container: MedusaContainer): Promise<void> {
  const work = workIn(container)
  const deps = flowsFrom(container)
  const { checksPerRun: atMost } = LIMITS
  await work.run((signal) =>
    run(deps.logger, () => checkDueOperations(deps, { atMost, signal, leave: work.follow })),
  )
  await work.run((signal) =>
    send(deps.logger, () => announce({ ...deps, bus: busOf(container) }, signal)),
  )
}

/** Medusa's event bus, whichever module that is. */
function busOf(container: MedusaContainer): EventBus {
  const bus: IEventBusModuleService = container.resolve(Modules.EVENT_BUS)
  return { emit: (announcements) => bus.emit<Announcement["data"]>([...announcements]) }
}

export const config = {
  name: "merchant-payments-check",
  schedule: { interval: LIMITS.checkEveryMs, concurrency: "forbid" },
}
