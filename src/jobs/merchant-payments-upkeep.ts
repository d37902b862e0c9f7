import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { systemClock, systemRandom } from "../core/ports"
import { processAlarm } from "../flows/accounts/process-alarm"
import type { ReconcileDeps } from "../flows/reconcile/host"
import { reconcileWhenDue } from "../flows/reconcile/reconcile"
import { retainWhenDue } from "../flows/reconcile/retain"
import { sweepWhenDue } from "../flows/reconcile/sweep"
import { MERCHANT_PAYMENTS_MODULE } from "../modules/merchant-payments"
import type MerchantPaymentsModuleService from "../modules/merchant-payments/service"
import { accountsFrom } from "../modules/merchant-payments/wiring/accounts-from"
import { reconcileFrom } from "../modules/merchant-payments/wiring/reconcile-from"
import { steadyPass } from "../modules/merchant-payments/wiring/steady-pass"

type Task = (deps: ReconcileDeps, signal: AbortSignal) => Promise<unknown>

const TASKS: readonly (readonly [name: string, task: Task])[] = [
  ["sweep", sweepWhenDue],
  ["reconcile", reconcileWhenDue],
  ["retain", retainWhenDue],
]

const RUNS = TASKS.map(([name, task]) => {
  const run = steadyPass(systemClock, systemRandom)
  return { name, run, task }
})

const alarm = processAlarm()

/**
 * Each of the three is due at its own time, and done by one worker; the others find it taken. None waits
 * for another, nor the job for any: one that is slow is the only one that is late.
 */
export default async function keepUp(container: MedusaContainer): Promise<void> {
  const { work }: MerchantPaymentsModuleService = container.resolve(MERCHANT_PAYMENTS_MODULE)
  const deps = reconcileFrom(container)
  for (const { name, run, task } of RUNS) {
    work.begin(name, (signal) => run(deps.logger, () => task(deps, signal)))
  }
  await work.run(() => alarm(accountsFrom(container)))
}

export const config = {
  name: "merchant-payments-upkeep",
  schedule: { interval: LIMITS.upkeepEveryMs, concurrency: "forbid" },
}
