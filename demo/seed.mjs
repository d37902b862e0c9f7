// @ts-check
/**
 * `npm run demo:seed`: fills the demo that runs, or starts one, with payments of every kind and
 * state. Each run adds to what is there; a demo that it started stays up until Ctrl-C.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const LOOK_EVERY_MS = 500

// The simulator is on this machine and speaks http, which production does not.
process.env["NODE_ENV"] ??= "demo"

const require = createRequire(import.meta.url)
const { readOptions } = require("./run/options.cjs")
const { readState, runningDemo } = require("./run/state.cjs")

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "")
const { dir, seedCount } = readOptions(process.env, root)

const demo = runningDemo(dir) ? null : startDemo()
process.exitCode = (await fill()) ? 0 : 1
if (demo?.exitCode === null) await once(demo, "exit")

/** As `npm start` does; it hears Ctrl-C itself, and the rest from here. */
function startDemo() {
  const start = fileURLToPath(new URL("start.mjs", import.meta.url))
  const child = spawn(process.execPath, [start], { cwd: root, stdio: "inherit" })
  process.on("SIGINT", () => {})
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP"])) {
    process.on(signal, () => child.kill(signal))
  }
  return child
}

/** @returns {Promise<boolean>} whether everything was made */
async function fill() {
  const state = await stateOfDemo()
  if (!state) return false
  // Only now: a demo that was just started may have installed what this needs.
  require("../bench/support/load-typescript.cjs")
  const { seedDemo } = require("./seed/main")
  console.log(`Filling the demo at ${state.admin_url} …`)
  const begunAt = performance.now()
  const { made, failed } = await seedDemo(state, seedCount)
  for (const [what, times] of made) console.log(`${String(times).padStart(5)}  ${what}`)
  for (const line of failed) console.error(`not made: ${line}`)
  console.log(`Done in ${((performance.now() - begunAt) / 1_000).toFixed(0)} s.`)
  return failed.length === 0
}

/** Null where the demo ended before it was up. */
async function stateOfDemo() {
  while (demo ? demo.exitCode === null : runningDemo(dir)) {
    const state = readState(dir)
    if (state) return state
    await pause(LOOK_EVERY_MS)
  }
  return null
}
