/**
 * A worker dies at each of its moments, once; two others go on from what it left. The long form,
 * under every fault script, is `npm run proof -- --only crash`.
 */
import { MEDUSA_CALLS } from "./medusa-calls"
import { shortMatrix, type Scenario, type Way } from "./matrix"
import { rehearse, runSideBySide } from "./run-matrix"
import type { Verdict } from "./run-scenario"

const SEED = 1

/**
 * Whatever moves money or opens the way for it: a journey that does not come to one of these is no
 * proof.
 */
const MONEY_CALLS = [
  "checkouts.create",
  "orders.create",
  "orders.publish",
  "orders.cancel",
  "links.pay",
  "sessions.checkout",
  "sessions.refund",
  "sessions.payout",
  "sessions.transfer",
  "executions.collection",
  "executions.refund",
  "executions.payout",
  "executions.transfer",
  "bus.emit",
]

let ways: readonly Way[]
let scenarios: readonly Scenario[]
let rehearsed: readonly Verdict[]
let verdicts: readonly Verdict[]

beforeAll(async () => {
  const { ways: found, verdicts: told } = await rehearse(true, SEED)
  ways = found
  rehearsed = told
  scenarios = shortMatrix(ways, SEED)
  verdicts = await runSideBySide(scenarios, SEED)
}, 1_800_000)

const brokenIn = (all: readonly Verdict[]) =>
  all.flatMap(({ name, violations }) => violations.map((v) => `${name}: ${v}`))

it("while nobody dies, each journey keeps every promise", () => {
  expect(brokenIn(rehearsed)).toEqual([])
})

it("the journeys make every call that moves money, and every call that writes into Medusa", () => {
  const made = new Set(ways.flatMap(({ passed }) => passed.map(({ exit }) => exit.split("=")[0])))
  const writes = Object.entries(MEDUSA_CALLS).flatMap(([call, { kind }]) =>
    kind === "writes" ? `medusa.${call}` : [],
  )
  const dying = new Set(scenarios.map(({ death }) => death?.at.replace(/^after |=.*$/g, "")))
  const missing = [...MONEY_CALLS, ...writes].filter((call) => !made.has(call) || !dying.has(call))
  expect(missing).toEqual([])
})

it("[P01–P08][P12][P13][P15][P22] whenever a worker dies, is told to end, freezes or stalls past its lease or loses its database, no promise is broken", () => {
  expect(brokenIn(verdicts)).toEqual([])
})

it("the scenarios meet their deaths: they don't pass because nothing happened", () => {
  expect(verdicts.length).toBeGreaterThan(150)
  // Where two payments are checked at once, the order of their exits is not always that of the
  // rehearsal.
  const unmet = verdicts.filter(({ kills }) => kills !== 1).map(({ name }) => name)
  expect([unmet, unmet.length < verdicts.length / 20]).toEqual([unmet, true])
})

it("a third of the deaths and more still end as one charge and one order: not all is held for a person", () => {
  const settled = verdicts.filter(({ ending }) => /recorded; charged 1 times$/.test(ending))
  expect(settled.length).toBeGreaterThan(verdicts.length / 3)
})
