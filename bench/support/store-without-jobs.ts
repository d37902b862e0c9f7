/**
 * A copy of the built store whose plugin lacks its jobs and the clock that would run them. The product has no switch for that, and
 * should have none: a store without the job would never notice that it was paid.
 */
import fs from "node:fs"
import path from "node:path"
import type { Fixture } from "./fixture"

const PLUGIN = "node_modules/medusa-plugin-merchant-payments"
const JOBS = ".medusa/server/src/jobs"
const CLOCK = ".medusa/server/src/medusa/passes/begin-own-clock.js"
const NO_CLOCK = "exports.beginOwnClock = () => () => Promise.resolve()\n"
/** Below the checkout, so that Medusa is found upwards, as the store itself finds it. */
const COPY = ".demo/bench/store-without-jobs"

/** @returns the folder of the copy, made anew */
export function storeWithoutJobs({ root, storeDirectory }: Fixture): string {
  const store = path.join(root, "demo/store")
  const installed = path.join(store, PLUGIN)
  if (!fs.existsSync(path.join(installed, JOBS))) throw new Error("The plugin has no jobs.")
  const copy = path.join(root, COPY)
  fs.rmSync(copy, { recursive: true, force: true })
  fs.cpSync(storeDirectory, copy, { recursive: true })
  // A package of its own: below the checkout's, the plugin's name would mean the checkout, with
  // jobs.
  fs.copyFileSync(path.join(store, "package.json"), path.join(copy, "package.json"))
  fs.cpSync(installed, path.join(copy, PLUGIN), { recursive: true })
  fs.rmSync(path.join(copy, PLUGIN, JOBS), { recursive: true })
  fs.accessSync(path.join(copy, PLUGIN, CLOCK))
  fs.writeFileSync(path.join(copy, PLUGIN, CLOCK), NO_CLOCK)
  return copy
}
