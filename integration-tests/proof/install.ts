/** `install`: the README's eight steps in fresh applications, as `npm run test:install` plays them. */
import { install as playInstall } from "../install/main"
import { readInstallOptions } from "../install/options"
import type { Proof } from "./proof"

export const install: Proof = {
  name: "install",
  async run({ seed, say }) {
    const since = performance.now()
    const { signal } = new AbortController()
    const { results } = await playInstall(readInstallOptions([]), { say, signal })
    const failed = results.filter(({ outcome }) => outcome === "failed")
    const told = results.map(({ ground, step, outcome }) => `${ground}: ${step}: ${outcome}`)
    return {
      scenarios: results.length,
      kills: 0,
      faults: 0,
      violations: failed.length,
      seed,
      seconds: Math.round((performance.now() - since) / 1_000),
      examples: told,
    }
  },
}
