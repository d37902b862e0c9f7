import fc from "fast-check"
import { idFrom, type AccountId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { CallReport } from "../../gateway"
import { clientWatch } from "./client-watch"

const ACCOUNT = idFrom<AccountId>("mpacc_1")
type Report = Pick<CallReport, "kind" | "code">

const REFUSED: Report = { kind: "not_sent", code: "GATEWAY_UNAUTHENTICATED" }
const DONE: Report = { kind: "done" }

/** A process whose calls the test reports, and whose timers run when the test lets time pass. */
function watched({
  answers = () => REFUSED,
}: { readonly answers?: () => Report | undefined } = {}) {
  let nowMs = 0
  let timers: { readonly atMs: number; readonly work: () => void }[] = []
  const told: string[] = []
  let asked = 0
  let failures = 0
  const client = {
    fees: {
      tiers: () => {
        asked += 1
        const answer = answers()
        if (answer) watch(ACCOUNT, client, answer)
        return Promise.resolve({}) as never
      },
    } as never,
  }
  let current: typeof client | undefined = client
  const tell = (what: string) => {
    told.push(what)
    return failures-- > 0 ? Promise.reject(new Error("down")) : Promise.resolve()
  }
  const watch = clientWatch({
    clock: { monotonicMs: () => nowMs },
    currentOf: () => current,
    refused: () => tell("refused"),
    accepted: () => tell("accepted"),
    later: (ms, work) => void timers.push({ atMs: nowMs + ms, work }),
  })
  return {
    client,
    told,
    asked: () => asked,
    report: (one: Report, from = client) => watch(ACCOUNT, from, one),
    replaceBy: (other: typeof client | undefined) => void (current = other),
    failTelling: (times: number) => void (failures = times),
    async pass(ms: number) {
      nowMs += ms
      const due = timers.filter(({ atMs }) => atMs <= nowMs)
      timers = timers.filter(({ atMs }) => atMs > nowMs)
      for (const { work } of due) work()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

describe("what a call says of the client", () => {
  it.each<[Report, "refused" | "accepted" | "nothing"]>([
    [{ kind: "not_sent", code: "GATEWAY_UNAUTHENTICATED" }, "refused"],
    [{ kind: "refused", code: "GATEWAY_UNAUTHENTICATED" }, "refused"],
    [{ kind: "not_sent", code: "GATEWAY_FORBIDDEN" }, "refused"],
    [{ kind: "refused", code: "GATEWAY_FORBIDDEN" }, "accepted"],
    [{ kind: "done" }, "accepted"],
    [{ kind: "refused", code: "GATEWAY_NOT_FOUND" }, "accepted"],
    [{ kind: "refused", code: "GATEWAY_INVALID" }, "accepted"],
    [{ kind: "refused", code: "GATEWAY_RATE_LIMITED" }, "nothing"],
    [{ kind: "not_sent", code: "GATEWAY_RATE_LIMITED" }, "nothing"],
    [{ kind: "not_sent", code: "GATEWAY_UNREACHABLE" }, "nothing"],
    [{ kind: "not_sent", code: "GATEWAY_INVALID" }, "nothing"],
    [{ kind: "unknown", code: "GATEWAY_INDETERMINATE" }, "nothing"],
    [{ kind: "unknown", code: "GATEWAY_UNAVAILABLE" }, "nothing"],
  ])("%j: %s", async (report, says) => {
    const scene = watched({ answers: () => undefined })
    scene.report(report)
    await scene.pass(LIMITS.clientRefusedAfterMs)
    scene.report(report)
    await scene.pass(0)
    expect(scene.told).toEqual(says === "nothing" ? [] : [says])
  })
})

it("one odd answer is told to nobody: the watch asks once more, and hears that all is well", async () => {
  const scene = watched({ answers: () => DONE })
  scene.report(DONE)
  scene.report(REFUSED)
  scene.report(REFUSED)
  await scene.pass(LIMITS.clientRefusedAfterMs)
  await scene.pass(LIMITS.refusedAskedEveryMs)
  expect(scene.told).toEqual(["accepted", "accepted"])
  expect(scene.asked()).toBe(1)
})

it("without a shopper a refusal is known within a minute, once, and so is its end", async () => {
  let answer = REFUSED
  const scene = watched({ answers: () => answer })
  scene.report(REFUSED)
  await scene.pass(LIMITS.clientRefusedAfterMs)
  expect(LIMITS.clientRefusedAfterMs).toBeLessThan(60_000)
  expect(scene.told).toEqual(["refused"])
  for (let round = 0; round < 20; round++) await scene.pass(LIMITS.refusedAskedEveryMs)
  expect(scene.told).toEqual(["refused"])
  answer = DONE
  await scene.pass(LIMITS.refusedAskedEveryMs)
  expect(LIMITS.refusedAskedEveryMs).toBeLessThan(60_000)
  expect(scene.told).toEqual(["refused", "accepted"])
  const asked = scene.asked()
  await scene.pass(LIMITS.refusedAskedEveryMs)
  expect(scene.asked()).toBe(asked)
})

it("a client that the account does not use any more tells nothing, and is asked nothing", async () => {
  const scene = watched()
  scene.report(REFUSED)
  scene.replaceBy({ ...scene.client })
  scene.report(REFUSED)
  await scene.pass(LIMITS.clientRefusedAfterMs)
  scene.report(REFUSED)
  expect(scene.told).toEqual([])
  expect(scene.asked()).toBe(0)
})

it("what could not be told is told with the next answer", async () => {
  const scene = watched()
  scene.failTelling(1)
  scene.report(REFUSED)
  await scene.pass(LIMITS.clientRefusedAfterMs)
  await scene.pass(LIMITS.refusedAskedEveryMs)
  await scene.pass(LIMITS.refusedAskedEveryMs)
  expect(scene.told).toEqual(["refused", "refused"])
})

it("is told exactly when two refusals are far enough apart with no accepted call between", async () => {
  const step = fc.record({
    afterMs: fc.constantFrom(0, 1_000, 10_000, LIMITS.clientRefusedAfterMs, 60_000),
    report: fc.constantFrom(REFUSED, DONE, { kind: "unknown" as const }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const scene = watched({ answers: () => undefined })
      const expected: string[] = []
      let nowMs = 0
      let firstMs: number | undefined
      let isRefused = false
      let isAccepted = false
      for (const { afterMs, report } of steps) {
        nowMs += afterMs
        await scene.pass(afterMs)
        scene.report(report)
        await scene.pass(0)
        if (report === REFUSED) {
          firstMs ??= nowMs
          isAccepted = false
          if (isRefused || nowMs - firstMs < LIMITS.clientRefusedAfterMs) continue
          isRefused = true
          expected.push("refused")
        } else if (report === DONE) {
          firstMs = undefined
          isRefused = false
          if (!isAccepted) expected.push("accepted")
          isAccepted = true
        }
      }
      expect(scene.told).toEqual(expected)
    }),
    { numRuns: 200 },
  )
})
