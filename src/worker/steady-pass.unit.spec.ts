import { LIMITS } from "../core/limits"
import type { Logger } from "../core/ports"
import { drivenClock } from "../../integration-tests/gateway/driven-clock"
import { steadyPass } from "./steady-pass"

function scene(fraction = 0.999) {
  const clock = drivenClock()
  const lines: string[] = []
  const log = (level: string) => (message: string) => void lines.push(`${level} ${message}`)
  const logger: Logger = {
    debug: log("debug"),
    info: log("info"),
    warn: log("warn"),
    error: log("error"),
  }
  const run = steadyPass(clock, { fraction: () => fraction })
  const state = { isAway: false, passes: 0 }
  /** One tick of the job, a second after the last. */
  const tick = async () => {
    clock.advance(LIMITS.checkEveryMs)
    await run(logger, () => {
      state.passes += 1
      return state.isAway ? Promise.reject(new Error("connection refused")) : Promise.resolve()
    })
  }
  const ticks = async (times: number) => {
    for (let ticked = 0; ticked < times; ticked++) await tick()
  }
  return { lines, state, ticks }
}

describe("[P14] the job", () => {
  it("passes at each tick while all is well, and says nothing", async () => {
    const { lines, state, ticks } = scene()
    await ticks(5)
    expect(state.passes).toBe(5)
    expect(lines).toEqual([])
  })

  it("says once that the database is away, and once that it is back", async () => {
    const { lines, state, ticks } = scene()
    state.isAway = true
    await ticks(3_600)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^error .*connection refused$/)
    state.isAway = false
    await ticks(60)
    expect(lines.slice(1)).toEqual(["info merchant payments: checking payments again"])
  })

  it("tries more and more seldom, but never gives up", async () => {
    const { state, ticks } = scene()
    state.isAway = true
    await ticks(3_600)
    const cap = LIMITS.databaseAwayCapMs / LIMITS.checkEveryMs
    expect(state.passes).toBeLessThanOrEqual(3_600 / cap + 5)
    expect(state.passes).toBeGreaterThanOrEqual(3_600 / cap - 1)
  })

  it("checks payments again within the longest pause, and at each tick after it", async () => {
    const { state, ticks } = scene()
    state.isAway = true
    await ticks(600)
    state.isAway = false
    const before = state.passes
    await ticks(LIMITS.databaseAwayCapMs / LIMITS.checkEveryMs)
    const first = state.passes - before
    expect(first).toBeGreaterThanOrEqual(1)
    await ticks(10)
    expect(state.passes - before).toBe(first + 10)
  })

  it("says it again when it happens again, and begins with short pauses", async () => {
    const { lines, state, ticks } = scene(0)
    state.isAway = true
    await ticks(100)
    state.isAway = false
    await ticks(20)
    const before = state.passes
    state.isAway = true
    await ticks(2)
    expect(state.passes - before).toBe(2)
    expect(lines.filter((line) => line.startsWith("error"))).toHaveLength(2)
  })
})
