// @ts-check
/**
 * One run of the demo, from nothing to everything answering, and back.
 *
 * Whatever starts is put on a list with how it stops; stopping goes through the list backwards, so
 * the store lets go of the database before the database goes. A store that dies is started again,
 * as a supervisor would; any other part that dies ends the run.
 */
const fs = require("node:fs")
const path = require("node:path")
const { untilItAnswers } = require("./answers.cjs")
const { bringUpCluster } = require("../distributed/cluster.cjs")
const { buildAll, storePrint } = require("./build.cjs")
const { howItEnded, runCommand } = require("./child.cjs")
const { databaseDir, startDatabase } = require("./database.cjs")
const { StartFailure } = require("./failure.cjs")
const { isInstalled, npm } = require("./install.cjs")
const { originOf } = require("./options.cjs")
const { requirePorts } = require("./ports.cjs")
const { stopLeftoverOf } = require("./postgres-leftovers.cjs")
const { startSimulator } = require("./simulator.cjs")
const { claimFolder, removeState, secretsOf, writeState } = require("./state.cjs")
const { ADMIN, startStore } = require("./store.cjs")
const { serveStorefront } = require("./storefront.cjs")

const ANSWERS_WITHIN_MS = 30_000
/** What a killed run leaves behind notices within a moment and lets go of its ports. */
const LEFTOVERS_GONE_WITHIN_MS = 20_000
const STORE_DEATHS_MAX = 5
const STORE_DEATHS_WINDOW_MS = 60_000

/**
 * @typedef {object} Run
 * @property {import("./options.cjs").Options} options
 * @property {AbortSignal} signal stops it
 * @property {(line: string) => void} say
 * @property {(stop: () => unknown) => void} onStop
 * @property {(error: unknown) => void} fail ends a run that was up
 */

/**
 * @param {object} demo
 * @param {import("./options.cjs").Options} demo.options
 * @param {AbortSignal} demo.signal aborting it stops the run
 * @param {(line: string) => void} demo.say
 * @param {(state: import("./state.cjs").State) => void} demo.onReady
 * @returns {Promise<void>} resolves once it was stopped and nothing of it is left
 * @throws {StartFailure} after stopping what had started
 */
async function runDemo({ options, signal: asked, say, onReady }) {
  /** @type {Array<() => unknown>} */
  const stops = []
  const ended = new AbortController()
  const signal = AbortSignal.any([asked, ended.signal])
  /** @type {Run} */
  const run = {
    options,
    signal,
    say,
    onStop: (stop) => void stops.push(stop),
    fail: (error) => ended.abort(error),
  }
  try {
    const state = await bringUp(run)
    writeState(options.dir, state)
    onReady(state)
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }))
  } catch (error) {
    if (!asked.aborted) run.fail(error)
  } finally {
    // With nothing to stop, the folder was not claimed: the state there is another run's.
    if (stops.length > 0) removeState(options.dir)
    ended.abort()
    for (const stop of stops.reverse()) await stop()
  }
  if (!asked.aborted) throw ended.signal.reason
}

/**
 * @param {Run} run
 * @returns {Promise<import("./state.cjs").State>}
 */
async function bringUp(run) {
  const { options, signal, say, onStop } = run
  const { dir, ports, hasStorefront } = options
  await prepare(run)

  say("Starting the database …")
  const database = await startDatabase(options)
  onStop(database.stop)
  watch(run, database.exited, () => new StartFailure("The database ended."))
  signal.throwIfAborted()

  const simulator = options.gateway ? null : await addSimulator(run)
  if (simulator && options.isWithout.credentials) tellCredentials(run, simulator.gateway)
  const print = storePrint(options.root)
  const isUpToDate = await database.isUpToDate(print)
  say(isUpToDate ? "Starting the store …" : "Making the store's tables, then starting it …")
  const needs = {
    databaseUrl: database.url,
    isUpToDate,
    secrets: secretsOf(dir),
    gateway: options.isWithout.credentials ? {} : (options.gateway ?? simulator?.gateway ?? {}),
  }
  const { publishableKey } = options.cluster
    ? await bringUpCluster(run, needs, options.cluster)
    : await addStore(run, needs)
  await database.markUpToDate(print)
  const storeUrl = originOf(ports.store)
  const storefrontUrl = hasStorefront ? originOf(ports.storefront) : null
  if (storefrontUrl) {
    const config = {
      store_api_url: storeUrl,
      publishable_key: publishableKey,
      simulator_url: simulator?.url ?? null,
      order_placement: options.orderPlacement,
      contact_email: "help@harbour-and-hills.example",
      contact_phone: "+231 770 000 000",
    }
    const { close } = await serveStorefront({ port: ports.storefront, root: options.root, config })
    onStop(close)
  }
  const limits = { withinMs: ANSWERS_WITHIN_MS, signal }
  await untilItAnswers(`${storeUrl}/health`, { who: "store", ...limits })
  if (storefrontUrl) await untilItAnswers(storefrontUrl, { who: "storefront", ...limits })
  return {
    storefront_url: storefrontUrl,
    store_api_url: storeUrl,
    publishable_key: publishableKey,
    admin_url: `${storeUrl}/app`,
    admin_email: ADMIN.email,
    admin_password: ADMIN.password,
    simulator_url: simulator?.url ?? null,
    database_url: database.url,
    ready_ms: Math.round(performance.now()),
  }
}

