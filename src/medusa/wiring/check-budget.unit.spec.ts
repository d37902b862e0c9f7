import { LIMITS } from "../../core/limits"
import { drivenClock } from "../../../integration-tests/gateway/driven-clock"
import { checkBudget } from "./check-budget"

async function takeMany(budget: ReturnType<typeof checkBudget>, times: number): Promise<void> {
  for (let taken = 0; taken < times; taken++) await budget.take("a")
}

describe("the questions of one process", () => {
  it("go at once for a second's worth, then one by one at the learned rate", async () => {
    const clock = drivenClock()
    const budget = checkBudget(clock)
    budget.allow("a", 20)
    await takeMany(budget, 20)
    expect(clock.monotonicMs()).toBeLessThanOrEqual(50)
    await takeMany(budget, 100)
    const seconds = clock.monotonicMs() / 1_000
    expect(120 / seconds).toBeLessThanOrEqual(20 * 1.25)
    expect(seconds).toBeGreaterThan(4.9)
  })

  it("go slowly while nothing was learned, and never slower than the slowest rate", async () => {
    const clock = drivenClock()
    const budget = checkBudget(clock)
    await takeMany(budget, LIMITS.checksPerSecondFirst * 11)
    expect(clock.monotonicMs()).toBeCloseTo(10_000, -3)
    budget.allow("a", 0.001)
    const since = clock.monotonicMs()
    await takeMany(budget, 10)
    expect(clock.monotonicMs() - since).toBeLessThanOrEqual(10_000 / LIMITS.checksPerSecondMin)
  })

  it("are counted for each account by itself", async () => {
    const clock = drivenClock()
    const budget = checkBudget(clock)
    for (let taken = 0; taken < LIMITS.checksPerSecondFirst - 1; taken++) {
      await budget.take("a")
      await budget.take("b")
    }
    expect(clock.sleeps).toEqual([])
  })

  it("[N21] stop while the gateway asked for a pause, and never for over a minute", async () => {
    const clock = drivenClock()
    const budget = checkBudget(clock)
    for (const account of ["a", "b"]) budget.allow(account, 20)
    budget.pause("a", 7_000)
    await budget.take("a")
    expect(clock.sleeps).toEqual([7_050])
    budget.pause("b", 3_600_000)
    await budget.take("b")
    expect(clock.sleeps.at(-1)).toBe(LIMITS.retryAfterCapMs + 50)
  })

  it("are not allowed earlier by a shorter pause", async () => {
    const clock = drivenClock()
    const budget = checkBudget(clock)
    budget.allow("a", 20)
    budget.pause("a", 7_000)
    budget.pause("a", 1_000)
    await budget.take("a")
    expect(clock.sleeps).toEqual([7_050])
  })
})
