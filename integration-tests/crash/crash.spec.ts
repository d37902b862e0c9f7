/**
 * Twenty deaths of a worker; two others go on from what it left. At each of its moments, under every
 * script of faults, it dies by `npm run proof -- --only crash`.
 */
import { shortMatrix } from "./matrix"
import { runSideBySide } from "./run-matrix"
import type { Verdict } from "./run-scenario"

const SEED = 1

let verdicts: readonly Verdict[]

beforeAll(async () => {
  verdicts = await runSideBySide(shortMatrix(SEED), SEED)
})

it("[P01–P08][P12][P13][P15][P22] no promise is broken when a worker dies, ends on SIGTERM, freezes or stalls past its lease, or loses its database", () => {
  const broken = verdicts.flatMap(({ name, violations }) => violations.map((v) => `${name}: ${v}`))
  expect(broken).toEqual([])
})

it("each scenario comes to its death, so that none passes because nothing happened", () => {
  expect(verdicts).toHaveLength(20)
  expect(verdicts.filter(({ kills }) => kills !== 1).map(({ name }) => name)).toEqual([])
})

it("more than half of the deaths still end as one charge and one order", () => {
  const settled = verdicts.filter(({ ending }) => /recorded; charged 1 times/.test(ending))
  expect(settled.length).toBeGreaterThan(verdicts.length / 2)
})
