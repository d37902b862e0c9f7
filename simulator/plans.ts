/**
 * Plans put an outcome in the place of the scenario table. They apply to executions made after
 * them; what already runs keeps its course. The newest plan that fits a phone number wins.
 */
import type { Outcome } from "./rules/timeline"
import { scenarioOf, type Scenario } from "./scenarios"

/**
 * - `phone`: digits; every phone when absent.
 * - `afterMs`: the payer's delay before the speed is applied, default 0.
 * - `times`: how many executions it serves before it is used up; no end when absent.
 */
export type Plan = { phone?: string; outcome: Outcome; afterMs?: number; times?: number }

/** What will happen to one execution. */
export type Behaviour = Pick<Scenario, "outcome" | "afterMs" | "cutsAnswer" | "overstatesTotal"> & {
  /** `scenario 06`, `plan`: where it comes from, for the book. */
  origin: string
}

export type Plans = {
  add(plan: Plan): void
  clear(): void
  /** Decides for one execution, and uses the plan up by one. */
  behaviourFor(phone: string): Behaviour
}

export function createPlans(): Plans {
  let plans: { plan: Plan; left: number }[] = []
  return {
    add: (plan) => void plans.unshift({ plan, left: plan.times ?? Number.POSITIVE_INFINITY }),
    clear: () => void (plans = []),
    behaviourFor(phone) {
      const entry = plans.find(({ plan }) => plan.phone === undefined || plan.phone === phone)
      if (!entry) {
        const { endsWith, outcome, afterMs, cutsAnswer, overstatesTotal } = scenarioOf(phone)
        const origin = `scenario ${endsWith || "other"}`
        return { outcome, afterMs, cutsAnswer, overstatesTotal, origin }
      }
      entry.left -= 1
      if (entry.left <= 0) plans = plans.filter((other) => other !== entry)
      const { outcome, afterMs = 0 } = entry.plan
      return { outcome, afterMs, cutsAnswer: false, overstatesTotal: false, origin: "plan" }
    },
  }
}
