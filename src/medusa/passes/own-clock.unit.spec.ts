import { LIMITS } from "../../core/limits"
import { job } from "./job"
import { ownClock } from "./own-clock"

const MINUTE = 60_000

function scene() {
  let nowMs = 0
  const clock = { monotonicMs: () => nowMs }
  const timers: { everyMs: number; work: () => void; isOver: boolean }[] = []
  const logged: string[] = []
  const log = (message: string) => void logged.push(message)
  const begun: number[] = []
  let hold: Promise<void> | undefined
  const check = job(clock, LIMITS.checkEveryMs, async () => {
    begun.push(nowMs)
    await hold
  })
  let beats = 0
  let beat = () => Promise.resolve()
  const container = {} as Parameters<typeof check.run>[0]
  const end = ownClock({
    clock,
    logger: { info: log, warn: log },
    jobs: [{ ...check, run: () => check.run(container) }],
    beat: () => {
      beats += 1
      return beat()
    },
    every(everyMs, work) {
      const timer = { everyMs, work, isOver: false }
      timers.push(timer)
      return () => void (timer.isOver = true)
    },
  })
  return {
    begun,
    logged,
    end,
    check,
    beats: () => beats,
    onBeat: (given: typeof beat) => void (beat = given),
    hold: (given: Promise<void>) => void (hold = given),
    run: () => check.run(container),
    /** Medusa's schedule runs the job. */
    takeTurn: () => check.takeTurn(),
    /** Lets so much time pass, in steps of the clock's own tick. */
    async pass(ms: number, each: () => unknown = () => undefined) {
      const untilMs = nowMs + ms
      while (nowMs < untilMs) {
        nowMs += LIMITS.ownTickMs
        for (const { everyMs, work, isOver } of timers) if (!isOver && nowMs % everyMs === 0) work()
        await each()
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    now: () => nowMs,
  }
}

it("[P40] runs a job once an interval where Medusa's schedule gives the turn", async () => {
  const { begun, pass, takeTurn, now } = scene()
  await pass(10 * MINUTE, () => (now() % LIMITS.turnEveryMs === 0 ? takeTurn() : undefined))
  expect(begun).toHaveLength((10 * MINUTE) / LIMITS.checkEveryMs)
})

it("[P40] runs a job in time as soon as the process starts", async () => {
  const { begun, pass } = scene()
  await pass(LIMITS.turnEveryMs)
  expect(begun).toHaveLength(LIMITS.turnEveryMs / LIMITS.checkEveryMs)
})

it("[P40] runs a job whose turn Medusa's schedule does not give, at twice its interval", async () => {
  const { begun, pass } = scene()
  await pass(LIMITS.turnMs)
  const before = begun.length
  await pass(MINUTE)
  const passes = begun.length - before
  expect(passes).toBeGreaterThanOrEqual(MINUTE / (2 * LIMITS.checkEveryMs) - 1)
  expect(passes).toBeLessThanOrEqual(MINUTE / (2 * LIMITS.checkEveryMs))
})

it("[P40] never runs two passes of a job at once, whoever asks, and goes on after a long one", async () => {
  const { begun, pass, run, hold } = scene()
  let end = () => {}
  hold(new Promise((resolve) => (end = resolve)))
  const first = run()
  await pass(MINUTE, () => void run())
  expect(begun).toHaveLength(1)
  hold(Promise.resolve())
  end()
  await first
  await pass(LIMITS.checkEveryMs)
  expect(begun).toHaveLength(2)
})

it("[P40] gives the sign of life while a pass is long, and one at a time", async () => {
  const { beats, pass, run, hold, onBeat, begun } = scene()
  hold(new Promise(() => {}))
  void run()
  await pass(MINUTE)
  expect(begun).toHaveLength(1)
  expect(beats()).toBe(1 + MINUTE / LIMITS.heartbeatEveryMs)
  onBeat(() => new Promise(() => {}))
  await pass(MINUTE)
  expect(beats()).toBe(2 + MINUTE / LIMITS.heartbeatEveryMs)
})

it("[P40] says once that no sign of life could be given, and once that it could again", async () => {
  const { logged, pass, onBeat } = scene()
  onBeat(() => Promise.reject(new Error("the database is away")))
  await pass(MINUTE)
  expect(logged).toEqual([expect.stringContaining("no sign of life could be given")])
  onBeat(() => Promise.resolve())
  await pass(MINUTE)
  expect(logged).toEqual([expect.anything(), expect.stringContaining("is heard again")])
})

it("[P40] ends with the process: no pass, no sign of life, and none under way", async () => {
  const { begun, beats, end, pass, onBeat } = scene()
  let give = () => {}
  onBeat(() => new Promise((resolve) => (give = resolve)))
  await pass(LIMITS.heartbeatEveryMs)
  const before = begun.length
  const given = beats()
  let hasEnded = false
  const ended = end().then(() => (hasEnded = true))
  await pass(MINUTE)
  expect([begun.length, beats(), hasEnded]).toEqual([before, given, false])
  give()
  await ended
})
