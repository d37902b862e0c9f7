// @ts-check
/** One builder at a time in a checkout. A builder that was killed holds nothing. */
const fs = require("node:fs")
const path = require("node:path")
const { setTimeout: pause } = require("node:timers/promises")
const { isBuilder } = require("./process.cjs")

const LOOK_AGAIN_MS = 300
const WRITTEN_WITHIN_MS = 5_000

/**
 * @param {string} file
 * @param {{ say: (line: string) => void, signal: AbortSignal }} context
 * @returns {Promise<() => void>} lets go
 */
async function takeLock(file, { say, signal }) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  for (let hasSaid = false; ; hasSaid = true) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: "wx" })
      return () => fs.rmSync(file, { force: true })
    } catch (error) {
      // Not by class: a test runner has an `Error` of its own.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error
    }
    if (!isHeld(file)) {
      fs.rmSync(file, { force: true })
      continue
    }
    if (!hasSaid) say("Somebody else builds in this folder; waiting for it …")
    await pause(LOOK_AGAIN_MS, undefined, { signal })
  }
}

/** @param {string} file */
function isHeld(file) {
  try {
    const pid = Number(fs.readFileSync(file, "utf8"))
    // Just made and not yet written counts as held.
    if (!pid) return Date.now() - fs.statSync(file).mtimeMs < WRITTEN_WITHIN_MS
    return pid !== process.pid && isBuilder(pid)
  } catch {
    return false
  }
}

module.exports = { takeLock }
