// @ts-check
/** Whether a process that left its number is still what it was: numbers are given out again. */
const { execFileSync } = require("node:child_process")
const fs = require("node:fs")

/**
 * @param {number} pid
 * @returns {boolean}
 */
const isDemo = (pid) => commandOf(pid).includes("start.mjs")

/** @param {number} pid */
function commandOf(pid) {
  try {
    if (process.platform === "linux") return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8")
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" })
  } catch {
    return ""
  }
}

/**
 * Whoever builds: a demo, the bench, or the tests.
 * @param {number} pid
 * @returns {boolean}
 */
const isBuilder = (pid) => /start\.mjs|bench\/run\.mjs|jest/.test(commandOf(pid))

/**
 * @param {number} pid
 * @returns {boolean}
 */
const isPostgresServer = (pid) => commandOf(pid).includes("postgres-server.mjs")

module.exports = { commandOf, isBuilder, isDemo, isPostgresServer }
