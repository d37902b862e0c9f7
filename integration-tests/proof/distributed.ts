/** `distributed`: the scenes of `npm run test:distributed`, where the two services are named. */
import { hasServices, playScenes } from "../distributed/main"
import { sum, type Proof } from "./proof"

export const distributed: Proof = {
  name: "distributed",
  async run({ seed, say }) {
    const since = performance.now()
    const scenes = hasServices() ? await playScenes({}, say) : {}
    if (!hasServices()) say(LEFT_OUT)
    const results = Object.entries(scenes)
    const broken = results.flatMap(([name, { violations }]) =>
      violations.map((one) => `${name}: ${one}`),
    )
    return {
      scenarios: sum(results, ([, { payments }]) => payments),
      kills: sum(results, ([, { kills }]) => kills),
      faults: 0,
      violations: broken.length,
      seed,
      seconds: Math.round((performance.now() - since) / 1_000),
      examples:
        broken.length > 0 ? broken : results.map(toldOf).concat(hasServices() ? [] : LEFT_OUT),
    }
  },
}

const LEFT_OUT =
  "left out: DATABASE_URL and REDIS_URL name no services; npm run test:distributed says how to start them"

const toldOf = ([name, { payments, slowest_ms }]: [
  string,
  { readonly payments: number; readonly slowest_ms: number },
]) => `${name}: ${payments} payments, the slowest took ${slowest_ms} ms`
