/** `soak`: thousands of payments of all kinds under faults and deaths without end. */
import { soak as runSoak, type Soaked } from "../soak/soak"
import { unjudged, type Proof } from "./proof"

const PAYMENTS = 5_000
const EXAMPLES = 10

export const soak: Proof = {
  name: "soak",
  async run({ seed, payments = PAYMENTS, wire, say }) {
    const since = performance.now()
    const soaked = await runSoak({ payments, seed, wire, say })
    const broken = [...soaked.violations, ...emptinessOf(soaked, payments)]
    for (const violation of broken) say(`BROKEN ${violation}`)
    for (const ending of soaked.endings) say(ending)
    const told = broken.length > 0 ? broken : soaked.endings
    return {
      scenarios: soaked.payments,
      kills: soaked.kills,
      faults: soaked.faults,
      violations: broken.length,
      judged: soaked.judged,
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

/** A soak in which nothing happened breaks no promise, and proves none. */
function emptinessOf(soaked: Soaked, payments: number): string[] {
  return [
    ...(soaked.payments === payments ? [] : [`only ${soaked.payments} payments were made`]),
    ...(soaked.kills > 0 ? [] : ["no worker was struck"]),
    ...(soaked.faults > payments / 4 ? [] : [`only ${soaked.faults} calls failed`]),
    ...(soaked.chargedOnce > payments / 2
      ? []
      : [`only ${soaked.chargedOnce} carts were charged once`]),
    ...unjudged(soaked.judged),
    ...(soaked.settled > payments / 2 ? [] : [`only ${soaked.settled} payments were settled`]),
  ]
}
