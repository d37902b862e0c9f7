/**
 * One throw-away Postgres for all suites, with a database that is migrated and seeded once. Each suite
 * clones it, so a store comes up in seconds and no suite sees another's rows.
 */
import { startPostgres } from "../../../demo/run/postgres.cjs"
import { freePort, startStoreProcess } from "./store-process"

export const TEMPLATE = "seeded"

export default async function globalSetup(): Promise<void> {
  const postgres = await startPostgres({})
  Object.assign(globalThis, { __TEST_POSTGRES__: postgres })
  process.env["TEST_POSTGRES_URL"] = postgres.url
  const databaseUrl = await postgres.createDatabase(TEMPLATE)
  const store = await startStoreProcess({ databaseUrl, port: await freePort() })
  await store.kill()
}
