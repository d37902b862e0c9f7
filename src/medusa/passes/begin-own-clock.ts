import type { ConfigModule, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { systemClock } from "../../core/ports"
import { beat, lastBeat } from "../../worker/beat"
import { flowsFrom } from "../wiring/flows-from"
import { checkJob } from "./check"
import { notificationsJob } from "./notifications"
import { ownClock } from "./own-clock"
import { receiptsJob } from "./receipts"
import { upkeepJob } from "./upkeep"

const JOBS = [checkJob, notificationsJob, receiptsJob, upkeepJob]

/**
 * Begins the clock of a process that runs jobs. A process whose worker mode is `server` has none:
 * Medusa runs no jobs there.
 *
 * @returns a function that ends the clock and says that the process has ended
 */
export function beginOwnClock(container: MedusaContainer): () => Promise<void> {
  const config: ConfigModule = container.resolve(ContainerRegistrationKeys.CONFIG_MODULE)
  if (config.projectConfig.workerMode === "server") return () => Promise.resolve()
  const end = ownClock({
    clock: systemClock,
    logger: container.resolve(ContainerRegistrationKeys.LOGGER),
    jobs: JOBS.map((job) => ({ ...job, run: () => job.run(container) })),
    beat: () => beat(flowsFrom(container)),
  })
  return async () => {
    await end()
    await lastBeat(flowsFrom(container))
  }
}
