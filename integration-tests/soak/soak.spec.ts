/**
 * The short form of the soak: all scenarios, the same faults and strikes. The long form is
 * `npm run proof -- --only soak`.
 */
import { soak, type Soaked } from "./soak"

const PAYMENTS = 120
/** Faster than the long form, which is not waited for. */
const SPEED = 20
const SEED = 1

let soaked: Soaked

beforeAll(async () => {
  soaked = await soak({ payments: PAYMENTS, seed: SEED, speed: SPEED })
}, 1_800_000)

it("[P01–P07][P12] with workers struck down and calls failing all the time, no promise is broken", () => {
  expect(soaked.violations).toEqual([])
})

it("workers were struck, and calls failed: it did not pass because nothing happened", () => {
  expect(soaked.kills).toBeGreaterThan(0)
  expect(soaked.faults).toBeGreaterThan(PAYMENTS / 4)
})

it("most shoppers are charged, once, and have their order", () => {
  expect(soaked.payments).toBe(PAYMENTS)
  expect(soaked.chargedOnce).toBeGreaterThan(PAYMENTS / 2)
  expect(soaked.settled).toBeGreaterThan(PAYMENTS / 2)
})