/**
 * Claims folder and ports, installs, builds.
 * @param {Run} run
 */
async function prepare({ options, signal, say, onStop }) {
  const { root, dir, ports, hasStorefront } = options
  const { wasKilled, release } = claimFolder(dir)
  onStop(release)
  removeState(dir)
  if (!options.databaseUrl) await stopLeftoverOf(databaseDir(dir))
  const wanted = {
    ...(hasStorefront ? { storefront: ports.storefront } : {}),
    store: ports.store,
    ...(options.gateway ? {} : { simulator: ports.simulator }),
    ...(options.databaseUrl ? {} : { database: ports.postgres }),
    ...portsOf(options.cluster),
  }
  await requirePorts(wanted, { waitMs: wasKilled ? LEFTOVERS_GONE_WITHIN_MS : 0 })

  const logs = path.join(dir, "logs")
  fs.rmSync(logs, { recursive: true, force: true })
  fs.mkdirSync(logs, { recursive: true })
  if (!isInstalled(root)) {
    say("Installing the locked dependencies (npm ci); the first time takes a minute or two …")
    await runCommand({
      name: "Installing the dependencies",
      argv: [...npm(), "ci", "--include=dev"],
      cwd: root,
      logFile: path.join(logs, "install.log"),
      signal,
    })
  }
  await buildAll({ root, logs, say, signal, hasStorefront })
}

/** @param {import("./options.cjs").Cluster | null} cluster */
function portsOf(cluster) {
  const named = (/** @type {string} */ name, /** @type {readonly number[]} */ ports) =>
    ports.map((port, at) => [`${name} ${at + 1}`, port])
  if (!cluster) return {}
  return Object.fromEntries([
    ...named("server", cluster.serverPorts),
    ...named("worker", cluster.workerPorts),
  ])
}

/** @param {Run} run */
async function addSimulator(run) {
  run.say("Starting the gateway simulator …")
  const simulator = await startSimulator(run.options, run.signal)
  run.onStop(simulator.service.stop)
  const logFile = path.join(run.options.dir, "logs/simulator.log")
  watch(
    run,
    simulator.service.exited,
    (exit) => new StartFailure(`The simulator ended (${howItEnded(exit)}).`, { logFile }),
  )
  return simulator
}

/**
 * What a person types into the admin of a store that was started without it.
 * @param {Run} run
 * @param {Record<string, string>} gateway
 */
function tellCredentials({ say }, gateway) {
  say("The store knows no gateway. Type this in the admin, Settings, Merchant payments:")
  for (const value of Object.values(gateway)) say(`  ${value}`)
}

/**
 * @param {Run} run
 * @param {Parameters<typeof startStore>[1]} needs
 * @returns {Promise<{ publishableKey: string }>}
 */
async function addStore(run, needs) {
  let current = startStore(run.options, needs)
  run.onStop(() => current.service.stop())
  const ready = await untilAborted(current.isReady, run.signal)

  /** @type {number[]} */
  const deaths = []
  const keepAlive = async () => {
    for (;;) {
      const exit = await current.service.exited
      if (run.signal.aborted) return
      const now = performance.now()
      deaths.push(now)
      const recent = deaths.filter((at) => now - at < STORE_DEATHS_WINDOW_MS)
      if (recent.length > STORE_DEATHS_MAX) {
        const logFile = path.join(run.options.dir, "logs/store.log")
        throw new StartFailure("The store keeps dying.", { logFile })
      }
      run.say(`The store died (${howItEnded(exit)}); starting it again …`)
      current = startStore(run.options, needs)
      await current.isReady
      run.say("The store is up again.")
    }
  }
  keepAlive().catch((error) => run.signal.aborted || run.fail(error))
  return ready
}

/**
 * @template T
 * @param {Run} run
 * @param {Promise<T>} exited
 * @param {(exit: T) => StartFailure} failure
 */
function watch(run, exited, failure) {
  exited.then((exit) => run.signal.aborted || run.fail(failure(exit)))
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
function untilAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}

module.exports = { runDemo }
