/** Two servers, three workers, a proxy and a simulator, over lines that can be cut. */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { Client } from "pg"
import { buildAll, storePrint } from "../../demo/run/build.cjs"
import { StartFailure } from "../../demo/run/failure.cjs"
import { readOptions } from "../../demo/run/options.cjs"
import { startSimulator } from "../../demo/run/simulator.cjs"
import { secretsOf } from "../../demo/run/state.cjs"
import { prepareStore, readyServers, startMembers } from "../../demo/distributed/cluster.cjs"
import { startProxy } from "../../demo/distributed/proxy.cjs"
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
  /** What all processes have logged. */
  logs(): string
}

type Opening = {
  readonly databaseUrl: string
  readonly redisUrl: string
  /** Ends it early, in order. */
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

/** Starts all of it for `work` and ends it afterwards, whatever happens. */
export async function withCluster<T>(
  { databaseUrl, redisUrl, signal, say }: Opening,
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
    const options = readOptions(environment, ROOT, { isDistributed: true })
    const logs = path.join(dir, "logs")
    await buildAll({ root: ROOT, logs, say, signal, hasStorefront: false })
    const simulator = await startSimulator(options, signal)
    onStop(simulator.service.stop)
    const gateway = await openGatewayLine(simulator.url)
    onStop(gateway.close)
    if (!options.cluster) throw new Error("the demo is not a distributed one")
    const settings = {
      options,
      cluster: options.cluster,
      say,
      needs: {
        databaseUrl: database.url,
        isUpToDate: false,
        secrets: secretsOf(dir),
        gateway: { ...simulator.gateway, MERCHANT_PAYMENTS_BASE_URL: gateway.url },
      },
      envOf: ({ name }: { readonly name: string }): Record<string, string> =>
        name === "worker 3" ? { NODE_OPTIONS: `--require ${SHIFTED}` } : {},
    }
    say(`making the store's tables (build ${storePrint(ROOT).slice(0, 8)}) …`)
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

/** A database beside the one that was named, dropped at the end. */
async function ownDatabase(databaseUrl: string) {
  const name = `merchant_payments_distributed_${process.pid}`
  const admin = new URL(databaseUrl)
  admin.pathname = "/postgres"
  const server = new Client({ connectionString: admin.href })
  try {
    await server.connect()
  } catch (error) {
    throw new StartFailure(
      `The PostgreSQL that DATABASE_URL names can't be reached: ${String(error)}.`,
    )
  }
  await server.query(`create database ${name}`)
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  const reader = new Client({ connectionString: url.href })
  await reader.connect()
  return {
    url: url.href,
    async sql<Row = Record<string, unknown>>(text: string, values: readonly unknown[] = []) {
      const { rows } = await reader.query(text, [...values])
      return rows as Row[]
    },
    async drop() {
      await reader.end()
      await server.query(`drop database if exists ${name} with (force)`)
      await server.end()
    },
  }
}
