// @ts-check
/**
 * All tests, as `npm test` and `.ci/run` run them: style, types and each kind of test by itself,
 * two at a time, because the ones that wait for a store leave the cores to the ones that compute.
 * Ends with one line that counts them all. Nothing has to be done or to run beforehand: the locked
 * dependencies are installed where they are missing or stale, and the suites build, start and stop
 * what they need. Until then this file needs nothing but Node.
 *
 * `npm test -- unit http` runs only those; `npm test -- --list` names them.
 */
import { spawn, spawnSync } from "node:child_process"
import fs from "node:fs"
import { createRequire } from "node:module"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..")
const JEST = path.join(ROOT, "node_modules/jest/bin/jest.js")
const TSC = path.join(ROOT, "node_modules/typescript/bin/tsc")
const ESLINT = path.join(ROOT, "node_modules/eslint/bin/eslint.js")
const KNIP = path.join(ROOT, "node_modules/knip/bin/knip.js")
const PRETTIER = path.join(ROOT, "node_modules/prettier/bin/prettier.cjs")

const { isInstalled, npm } = createRequire(import.meta.url)("../demo/run/install.cjs")

/** Each by itself, side by side. @type {Record<string, string[][]>} */
const CHECKS = {
  lint: [
    [ESLINT, ".", "--max-warnings", "0", ...cachedIn("eslint"), "--cache-strategy", "content"],
    [PRETTIER, "--check", "--log-level", "warn", ".", ...cachedIn("prettier")],
    [KNIP, "--no-progress"],
  ],
  // One process: what several projects read is parsed once.
  types: [
    [
      TSC,
      "-b",
      // Without the tests, where a literal may stand for an id.
      "tsconfig.product.json",
      "tsconfig.check.json",
      "src/admin/tsconfig.json",
      "demo/run/tsconfig.json",
      "demo/storefront/tsconfig.json",
      "packages/checkout/tsconfig.check.json",
    ],
  ],
}
/**
 * The files at a time of each suite, for two cores: one where they share a build, more where they
 * mostly wait for servers.
 */
const SUITES = {
  unit: 2,
  simulator: 2,
  contract: 1,
  faults: 2,
  modules: 2,
  proofs: 2,
  http: 3,
  browser: 2,
  package: 1,
}
/** The longest first, so that none of them is left alone at the end. */
const ORDER = ["http", "lint", "types", "proofs", "browser", "modules", "package"]
const PARTS_AT_ONCE = 2

/** @typedef {{ name: string, passed: number, failed: number, seconds: number }} Result */

const asked = process.argv.slice(2)
const all = [...Object.keys(CHECKS), ...Object.keys(SUITES)]
if (asked.includes("--list")) {
  console.log(all.join("\n"))
  process.exit(0)
}
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}; there are ${all.join(", ")}.`)
  process.exit(2)
}

if (!isInstalled(ROOT)) install()

const wanted = all.filter((name) => asked.length === 0 || asked.includes(name))
const results = await runAll(wanted)

console.log("")
for (const { name, passed, failed, seconds } of results) {
  console.log(`${name.padEnd(10)} ${passed} passed, ${failed} failed in ${seconds.toFixed(0)} s`)
}
const passed = results.reduce((sum, result) => sum + result.passed, 0)
const failed = results.reduce((sum, result) => sum + result.failed, 0)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)

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
  const codes = await Promise.all((CHECKS[name] ?? []).map((argv) => run(argv, "inherit")))
  const good = codes.filter((code) => code === 0).length
  return { name, passed: good, failed: codes.length - good, seconds: secondsSince(since) }
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
    `--maxWorkers=${SUITES[/** @type {keyof typeof SUITES} */ (name)]}`,
    "--json",
    `--outputFile=${file}`,
    "--silent=false",
  ]
  // jest's JSON goes to a file; what it also prints to stdout with --json is dropped.
  const code = await run(argv, "ignore")
  const counted = readResult(file)
  fs.rmSync(folder, { recursive: true, force: true })
  // A suite that can't start, or a leak that ends the run, counts although no test of it failed.
  const failed = code === 0 ? counted.failed : Math.max(1, counted.failed)
  return { name, passed: counted.passed, failed, seconds: secondsSince(since) }
}

/** @param {string} file */
function readResult(file) {
  try {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
      fs.readFileSync(file, "utf8"),
    )
    return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites }
  } catch {
    return { passed: 0, failed: 1 }
  }
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
      env: { ...process.env, MEDUSA_DISABLE_TELEMETRY: "true" },
    })
    child.once("error", () => resolve(null)).once("close", resolve)
  })
}

/** @param {string} tool */
function cachedIn(tool) {
  return ["--cache", "--cache-location", `node_modules/.cache/merchant-payments/${tool}`]
}

/** @param {string} name */
function heading(name) {
  console.log(`\n── ${name} ──`)
}

/** @param {number} since */
function secondsSince(since) {
  return (performance.now() - since) / 1_000
}
