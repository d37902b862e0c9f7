// @ts-check
/**
 * All tests, as `npm test` and `.ci/run` run them: style, types and each kind of test by itself,
 * two at a time, because the ones that wait for a store leave the cores to the ones that compute.
 * Ends with one line that counts them all. Nothing has to be done or to run beforehand: the locked
 * dependencies are installed where they are missing or stale, and the suites build, start and stop
 * what they need. Until then this file and its folder need nothing but Node.
 *
 * `npm test -- unit http` runs only those parts, `-- --list` names them, `-- --changed` runs what
 * the uncommitted changes can reach (`--since main`: all since that commit), and `-- --seed 7`
 * draws what the run with that seed drew (with `--shuffle`: also the order of its files).
 */
import { spawn, spawnSync } from "node:child_process"
import fs from "node:fs"
import { createRequire } from "node:module"
import os from "node:os"
import path from "node:path"
import { changedFiles, lintable, reachedBy } from "./testing/changes.mjs"
import { readOptions } from "./testing/options.mjs"
import { CHECKS, JEST, ORDER, PARTS_AT_ONCE, ROOT, SUITES } from "./testing/parts.mjs"
import { conclude, readReport } from "./testing/results.mjs"

/** @typedef {import("./testing/results.mjs").Result} Result */

const { isInstalled, npm } = createRequire(import.meta.url)("../demo/run/install.cjs")

const options = optionsOrExit()
if (options.isList) {
  console.log(options.parts.join("\n"))
  process.exit(0)
}
if (!isInstalled(ROOT)) install()

const changed = options.changedSince === undefined ? null : changedFiles(options.changedSince)
const again = `npm test -- --seed ${options.seed}${options.isShuffled ? " --shuffle" : ""}`
console.log(`seed ${options.seed}: ${again} draws the same again`)
const results = await runAll(options.parts)
const isGood = conclude(results)
const isNothing = changed === null && results.every(({ passed }) => passed === 0)
process.exit(isGood && !isNothing ? 0 : 1)

function optionsOrExit() {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}

/** Without them no test can run: the count says so, and npm has said why. */
function install() {
  heading("npm ci")
  const [command, ...args] = [...npm(), "ci", "--include=dev", "--no-audit", "--no-fund"]
  const { status } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  })
  if (status === 0) return
  console.error("The locked dependencies could not be installed; npm says above why.")
  console.log("\n0 passed, 1 failed")
  process.exit(1)
}

/**
 * @param {string[]} names
 * @returns {Promise<Result[]>} in the order of the names
 */
async function runAll(names) {
  const queue = [...ORDER.filter((name) => names.includes(name))]
  queue.push(...names.filter((name) => !ORDER.includes(name)))
  /** @type {Map<string, Result>} */
  const results = new Map()
  const hand = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      heading(name)
      results.set(name, name in CHECKS ? await runCheck(name) : await runSuite(name))
    }
  }
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, hand))
  return names.flatMap((name) => results.get(name) ?? [])
}

/**
 * @param {string} name
 * @returns {Promise<Result>}
 */
async function runCheck(name) {
  const since = performance.now()
  const commands = CHECKS[name]?.(changed ? lintable(changed) : undefined) ?? []
  const codes = await Promise.all(commands.map((argv) => run(argv, "inherit")))
  const passed = codes.filter((code) => code === 0).length
  return { name, passed, failed: codes.length - passed, seconds: secondsSince(since), unsteady: [] }
}

/**
 * @param {string} name
 * @returns {Promise<Result>}
 */
async function runSuite(name) {
  const since = performance.now()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-test-"))
  const file = path.join(folder, "result.json")
  const argv = [
    JEST,
    "--selectProjects",
    name,
    `--maxWorkers=${SUITES[name]?.workers}`,
    "--json",
    `--outputFile=${file}`,
    "--silent=false",
    ...(changed ? reachedBy(name, changed) : []),
  ]
  // jest's JSON goes to a file; what it also prints to stdout with --json is dropped.
  const code = await run(argv, "ignore")
  const report = readReport(file)
  fs.rmSync(folder, { recursive: true, force: true })
  // A suite that can't start, or a leak that ends the run, counts although no test of it failed.
  const failed = code === 0 ? report.failed : Math.max(1, report.failed)
  return { ...report, name, failed, seconds: secondsSince(since) }
}

/**
 * @param {string[]} argv
 * @param {"inherit" | "ignore"} stdout
 * @returns {Promise<number | null>} the exit code
 */
function run(argv, stdout) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, argv, {
      cwd: ROOT,
      stdio: ["ignore", stdout, "inherit"],
      env: {
        ...process.env,
        MEDUSA_DISABLE_TELEMETRY: "true",
        TEST_SEED: String(options.seed),
        ...(options.isShuffled ? { TEST_SHUFFLE: "1" } : {}),
      },
    })
    child.once("error", () => resolve(null)).once("close", resolve)
  })
}

/** @param {string} name */
function heading(name) {
  console.log(`\n── ${name} ──`)
}

/** @param {number} since */
function secondsSince(since) {
  return (performance.now() - since) / 1_000
}
