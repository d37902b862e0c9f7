/**
 * Every route of ours, asked what nobody should ask: the short form of
 * `npm run proof -- --only fuzz`.
 */
import { fuzz, type Fuzzed } from "../fuzz/fuzz"
import { PASSCODE } from "../fuzz/requests"
import { guardedRoutes, nameOf, routesOfOurs } from "../fuzz/routes"
import { useHarness } from "./support/harness"

const harness = useHarness({ simulator: { passcode: PASSCODE } })

const REQUESTS = 600
const START = "POST /store/merchant-payments/sessions/:id/start"

let fuzzed: Fuzzed

beforeAll(async () => {
  fuzzed = await fuzz({ harness, requests: REQUESTS, seed: 1 })
}, 1_800_000)

it("[S29] no request is answered with an error of ours, a leak, or not at all, and the money agrees", () => {
  expect(fuzzed.requests).toBeGreaterThanOrEqual(REQUESTS)
  expect(fuzzed.violations).toEqual([])
})

it("[S29] each route is asked, and payments are begun among it", () => {
  const asked = [...fuzzed.answers.keys()]
  expect(asked).toEqual(expect.arrayContaining([...routesOfOurs(), ...guardedRoutes()].map(nameOf)))
  expect(fuzzed.answers.get(START)?.get(200)).toBeGreaterThan(0)
})
