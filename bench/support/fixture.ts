/**
 * What all figures stand on: a build that is not stale, a throw-away Postgres, and one database
 * that is migrated and seeded once and then cloned, so that every store starts in seconds and from
 * the same rows.
 */
import fs from "node:fs"
import path from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { buildAll, STORE_BUILD } from "../../demo/run/build.cjs"
import { startPostgres } from "../../demo/run/postgres.cjs"
import { liftShopperLimits, logStatements } from "./database"
import { startStore } from "./store"

const ROOT = path.resolve(__dirname, "../..")
const SEEDED = "bench_seeded"
const LOOK_AGAIN_MS = 50

export type Fixture = {
  /** Tells how far a long measurement is. */
  readonly say: (line: string) => void
  /** The checkout. */
  readonly root: string
  /** The folder of the built store. */
  readonly storeDirectory: string
  /** A seeded database of its own: its address. */
  newDatabase(): Promise<string>
  /** The statements that reach the database while `work` runs, each its text. Slows it down. */
  statementsDuring(work: () => Promise<unknown>): Promise<readonly string[]>
  close(): Promise<void>
}

export async function openFixture(say: (line: string) => void): Promise<Fixture> {
  const stopping = new AbortController()
  const logs = path.join(ROOT, ".demo/bench/logs")
  fs.mkdirSync(logs, { recursive: true })
  await buildAll({ root: ROOT, logs, say, signal: stopping.signal, hasStorefront: false })

  const logFile = path.join(logs, "postgres.log")
  fs.rmSync(logFile, { force: true })
  const postgres = await startPostgres({ logFile })
  const storeDirectory = path.join(ROOT, STORE_BUILD)
  try {
    say("Making and seeding a database …")
    const databaseUrl = await postgres.createDatabase(SEEDED)
    const store = await startStore({ directory: storeDirectory, databaseUrl, isUpToDate: false })
    await store.stop()
    await liftShopperLimits(databaseUrl)
  } catch (error) {
    await postgres.stop()
    throw error
  }
  let databases = 0
  return {
    say,
    root: ROOT,
    storeDirectory,
    newDatabase() {
      databases += 1
      return postgres.createDatabase(`bench_${databases}`, { template: SEEDED })
    },
    async statementsDuring(work) {
      await logStatements(postgres.url, "all")
      const before = fs.statSync(logFile).size
      await work()
      await logStatements(postgres.url, "none")
      return statementsIn(await logUntil(/log_statement = 'none'/, logFile, before))
    },
    close: () => postgres.stop(),
  }
}

/** The log from an offset to the line that matches. The server's lines come a little late. */
async function logUntil(last: RegExp, file: string, offset: number): Promise<string> {
  for (;;) {
    const text = fs.readFileSync(file).subarray(offset).toString()
    const end = text.search(last)
    if (end >= 0) return text.slice(0, text.lastIndexOf("\n", end))
    await pause(LOOK_AGAIN_MS)
  }
}

/** A statement of several lines goes on in lines that begin with a tab. */
const statementsIn = (text: string): string[] =>
  [...text.matchAll(/LOG:\s+(?:statement|execute [^:]*): (.*(?:\n\t.*)*)/g)].map(
    ([, statement]) => statement ?? "",
  )
