// @ts-check
/**
 * The store as several processes: servers that answer shops and admins behind one address, and
 * workers that do the jobs. One process brings the database up to date and fills it, and ends; then
 * the others start. A process that dies is started again, as a supervisor would.
 */
const { setTimeout: pause } = require("node:timers/promises")
const { howItEnded } = require("../run/child.cjs")
const { startStore } = require("../run/store.cjs")
const { startProxy } = require("./proxy.cjs")

const AGAIN_AFTER_MS = 1_000
/** Six processes share a PostgreSQL that takes a hundred connections, unless it is told otherwise. */
const POOL_MAX = "10"

/**
 * @typedef {"server" | "worker"} Kind
 *
 * @typedef {object} Member
 * @property {string} name `server 1`, `worker 3`
 * @property {Kind} kind
 * @property {number} port
 * @property {() => boolean} isReady it has started and has not ended since
 * @property {() => Promise<void>} ready resolves when it is ready, also after a restart
 * @property {(signal: NodeJS.Signals) => void} signal
 * @property {() => Promise<void>} stop for good
 *
 * @typedef {object} Settings
 * @property {import("../run/options.cjs").Options} options
 * @property {Parameters<typeof startStore>[1]} needs
 * @property {import("../run/options.cjs").Cluster} cluster
 * @property {(line: string) => void} say
 * @property {(member: { name: string, kind: Kind }) => Record<string, string>} [envOf] more of the
 * environment of one process
 * @property {(member: { name: string, kind: Kind }) => string} [rootOf] the checkout that a process
 * starts from, read at each start; left out: that of `options`
 */

/**
 * @param {object} run
 * @param {import("../run/options.cjs").Options} run.options
 * @param {AbortSignal} run.signal
 * @param {(line: string) => void} run.say
 * @param {(stop: () => unknown) => void} run.onStop
 * @param {Parameters<typeof startStore>[1]} needs
 * @param {import("../run/options.cjs").Cluster} cluster
 * @returns {Promise<{ publishableKey: string }>}
 */
async function bringUpCluster({ options, signal, say, onStop }, needs, cluster) {
  const settings = { options, needs, cluster, say }
  const { publishableKey } = await prepareStore(settings, onStop)
  signal.throwIfAborted()
  const members = startMembers(settings)
  onStop(async () => void (await Promise.all(members.map((member) => member.stop()))))
  const proxy = await startProxy(options.ports.store, () => readyServers(members))
  onStop(proxy.close)
  await Promise.all(members.map((member) => member.ready()))
  for (const { name, port } of members) say(`  ${name.padEnd(10)} http://localhost:${port}`)
  return { publishableKey }
}

/**
 * Brings the database up to date and fills it, in a process of its own that ends.
 * @param {Settings} settings
 * @param {(stop: () => unknown) => void} onStop
 * @returns {Promise<{ publishableKey: string }>}
 */
async function prepareStore({ options, needs, cluster }, onStop) {
  const [port = 0] = cluster.serverPorts
  const env = { ...common(cluster), PORT: String(port), MEDUSA_WORKER_MODE: "server" }
  const { service, isReady } = startStore(options, needs, { name: "migration", env })
  onStop(service.stop)
  const { publishableKey } = await isReady
  await service.stop()
  return { publishableKey }
}

/**
 * @param {Settings} settings
 * @returns {Member[]}
 */
function startMembers(settings) {
  const { serverPorts, workerPorts } = settings.cluster
  return [
    ...serverPorts.map((port, at) => startMember(settings, "server", at + 1, port)),
    ...workerPorts.map((port, at) => startMember(settings, "worker", at + 1, port)),
  ]
}

/** @param {readonly Member[]} members */
const readyServers = (members) =>
  members.flatMap(({ kind, port, isReady }) => (kind === "server" && isReady() ? [port] : []))

/**
 * @param {Settings} settings
 * @param {Kind} kind
 * @param {number} number
 * @param {number} port
 * @returns {Member}
 */
function startMember({ options, needs, cluster, say, envOf, rootOf }, kind, number, port) {
  const name = `${kind} ${number}`
  let isStopped = false
  let isUp = false
  const begin = () =>
    startStore(
      { ...options, root: rootOf?.({ name, kind }) ?? options.root },
      { ...needs, isUpToDate: true },
      {
        name: name.replace(" ", "-"),
        env: {
          ...common(cluster),
          PORT: String(port),
          MEDUSA_WORKER_MODE: kind,
          DEMO_IS_SEEDED: "1",
          ...envOf?.({ name, kind }),
        },
      },
    )
  let current = begin()
  const follow = () =>
    current.isReady.then(
      () => void (isUp = true),
      () => undefined,
    )
  let ready = follow()
  const keepAlive = async () => {
    while (!isStopped) {
      const exit = await current.service.exited
      isUp = false
      if (isStopped) return
      say(`${name} ended (${howItEnded(exit)}); starting it again …`)
      await pause(AGAIN_AFTER_MS)
      if (isStopped) return
      current = begin()
      ready = follow()
    }
  }
  void keepAlive()
  return {
    name,
    kind,
    port,
    isReady: () => isUp,
    async ready() {
      while (!isUp && !isStopped) {
        await ready
        if (!isUp) await pause(AGAIN_AFTER_MS)
      }
    },
    signal: (signal) => current.service.signal(signal),
    async stop() {
      isStopped = true
      // A frozen process hears nothing.
      current.service.signal("SIGCONT")
      await current.service.stop()
    },
  }
}

/** @param {import("../run/options.cjs").Cluster} cluster */
const common = ({ redisUrl }) => ({ REDIS_URL: redisUrl, DEMO_POOL_MAX: POOL_MAX })

module.exports = { bringUpCluster, prepareStore, readyServers, startMembers }
