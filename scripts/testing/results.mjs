// @ts-check
/** What Jest's report of a suite comes to. */
import fs from "node:fs"
import path from "node:path"
import { CACHE, ROOT } from "./parts.mjs"

/** More tests than these that pass only when they are played again make a run fail. */
const UNSTEADY_MAX = 2

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {number} passed
 * @property {number} failed
 * @property {number} seconds
 * @property {string[]} unsteady titles of tests that failed, and passed when played once more
 */

/**
 * @param {string} file
 * @returns {{ passed: number, failed: number, unsteady: string[] }}
 */
export function readReport(file) {
  try {
    const report = JSON.parse(fs.readFileSync(file, "utf8"))
    /** @type {{ fullName: string, status: string, invocations?: number }[]} */
    const tests = (report.testResults ?? []).flatMap(
      (/** @type {{ assertionResults: object[] }} */ one) => one.assertionResults,
    )
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
      unsteady: tests
        .filter(({ status, invocations = 1 }) => status === "passed" && invocations > 1)
        .map(({ fullName }) => fullName),
    }
  } catch {
    return { passed: 0, failed: 1, unsteady: [] }
  }
}

/**
 * Prints what each part came to, and the line that counts them all.
 * @param {Result[]} results
 * @returns {boolean} whether all is well
 */
export function conclude(results) {
  const sum = (/** @type {"passed" | "failed"} */ key) =>
    results.reduce((total, result) => total + result[key], 0)
  console.log("")
  for (const { name, passed, failed, seconds } of results) {
    console.log(`${name.padEnd(10)} ${passed} passed, ${failed} failed in ${seconds.toFixed(0)} s`)
  }
  const unsteady = results.flatMap((result) => result.unsteady)
  keep(unsteady)
  for (const title of unsteady) console.log(`unsteady: ${title}`)
  const isSteady = unsteady.length <= UNSTEADY_MAX
  if (!isSteady) console.log(`More than ${UNSTEADY_MAX} unsteady tests count as failed.`)
  const failed = sum("failed") + (isSteady ? 0 : unsteady.length)
  const passed = sum("passed") - (isSteady ? 0 : unsteady.length)
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed === 0
}

/** @param {string[]} unsteady */
function keep(unsteady) {
  const folder = path.join(ROOT, CACHE)
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, "unsteady.json"), JSON.stringify(unsteady, null, 2))
}
