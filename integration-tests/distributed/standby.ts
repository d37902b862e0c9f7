/**
 * A PostgreSQL and a standby that follows it a moment later, as most managed databases have them.
 * What the first one commits after the line between them is cut is lost when the standby takes over.
 */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import net, { type AddressInfo } from "node:net"
import { once } from "node:events"
import os from "node:os"
import path from "node:path"
import { Client } from "pg"
import { startPostgres, type Postgres } from "../../demo/run/postgres.cjs"
import { CLUSTER_FILE, keptCluster } from "../../demo/run/postgres-leftovers.cjs"
import { openLine } from "./lines"

const LOOK_AGAIN_MS = 200

export type Pair = {
  /** Of the server that takes writes, to begin with. */
  readonly url: string
  /** From now on nothing reaches the standby. */
  cutTheLine(): Promise<void>
  /** Ends the first server and makes the standby take writes. @returns its address */
  failOver(): Promise<string>
  stop(): Promise<void>
}

export async function startPair(): Promise<Pair> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-pair-"))
  const dirs = { first: path.join(dir, "first"), second: path.join(dir, "second") }
  const stops: (() => unknown)[] = []
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one()
    for (const folder of Object.values(dirs)) {
      const data = keptCluster(folder)?.data
      if (data) fs.rmSync(data, { recursive: true, force: true })
    }
    fs.rmSync(dir, { recursive: true, force: true })
  }
  try {
    // Its data, copied while no server uses it, is what the standby begins with.
    await (await startPostgres({ dir: dirs.first })).stop()
    const data = copyCluster(dirs.first, dirs.second)
    const first = await startPostgres({ dir: dirs.first })
    stops.push(first.stop)
    const line = await openLine(first.url, 5432)
    stops.push(line.close)
    follow(data, line.url)
    const standby = await startStandby(dirs.second, first.url)
    stops.push(standby.stop)
    return {
      url: first.url,
      cutTheLine: line.close,
      async failOver() {
        await first.stop()
        return standby.takeOver()
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @returns the folder of the copied data */
function copyCluster(from: string, to: string): string {
  const kept = keptCluster(from)
  if (!kept) throw new Error("The first server keeps no data.")
  const data = fs.mkdtempSync(path.join(path.dirname(kept.data), "merchant-payments-standby-"))
  fs.rmdirSync(data)
  execFileSync("cp", ["-a", kept.data, data])
  fs.mkdirSync(to, { recursive: true })
  fs.writeFileSync(path.join(to, CLUSTER_FILE), JSON.stringify({ ...kept, data }))
  return data
}

/** Makes a copy a standby of the server at the end of the line. */
function follow(data: string, serverUrl: string): void {
  const { hostname, port, username, password } = new URL(serverUrl)
  const server = `host=${hostname} port=${port} user=${username} password=${password}`
  fs.appendFileSync(path.join(data, "postgresql.auto.conf"), `primary_conninfo = '${server}'\n`)
  const sign = path.join(data, "standby.signal")
  fs.writeFileSync(sign, "")
  const { uid, gid } = fs.statSync(data)
  fs.chownSync(sign, uid, gid)
}

async function startStandby(dir: string, firstUrl: string) {
  const port = await freePort()
  // A standby is only said to have started when it takes writes.
  const takesWrites = startPostgres({ dir, port })
  const failed = takesWrites.then(() => new Promise<never>(() => undefined))
  const url = Object.assign(new URL(firstUrl), { port: String(port) }).href
  await Promise.race([follows(url), failed])
  return {
    async takeOver() {
      await ask(url, "select pg_promote(true, 60)")
      return (await takesWrites).url
    },
    async stop() {
      // One that never took over has to, before it can be told to stop.
      await ask(url, "select pg_promote(true, 60)").catch(() => undefined)
      await takesWrites.then((server: Postgres) => server.stop())
    },
  }
}

async function follows(url: string): Promise<void> {
  const isFollowing = () =>
    ask(url, "select from pg_stat_wal_receiver where status = 'streaming'").catch(() => 0)
  while ((await isFollowing()) === 0) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

/** @returns how many rows the answer has */
async function ask(connectionString: string, statement: string): Promise<number> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows.length
  } finally {
    await client.end()
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0)
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
