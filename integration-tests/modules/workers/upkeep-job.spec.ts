/** The minute's job as Medusa runs it: three tasks, of which none waits for another. */
import { once } from "node:events"
import { createServer, type AddressInfo, type Socket } from "node:net"
import type { MedusaContainer } from "@medusajs/framework/types"
import { Pool } from "pg"
import { systemClock } from "../../../src/core/ports"
import keepUp from "../../../src/jobs/merchant-payments-upkeep"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { readEnvironment } from "../../../src/medusa/environment"
import { workInProgress } from "../../../src/medusa/wiring/work-in-progress"
import { until } from "../../support/until"
import { startLedgerDatabase } from "../../support/ledger-database"

it("[P25] a gateway that keeps the sweep waiting keeps neither the job nor the other tasks", async () => {
  const ledger = await startLedgerDatabase()
  const pool = new Pool({ connectionString: ledger.url, max: 5 })
  pool.on("error", () => {})
  const sockets = new Set<Socket>()
  // It takes every connection, and never says a word.
  const gateway = createServer((socket) => void sockets.add(socket.on("error", () => {})))
  await once(gateway.listen(0, "127.0.0.1"), "listening")
  const { port } = gateway.address() as AddressInfo
  const environment = readEnvironment(
    {
      MERCHANT_PAYMENTS_BASE_URL: `http://127.0.0.1:${port}`,
      MERCHANT_PAYMENTS_CLIENT_ID: "client",
      MERCHANT_PAYMENTS_CLIENT_SECRET: "secret",
    },
    { account: { currencies: ["USD"] } },
  )
  const { account } = environment
  if (!account) throw new Error("there is no account")
  await saveAccount(ledger.database, account)
  const log = () => {}
  const work = workInProgress(systemClock)
  const services: Readonly<Record<string, unknown>> = {
    __pg_connection__: {
      client: {
        acquireConnection: () => pool.connect(),
        releaseConnection: async (client: { release(): void }) => client.release(),
      },
    },
    logger: { debug: log, info: log, warn: log, error: log },
    configModule: { modules: {} },
    merchantPayments: { environment, work },
  }
  const container = { resolve: (key: string) => services[key] } as unknown as MedusaContainer
  const done = async () =>
    (await ledger.sql("select name from mp_task where lease_token is null")).map(({ name }) => name)
  try {
    await keepUp(container)
    await until(async () => sockets.size > 0, "the gateway is asked")
    await until(async () => (await done()).includes("retain"), "what needs no gateway is done")
    // A minute later, the job comes by again; what is under way is not begun a second time.
    await keepUp(container)
    const [sweep] = await ledger.sql(
      "select lease_until > now() as held from mp_task where name = 'sweep'",
    )
    expect(sweep).toEqual({ held: true })
  } finally {
    const ended = work.end()
    gateway.close()
    for (const socket of sockets) socket.destroy()
    await ended
    await pool.end()
    await ledger.stop()
  }
})
