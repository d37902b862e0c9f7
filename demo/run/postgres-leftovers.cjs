// @ts-check
/** Finds the servers of killed runs by their data, stops them, and removes throw-away data. */
const fs = require("node:fs")
const path = require("node:path")
const { setTimeout: pause } = require("node:timers/promises")
const { commandOf, isPostgresServer } = require("./process.cjs")

const LOOK_AGAIN_MS = 250
/** Says where the kept data of a folder lies, which for root is elsewhere. */
const CLUSTER_FILE = "cluster.json"

/**
 * @param {string} dir
 * @returns {{ data: string, password: string } | null}
 */
function keptCluster(dir) {
  const cluster = JSON.parse(readOrNull(path.join(dir, CLUSTER_FILE)) ?? "null")
  return cluster && fs.existsSync(path.join(cluster.data, "PG_VERSION")) ? cluster : null
}

/**
 * Stops what a killed run left on this data. A lock file whose process is gone, or is another
 * program's by now, is removed: PostgreSQL would refuse to start for the latter.
 * @param {string} data
 */
async function stopLeftover(data) {
  const lock = path.join(data, "postmaster.pid")
  const pid = Number(readOrNull(lock)?.split("\n")[0])
  if (!pid) return
  const isServer = () => commandOf(pid).includes(data)
  if (isServer()) process.kill(pid, "SIGINT")
  while (isServer()) await pause(LOOK_AGAIN_MS)
  fs.rmSync(lock, { force: true })
}

/**
 * Stops what a killed run left on the data that a folder keeps.
 * @param {string} dir
 */
async function stopLeftoverOf(dir) {
  const kept = keptCluster(dir)
  if (kept) await stopLeftover(kept.data)
}

/**
 * Stops and removes throw-away servers whose processes are gone.
 * @param {string} folder what they lie in
 * @param {string} prefix what their names begin with, before the number of their process
 */
async function removeLeftovers(folder, prefix) {
  for (const name of fs.readdirSync(folder)) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1])
    if (!pid || isPostgresServer(pid)) continue
    const data = path.join(folder, name)
    try {
      await stopLeftover(data)
      fs.rmSync(data, { recursive: true, force: true })
    } catch {
      // Another user's.
    }
  }
}

/** @param {string} file */
function readOrNull(file) {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return null
  }
}

module.exports = { CLUSTER_FILE, keptCluster, removeLeftovers, stopLeftover, stopLeftoverOf }
