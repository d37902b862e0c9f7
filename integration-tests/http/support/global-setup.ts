/**
 * Builds what is stale, then starts one throw-away Postgres for all suites, with a database that is
 * migrated and seeded once. Each suite clones it, so a store comes up in seconds and no suite sees
 * another's rows.
 */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { buildAll } from "../../../demo/run/build.cjs"
import { startPostgres } from "../../../demo/run/postgres.cjs"
import { freePort, startStoreProcess } from "./store-process"

export const TEMPLATE = "seeded"

const ROOT = path.resolve(__dirname, "../../..")

export default async function globalSetup(): Promise<void> {
  const logs = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-build-"))
  await buildAll({
    root: ROOT,
    logs,
    say: () => {},
    signal: new AbortController().signal,
    hasStorefront: false,
  })
  fs.rmSync(logs, { recursive: true })
  const postgres = await startPostgres({})
  Object.assign(globalThis, { __TEST_POSTGRES__: postgres })
  process.env["TEST_POSTGRES_URL"] = postgres.url
  const databaseUrl = await postgres.createDatabase(TEMPLATE)
  const store = await startStoreProcess({ databaseUrl, port: await freePort() })
  await store.kill()
}
