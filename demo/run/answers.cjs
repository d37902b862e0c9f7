// @ts-check
/** Waits until an address answers over HTTP, whatever it says: then somebody is at home. */
const { setTimeout: pause } = require("node:timers/promises")
const { StartFailure } = require("./failure.cjs")

const LOOK_AGAIN_MS = 50
const ONE_ANSWER_WITHIN_MS = 5_000

/**
 * @param {string} url
 * @param {{ who: string, withinMs: number, signal: AbortSignal, logFile?: string }} options
 * @returns {Promise<void>}
 */
async function untilItAnswers(url, { who, withinMs, signal, logFile }) {
  const until = performance.now() + withinMs
  while (performance.now() < until) {
    signal.throwIfAborted()
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(ONE_ANSWER_WITHIN_MS) })
      await response.arrayBuffer()
      return
    } catch {
      await pause(LOOK_AGAIN_MS)
    }
  }
  throw new StartFailure(`The ${who} did not answer at ${url}.`, { logFile })
}

module.exports = { untilItAnswers }
