import type { startSharedServer } from "./ledger-database"

type Server = Awaited<ReturnType<typeof startSharedServer>>

export default async function tearDown(): Promise<void> {
  const { __LEDGER_SERVER__: server } = globalThis as { __LEDGER_SERVER__?: Server }
  await server?.stop()
}
