/** Two servers, three workers, a proxy and a simulator, over lines that can be cut. */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { buildAll, storePrint } from "../../demo/run/build.cjs"
import { readOptions } from "../../demo/run/options.cjs"
import { startSimulator } from "../../demo/run/simulator.cjs"
import { secretsOf } from "../../demo/run/state.cjs"
import { prepareStore, readyServers, startMembers } from "../../demo/distributed/cluster.cjs"
import { startProxy } from "../../demo/distributed/proxy.cjs"
import { ownDatabase } from "./database"
import { openGatewayLine, openLine, type GatewayLine, type Line } from "./lines"

const ROOT = path.resolve(__dirname, "../..")
const PORT_BASE = "4600"
const SHIFTED = path.join(__dirname, "shift-clock.cjs")

export type Member = ReturnType<typeof startMembers>[number]

export type Cluster = {
  /** Where shops and admins ask: the proxy. */
  readonly url: string
  readonly publishableKey: string
  readonly simulatorUrl: string
  readonly members: readonly Member[]
  readonly servers: readonly Member[]
  readonly workers: readonly Member[]
  readonly database: Line
  readonly redis: Line
  readonly gateway: GatewayLine
  /** Asks the database itself, not over the line. */
  sql<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** All ask the server that took over from the first one. */
  moveDatabaseTo(serverUrl: string): Promise<void>
  /** Brings the tables up to this checkout's version, while all processes run. */
  migrate(): Promise<void>
  /** From its next start on a process is of this checkout's version. */
  upgrade(member: Pick<Member, "name">): void
  /** What all processes have logged. */
  logs(): string
}

export type Services = {
  readonly databaseUrl: string
  readonly redisUrl: string
  /** Ends it early, in order. */
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

/**
 * Starts all of it for `work` and ends it afterwards, whatever happens.
 * @param services `root`: the checkout that tables and processes are of, to begin with
 */
export async function withCluster<T>(
  { databaseUrl, redisUrl, signal, say, root = ROOT }: Services & { readonly root?: string },
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const stops: (() => unknown)[] = []
  const onStop = (stop: () => unknown) => void stops.unshift(stop)
  try {
    const own = await ownDatabase(databaseUrl)
    onStop(own.drop)
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-distributed-"))
    const database = await openLine(own.url, 5432)
    const redis = await openLine(redisUrl, 6379)
    onStop(database.close)
    onStop(redis.close)
    const environment = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      DEMO_DIR: dir,
      DEMO_NO_STOREFRONT: "1",
      PORT_BASE: process.env["PORT_BASE"] ?? PORT_BASE,
    }
    const options = readOptions(environment, root, { isDistributed: true })
    const current = { ...options, root: ROOT }
    const logs = path.join(dir, "logs")
    for (const checkout of new Set([root, ROOT])) {
      await buildAll({ root: checkout, logs, say, signal, hasStorefront: false })
    }
    const simulator = await startSimulator(current, signal)
    onStop(simulator.service.stop)
    const gateway = await openGatewayLine(simulator.url)
    onStop(gateway.close)
    if (!options.cluster) throw new Error("the demo is not a distributed one")
    const { cluster: ports } = options
    const upgraded = new Set<string>()
    const settings = {
      options,
      cluster: ports,
      say,
      needs: {
        databaseUrl: database.url,
        isUpToDate: false,
        secrets: secretsOf(dir),
        gateway: { ...simulator.gateway, MERCHANT_PAYMENTS_BASE_URL: gateway.url },
      },
      envOf: ({ name }: { readonly name: string }): Record<string, string> =>
        name === "worker 3" ? { NODE_OPTIONS: `--require ${SHIFTED}` } : {},
      rootOf: ({ name }: { readonly name: string }) => (upgraded.has(name) ? ROOT : root),
    }
    say(`making the store's tables (build ${storePrint(root).slice(0, 8)}) …`)
    const { publishableKey } = await prepareStore(settings, onStop)
    signal.throwIfAborted()
    const members = startMembers(settings)
    onStop(() => Promise.all(members.map((member) => member.stop())))
    const proxy = await startProxy(options.ports.store, () => readyServers(members))
    onStop(proxy.close)
    await Promise.all(members.map((member) => member.ready()))
    say(`${members.length} processes are up`)
    const ended = new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true })
    })
    const cluster: Cluster = {
      url: `http://localhost:${options.ports.store}`,
      publishableKey,
      simulatorUrl: simulator.url,
      members,
      servers: members.filter(({ kind }) => kind === "server"),
      workers: members.filter(({ kind }) => kind === "worker"),
      database,
      redis,
      gateway,
      sql: own.sql,
      async moveDatabaseTo(serverUrl) {
        database.turnTo(serverUrl)
        await own.moveTo(serverUrl)
      },
      async migrate() {
        // The ports of the cluster are taken: it runs.
        const last = Math.max(...ports.serverPorts, ...ports.workerPorts)
        const cluster = { ...ports, serverPorts: [last + 1] }
        await prepareStore({ ...settings, options: current, cluster }, onStop)
      },
      upgrade: ({ name }) => void upgraded.add(name),
      logs: () =>
        fs
          .readdirSync(logs)
          .map((file) => fs.readFileSync(path.join(logs, file), "utf8"))
          .join("\n"),
    }
    return await Promise.race([work(cluster), ended])
  } finally {
    for (const stop of stops) await stop()
  }
}
