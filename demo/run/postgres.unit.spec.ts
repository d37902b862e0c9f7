import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { Client } from "pg"
import { forgetPostgres, type Postgres, startPostgres } from "./postgres.cjs"

const LOOK_AGAIN_MS = 50

async function firstValue(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return Object.values(rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

describe("embedded PostgreSQL, thrown away", () => {
  let postgres: Postgres

  beforeAll(async () => {
    postgres = await startPostgres()
  })

  afterAll(() => postgres.stop())

  it("answers on localhost, on the port it names", async () => {
    expect(new URL(postgres.url).hostname).toBe("localhost")
    expect(Number(new URL(postgres.url).port)).toBe(postgres.port)
    expect(await firstValue(postgres.url, "select 1")).toBe(1)
  })

  it("clones a database from a template", async () => {
    const template = await postgres.createDatabase("template_of_test")
    await firstValue(template, "create table kept as select 42 as answer")
    const clone = await postgres.createDatabase("clone-1", { template: "template_of_test" })
    expect(await firstValue(clone, "select answer from kept")).toBe(42)
  })

  it("leaves a database alone that exists already", async () => {
    const url = await postgres.createDatabase("twice")
    await firstValue(url, "create table kept as select 1 as answer")
    expect(await postgres.createDatabase("twice")).toBe(url)
    expect(await firstValue(url, "select answer from kept")).toBe(1)
  })

  it("compares letters beyond ASCII without regard to case", async () => {
    expect(await firstValue(postgres.url, "select 'É' ilike 'é'")).toBe(true)
  })
})

/** The server's process and that which runs it. */
async function processesOf({
  url,
}: Postgres): Promise<{ data: string; server: number; own: number }> {
  const data = String(await firstValue(url, "show data_directory"))
  const server = Number(fs.readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n")[0])
  return { data, server, own: parentOf(server) }
}

function parentOf(pid: number): number {
  if (process.platform !== "linux") {
    return Number(execFileSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" }))
  }
  return Number(fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[3])
}

async function untilGone(isThere: () => boolean): Promise<void> {
  while (isThere()) await pause(LOOK_AGAIN_MS)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("embedded PostgreSQL of a killed run", () => {
  it("ends with its caller, and leaves nothing", async () => {
    const script = `
      const { startPostgres } = require(${JSON.stringify(require.resolve("./postgres.cjs"))})
      startPostgres().then(({ url }) => console.log(url))
    `
    const caller = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] })
    const [url] = (await once(caller.stdout, "data")) as [Buffer]
    const data = String(await firstValue(url.toString().trim(), "show data_directory"))
    caller.kill("SIGKILL")
    await untilGone(() => fs.existsSync(data))
  })

  it("is stopped and removed by the next start, when nobody was left to do it", async () => {
    const killed = await startPostgres()
    const { data, server, own } = await processesOf(killed)
    process.kill(own, "SIGKILL")
    await killed.exited
    await (await startPostgres()).stop()
    await untilGone(() => isRunning(server) || fs.existsSync(data))
  })

  it("is stopped by the next start on its folder, which keeps its data", async () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "demo-postgres-"))
    const killed = await startPostgres({ dir })
    const { data, server, own } = await processesOf(killed)
    await firstValue(await killed.createDatabase("demo"), "create table kept as select 7 as seven")
    process.kill(own, "SIGKILL")
    await killed.exited
    const next = await startPostgres({ dir })
    const kept = await firstValue(await next.createDatabase("demo"), "select seven from kept")
    await next.stop()
    expect(kept).toBe(7)
    await untilGone(() => isRunning(server))
    await forgetPostgres(dir)
    expect([data, dir].filter((folder) => fs.existsSync(folder))).toEqual([])
  })

  it("says that it is gone when its server dies", async () => {
    const one = await startPostgres()
    const { server } = await processesOf(one)
    process.kill(server, "SIGQUIT")
    await one.exited
  })

  it("says why it can't start", async () => {
    const one = await startPostgres()
    const failure = await startPostgres({ port: one.port }).then(String, String)
    await one.stop()
    expect(failure).toContain("Address already in use")
  })
})
