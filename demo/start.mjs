// @ts-check
/**
 * `npm start`: installs and builds what is missing, starts database, simulator, store and
 * storefront, says where they are, and stops all of them on Ctrl-C. With the word `distributed` the
 * store is several processes behind a proxy, on the PostgreSQL and the Redis of the environment.
 *
 * Runs before anything is installed, so it and what it loads at first need nothing but Node.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

const LOG_LINES_SHOWN = 30
const PARENT_LOOK_MS = 1_000

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (!((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22)) {
  console.error(`This needs Node 20.19 or newer, or 22.12 or newer; this is ${process.version}.`)
  process.exit(1)
}

const require = createRequire(import.meta.url)
const { StartFailure } = require("./run/failure.cjs")
const { readOptions } = require("./run/options.cjs")
const { runDemo } = require("./run/demo.cjs")

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "")
const stopping = new AbortController()

const stop = () => {
  if (!stopping.signal.aborted) console.log("\nStopping …")
  stopping.abort()
}
// Stays in place while stopping: npm passes a second Ctrl-C on.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop)
stopWithNpm()

try {
  await runDemo({
    options: readOptions(process.env, root, { isDistributed: process.argv[2] === "distributed" }),
    signal: stopping.signal,
    say: (line) => console.log(line),
    onReady: present,
  })
  process.exit(0)
} catch (error) {
  explain(error)
  process.exit(1)
}

/** npm that is killed can't pass it on; whoever adopts us, or the shell between, is a stranger. */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const family = lineage()
  setInterval(() => lineage() === family || stop(), PARENT_LOOK_MS).unref()
}

/**
 * Our parent and, where npm put a shell between, the shell's. Elsewhere than on Linux the former.
 */
function lineage() {
  const shell = /^\d+ \((?:sh|dash|bash)\) \S (\d+) /.exec(textOf(`/proc/${process.ppid}/stat`))
  return [process.ppid, shell?.[1]].join()
}

/** @param {import("./run/state.cjs").State} state */
function present(state) {
  const rows = [
    ["Storefront", state.storefront_url],
    ["Admin", `${state.admin_url}   ${state.admin_email} / ${state.admin_password}`],
    ["Store API", state.store_api_url],
    ["Simulator", state.simulator_url],
    ["Handset", state.simulator_url && `${state.simulator_url}/handset   approve payments here`],
    ["Database", state.database_url],
  ]
  const lines = rows.flatMap(([name, text]) => (text ? [`  ${name?.padEnd(12)}${text}`] : []))
  const seconds = (state.ready_ms / 1000).toFixed(1)
  console.log(`\nThe demo is up, ${seconds} s after the start.\n\n${lines.join("\n")}\n`)
  console.log("Ctrl-C stops all of it and keeps the data; npm run demo:reset forgets the data.")
}

/** @param {unknown} error */
function explain(error) {
  if (!(error instanceof StartFailure)) return console.error(error)
  if (error.logFile) {
    console.error(`\n${lastLines(error.logFile)}\n\nThe whole log: ${error.logFile}`)
  }
  console.error(`\n${error.message}`)
}

/** @param {string} file */
function lastLines(file) {
  return textOf(file).trimEnd().split("\n").slice(-LOG_LINES_SHOWN).join("\n")
}

/** @param {string} file */
function textOf(file) {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
