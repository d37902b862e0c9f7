/**
 * `fuzz`: every route of ours is asked what nobody should ask, against a real store over a real
 * Postgres. It builds what is stale, and starts and stops all that it needs.
 */
import { randomBytes } from "node:crypto"
import { fuzz as runFuzz } from "../fuzz/fuzz"
import { PASSCODE } from "../fuzz/two-admins"
import globalSetup from "../http/support/global-setup"
import globalTeardown from "../http/support/global-teardown"
import { openHarness } from "../http/support/harness"
import type { Proof } from "./proof"

const REQUESTS = 20_000
const EXAMPLES = 10

export const fuzz: Proof = {
  name: "fuzz",
  async run({ seed, say }) {
    const since = performance.now()
    await globalSetup()
    const { harness, close } = await openHarness({
      simulator: { passcode: PASSCODE },
      env: { MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64") },
    })
    try {
      const fuzzed = await runFuzz({
        harness,
        requests: REQUESTS,
        seed,
        say,
      })
      const { requests, answers, neverOpened } = fuzzed
      const violations = [...fuzzed.violations, ...neverOpened]
      for (const violation of violations) say(`BROKEN ${violation}`)
      const told = [...answers].map(([route, statuses]) => {
        const often = [...statuses].sort(([, one], [, other]) => other - one)
        return `${route}: ${often.map(([status, times]) => `${status} × ${times}`).join(", ")}`
      })
      return {
        scenarios: requests,
        kills: 0,
        faults: 0,
        violations: violations.length,
        seed,
        seconds: Math.round((performance.now() - since) / 1_000),
        examples: violations.length > 0 ? violations.slice(0, EXAMPLES) : told,
      }
    } finally {
      await close()
      await globalTeardown()
    }
  },
}
