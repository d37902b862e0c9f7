/**
 * Plans replace the outcome of the scenario table for executions made after them. Executions under
 * way keep theirs. The newest plan that fits a phone number wins.
 */
import { z } from "zod"

import type { MoneyOutType } from "./book/money-records"
import type { OperationType } from "./book/records"
import { WrongControl } from "./control/wrong-control"
import { OUTCOMES, type Outcome } from "./rules/timeline"
import { moneyOutScenarioOf, scenarioOf, type Scenario } from "./scenarios"

/**
 * - `operationType`: default `COLLECTION`; a plan of one type never serves another.
 * - `phone`: digits; every phone if absent. For outgoing money it is the recipient's.
 * - `afterMs`: the delay of the outcome before the speed is applied, default 0.
 * - `times`: how many executions it serves; without end if absent.
 * - `cutsAnswer`: the execution is carried out, but its answer is cut in the middle. Default false.
 * - `message`: what the gateway says at the end, instead of its usual words: any text.
 */
export type Plan = {
  operationType?: OperationType
  phone?: string
  outcome: Outcome
  afterMs?: number
  times?: number
  cutsAnswer?: boolean
  message?: string
}

/** A plan from outside. */
export const PlanInput = z.object({
  operationType: z.enum(["COLLECTION", "PAYOUT", "TRANSFER", "REFUND"]).optional(),
  phone: z.string().optional(),
  outcome: z.enum(OUTCOMES),
  afterMs: z.number().min(0).optional(),
  times: z.number().int().positive().optional(),
  cutsAnswer: z.boolean().optional(),
  message: z.string().optional(),
})

/** What will happen to one execution. */
export type Behaviour = Pick<Scenario, "outcome" | "afterMs" | "cutsAnswer" | "overstatesTotal"> & {
  /** Where it comes from, for the book: `scenario 06`, `plan`. */
  origin: string
  /** What the gateway says at the end. Undefined: its usual words. */
  message?: string | undefined
}

export type Plans = {
  /** Throws for outgoing money that would wait for a handset, because no payer is asked. */
  add(plan: Plan): void
  clear(): void
  /** The behaviour of one collection; uses the plan once. */
  behaviourFor(phone: string): Behaviour
  /** The same for a payout, a transfer or a refund. `phone` is null for a card. */
  behaviourOut(type: MoneyOutType, phone: string | null): Behaviour
}

export function createPlans(): Plans {
  let plans: { plan: Plan; left: number }[] = []

  const planned = (type: OperationType, phone: string | null): Behaviour | null => {
    const entry = plans.find(
      ({ plan }) =>
        (plan.operationType ?? "COLLECTION") === type &&
        (plan.phone === undefined || plan.phone === phone),
    )
    if (!entry) return null
    entry.left -= 1
    if (entry.left <= 0) plans = plans.filter((other) => other !== entry)
    const { outcome, afterMs = 0, cutsAnswer = false, message } = entry.plan
    return { outcome, afterMs, cutsAnswer, overstatesTotal: false, origin: "plan", message }
  }

  return {
    add(plan) {
      if (plan.outcome === "handset" && (plan.operationType ?? "COLLECTION") !== "COLLECTION") {
        throw new WrongControl("Only collections wait for a handset.")
      }
      plans.unshift({ plan, left: plan.times ?? Number.POSITIVE_INFINITY })
    },
    clear: () => void (plans = []),
    behaviourFor: (phone) => planned("COLLECTION", phone) ?? behaviourOf(scenarioOf(phone)),
    behaviourOut: (type, phone) => planned(type, phone) ?? behaviourOf(moneyOutScenarioOf(phone)),
  }
}

const behaviourOf = (scenario: Scenario): Behaviour => {
  const { endsWith, outcome, afterMs, cutsAnswer, overstatesTotal } = scenario
  const origin = `scenario ${endsWith || "other"}`
  return { outcome, afterMs, cutsAnswer, overstatesTotal, origin }
}
