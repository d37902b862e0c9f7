/**
 * Medusa's container as the jobs see it: over a ledger, with an account of the environment whose
 * gateway takes connections and never answers.
 */
import { once } from "node:events"
import { createServer, type AddressInfo, type Socket } from "node:net"
import type { MedusaContainer } from "@medusajs/framework/types"
import { Pool } from "pg"
import { systemClock } from "../../src/core/ports"
import { saveAccount } from "../../src/ledger/accounts/find-accounts"
import { readEnvironment } from "../../src/medusa/environment"
import { workInProgress } from "../../src/worker/work-in-progress"
import type { LedgerDatabase } from "./ledger-database"

export async function workerContainer(
  ledger: LedgerDatabase,
  onCall: (socket: Socket) => void,
  onStatement: (text: string) => void = () => {},
) {
  const pool = new Pool({ connectionString: ledger.url, max: 10 })
  pool.on("error", () => {})
  const sockets = new Set<Socket>()
  const gateway = createServer((socket) => {
    sockets.add(socket.on("error", () => {}))
    onCall(socket)
  })
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
        acquireConnection: async () => watched(await pool.connect(), onStatement),
        releaseConnection: async (client: { release(): void }) => client.release(),
      },
    },
    logger: { debug: log, info: log, warn: log, error: log },
    configModule: { modules: {} },
    merchantPayments: { environment, work },
  }
  return {
    account,
    container: { resolve: (key: string) => services[key] } as unknown as MedusaContainer,
    async stop() {
      const ended = work.end()
      gateway.close()
      for (const socket of sockets) socket.destroy()
      await ended
      await pool.end()
    },
  }
}

/** A connection that names each of its statements. */
const watched = <Client extends object>(client: Client, onStatement: (text: string) => void) =>
  new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== "function") return value
      return (...given: unknown[]): unknown => {
        if (name === "query") onStatement(textOf(given[0]))
        return Reflect.apply(value, target, given)
      }
    },
  })

function textOf(query: unknown): string {
  if (typeof query === "string") return query
  if (typeof query === "object" && query !== null && "text" in query) return String(query.text)
  return ""
}
