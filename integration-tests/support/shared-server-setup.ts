/** One Postgres for all files of a run; each clones the migrated database in it. */
// Jest maps no module's name for what runs before the tests: the client would be its built files.
import "../../bench/support/load-typescript.cjs"
import { SHARED_SERVER, startSharedServer } from "./ledger-database"

export default async function setUp(): Promise<void> {
  const server = await startSharedServer()
  Object.assign(globalThis, { __LEDGER_SERVER__: server })
  process.env[SHARED_SERVER] = server.url
}
