/** One Postgres for all files of a run; each clones the migrated database in it. */
import { SHARED_SERVER, startSharedServer } from "./ledger-database"

export default async function setUp(): Promise<void> {
  const server = await startSharedServer()
  Object.assign(globalThis, { __LEDGER_SERVER__: server })
  process.env[SHARED_SERVER] = server.url
}
