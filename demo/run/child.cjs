// @ts-check
/**
 * Programs that the demo runs: commands that end (an install, a build) and services that stay.
 *
 * Each gets a process group of its own. Ctrl-C in a terminal reaches a whole group at once; so it
 * reaches only the demo, which then stops the others in order. What they print goes to a log file,
 * shown when something fails.
 */
const { spawn } = require("node:child_process")
const { once } = require("node:events")
const fs = require("node:fs")
const path = require("node:path")
const { StartFailure } = require("./failure.cjs")

const STOP_WITHIN_MS = 10_000
const WATCH_PARENT = path.join(__dirname, "watch-parent.cjs")

/**
 * @typedef {object} Exit
 * @property {number | null} code
 * @property {string | null} signal
 *
 * @typedef {object} Service
 * @property {(signal: NodeJS.Signals) => void} signal sends it to the service alone
 * @property {Promise<Exit>} exited
 * @property {() => Promise<void>} stop
 * @property {(take: (message: unknown) => void) => void} onMessage
 */

/**
 * Runs a command to its end.
 * @param {object} command
 * @param {string} command.name as it is told to people: "The plugin's build"
 * @param {[string, ...string[]]} command.argv
 * @param {string} command.cwd
 * @param {string} command.logFile
 * @param {NodeJS.ProcessEnv} [command.env]
 * @param {AbortSignal} command.signal ends it early
 * @returns {Promise<void>}
 * @throws {StartFailure} when it fails
 */
async function runCommand({ name, argv: [program, ...args], cwd, logFile, env, signal }) {
  const log = openLog(logFile, "w")
  const child = spawn(program, args, {
    cwd,
    env: env ?? process.env,
    detached: true,
    stdio: ["ignore", log, log],
  })
  fs.closeSync(log)
  const abort = () => killGroup(child.pid, "SIGTERM")
  signal.addEventListener("abort", abort)
  try {
    const [code] = await once(child, "close")
    if (signal.aborted) throw signal.reason
    if (code !== 0) throw new StartFailure(`${name} failed.`, { logFile })
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new StartFailure(`${name} failed: there is no program "${program}".`)
    }
    throw error
  } finally {
    signal.removeEventListener("abort", abort)
  }
}

/**
 * Starts a Node program that stays.
 * @param {object} service
 * @param {[string, ...string[]]} service.argv the script and its arguments
 * @param {string} service.cwd
 * @param {string} service.logFile
 * @param {NodeJS.ProcessEnv} service.env all of it: nothing is inherited
 * @returns {Service}
 */
function startService({ argv, cwd, logFile, env }) {
  const log = openLog(logFile, "a")
  const child = spawn(process.execPath, ["--require", WATCH_PARENT, ...argv], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", log, log, "ipc"],
  })
  fs.closeSync(log)
  /** @type {Promise<Exit>} */
  const exited = new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }))
    child.once("error", () => resolve({ code: null, signal: null }))
  })
  const stop = async () => {
    child.kill("SIGTERM")
    const timer = setTimeout(() => killGroup(child.pid, "SIGKILL"), STOP_WITHIN_MS)
    await exited
    clearTimeout(timer)
    // Whatever the service started itself goes with it.
    killGroup(child.pid, "SIGKILL")
  }
  return {
    exited,
    stop,
    signal: (signal) => void child.kill(signal),
    onMessage: (take) => void child.on("message", take),
  }
}

/**
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 */
function killGroup(pid, signal) {
  if (!pid) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Gone already.
  }
}

/**
 * @param {string} file
 * @param {"a" | "w"} mode
 */
function openLog(file, mode) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  return fs.openSync(file, mode)
}

/** @param {Exit} exit */
const howItEnded = ({ code, signal }) => (signal ? `signal ${signal}` : `exit code ${code}`)

/**
 * What a service needs of our environment; anything else could change what it does.
 * @param {NodeJS.ProcessEnv} env
 */
function plainEnvironment(env) {
  const names = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "NODE_OPTIONS"]
  names.push("NODE_EXTRA_CA_CERTS", "LOG_LEVEL")
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}

module.exports = { howItEnded, plainEnvironment, runCommand, startService }
