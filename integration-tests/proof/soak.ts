/** `soak`: thousands of payments of all kinds under faults and deaths without end. */
import { soak as runSoak } from "../soak/soak"
import type { Proof } from "./proof"

const PAYMENTS = 5_000
const EXAMPLES = 10

export const soak: Proof = {
  name: "soak",
  async run({ seed, payments = PAYMENTS, wire, say }) {
    const since = performance.now()
    const soaked = await runSoak({ payments, seed, wire, say })
    for (const violation of soaked.violations) say(`BROKEN ${violation}`)
    for (const ending of soaked.endings) say(ending)
    const told = soaked.violations.length > 0 ? soaked.violations : soaked.endings
    return {
      scenarios: soaked.payments,
      kills: soaked.kills,
      faults: soaked.faults,
      violations: soaked.violations.length,
      seed,
      seconds: Math.round((performance.now() - since) / 1_000),
      charged_once: soaked.chargedOnce,
      settled: soaked.settled,
      in_review: soaked.inReview,
      refunds: soaked.refunds,
      examples: told.slice(0, EXAMPLES),
    }
  },
}
