import { LIMITS } from "../core/limits"
import { drivenClock } from "../../integration-tests/gateway/driven-clock"
import type { Account } from "../core/account"
import { checkBudget } from "./check-budget"

const BOUND = 20

function budgetOf(clock: ReturnType<typeof drivenClock>) {
  const account = { id: "a", checksPerSecondMax: BOUND } as Account
  return checkBudget(clock, () => Promise.resolve([account]))
}

async function takeMany(budget: ReturnType<typeof checkBudget>, times: number): Promise<void> {
  for (let taken = 0; taken < times; taken++) await budget.take("a")
}

describe("the questions of one process", () => {
  it("go at once for a second's worth, then one by one at the account's bound", async () => {
    const clock = drivenClock()
    const budget = budgetOf(clock)
    await takeMany(budget, BOUND)
    expect(clock.monotonicMs()).toBeLessThanOrEqual(50)
    await takeMany(budget, 100)
    const seconds = clock.monotonicMs() / 1_000
    expect(120 / seconds).toBeLessThanOrEqual(BOUND * 1.25)
    expect(seconds).toBeGreaterThan(4.9)
  })

  it("are counted for each account by itself", async () => {
    const clock = drivenClock()
    const budget = budgetOf(clock)
    for (let taken = 0; taken < BOUND - 1; taken++) {
      await budget.take("a")
      await budget.take("b")
    }
    expect(clock.sleeps).toEqual([])
  })

  it("[N21] stop while the gateway asked for a pause, and never for over a minute", async () => {
    const clock = drivenClock()
    const budget = budgetOf(clock)
    budget.pause("a", 7_000)
    expect([budget.isPaused("a"), budget.isPaused("b")]).toEqual([true, false])
    await budget.take("a")
    expect(clock.sleeps).toEqual([7_050])
    expect(budget.isPaused("a")).toBe(false)
    budget.pause("b", 3_600_000)
    await budget.take("b")
    expect(clock.sleeps.at(-1)).toBe(LIMITS.retryAfterCapMs + 50)
  })

  it("are not allowed earlier by a shorter pause", async () => {
    const clock = drivenClock()
    const budget = budgetOf(clock)
    budget.pause("a", 7_000)
    budget.pause("a", 1_000)
    await budget.take("a")
    expect(clock.sleeps).toEqual([7_050])
  })
})
