// @ts-check
/** Files that play several suites take longest, and begin first. */
const { default: Sequencer } = require("@jest/test-sequencer")

module.exports = class StoresFirst extends Sequencer {
  /** @param {import("@jest/test-result").Test[]} tests */
  sort(tests) {
    const sorted = super.sort(tests)
    const isLong = (/** @type {{ path: string }} */ { path }) => /\.(store|demo)\.ts$/.test(path)
    return [...sorted.filter(isLong), ...sorted.filter((one) => !isLong(one))]
  }
}
