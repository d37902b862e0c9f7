// @ts-check
/** Files that play several suites take longest, and begin first. The others' order may be drawn. */
const { createHash } = require("node:crypto")
const { default: Sequencer } = require("@jest/test-sequencer")

/** @typedef {import("@jest/test-result").Test} Test */

module.exports = class StoresFirst extends Sequencer {
  /** @param {Test[]} tests */
  sort(tests) {
    const sorted = process.env["TEST_SHUFFLE"] ? drawn(tests) : super.sort(tests)
    const isLong = (/** @type {Test} */ { path }) => /\.(store|demo)\.ts$/.test(path)
    return [...sorted.filter(isLong), ...sorted.filter((one) => !isLong(one))]
  }
}

/**
 * By the seed of the run.
 * @param {Test[]} tests
 */
function drawn(tests) {
  const place = ({ path }) =>
    createHash("sha256").update(`${process.env["TEST_SEED"]} ${path}`).digest("hex")
  return [...tests].sort((a, b) => (place(a) < place(b) ? -1 : 1))
}
