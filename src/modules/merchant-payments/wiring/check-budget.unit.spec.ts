import { LIMITS } from "../../../core/limits"
import type { Clock } from "../../../core/ports"
import { checkBudget } from "./check-budget"

/** A clock that moves only when somebody sleeps; sleepers wake in the order of their moments. */
function sleepyClock(): Clock & { readonly slept: number[] } {
  let nowMs = 1_000_000
  const slept: number[] = []
  return {
    slept,
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep(ms) {
      slept.push(ms)
      nowMs += ms
      return Promise.resolve()
    },
  }
}

describe("the budget of questions", () => {
  it("lets at most a second's worth go at once, then one after another", async () => {
    const clock = sleepyClock()
    const budget = checkBudget(clock)
    const startMs = clock.monotonicMs()
    for (let taken = 0; taken < 20; taken++) await budget.take("a")
    expect(clock.monotonicMs() - startMs).toBeLessThanOrEqual(50)
    for (let taken = 0; taken < 100; taken++) await budget.take("a")
    const seconds = (clock.monotonicMs() - startMs) / 1_000
    expect(120 / seconds).toBeLessThanOrEqual(LIMITS.checksPerSecondMax * 1.25)
    expect(seconds).toBeGreaterThan(4.9)
  })

  it("counts each account by itself", async () => {
    const clock = sleepyClock()
    const budget = checkBudget(clock)
    for (let taken = 0; taken < 19; taken++) await budget.take("a")
    for (let taken = 0; taken < 19; taken++) await budget.take("b")
    expect(clock.slept).toEqual([])
  })

  it("[N21] lets nothing out while the gateway asked for a pause, and never for over a minute", async () => {
    const clock = sleepyClock()
    const budget = checkBudget(clock)
    budget.pause("a", 7_000)
    await budget.take("a")
    expect(clock.slept).toEqual([7_050])
    budget.pause("b", 3_600_000)
    await budget.take("b")
    expect(clock.slept.at(-1)).toBe(LIMITS.retryAfterCapMs + 50)
  })

  it("is not made shorter by a shorter pause", async () => {
    const clock = sleepyClock()
    const budget = checkBudget(clock)
    budget.pause("a", 7_000)
    budget.pause("a", 1_000)
    await budget.take("a")
    expect(clock.slept).toEqual([7_050])
  })
})
