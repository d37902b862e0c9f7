/**
 * A worker in a process of its own: the flows over a real ledger and a real gateway process, with
 * Medusa in memory. It starts payments that nobody approves, and looks at what is
 * due.
 */
import { randomUUID } from "node:crypto"
import { Pool } from "pg"
import {
  medusaInMemory,
  newCart,
  newSession,
  type Cart,
} from "../../integration-tests/support/medusa-in-memory"
import { testBox } from "../../integration-tests/support/test-box"
import { LIMITS } from "../../src/core/limits"
import { systemClock, systemIds, systemRandom } from "../../src/core/ports"
import { checkDueOperations } from "../../src/worker/check-due-operations"
import type { FlowDeps } from "../../src/engine/deps"
import { startPayment } from "../../src/checkout/start-payment"
import { underWay } from "../../src/worker/under-way"
import { createGateway } from "../../src/gateway"
import { listAccounts } from "../../src/ledger/accounts/find-accounts"
import { databaseOver } from "../../src/ledger/database"
import { checkBudget } from "../../src/worker/check-budget"
import { keyedDigest } from "../../src/medusa/secrets/keyed-digest"
import { knownCredential } from "../../src/medusa/wiring/account-clients"
import { answerQuestions, startAsked, type AskedProcess } from "./asked-process"
import { many } from "./many"
import { everybody } from "../../integration-tests/support/everybody"

/** Waits for the handset, for ever. */
const PHONE = "+231770000042"
const PROVIDER = "pp_mobile-money_merchant"

export type Task = {
  /** Payments to start; nothing is looked at then. */
  readonly start?: number
  /** Whether garbage is collected before the memory is looked at. Never where time is measured. */
  readonly isCollected?: boolean
}

export type Checking = {
  /** Operations that were claimed, until nothing more was due. */
  readonly checks: number
  readonly elapsedMs: number
  /** User and system, all threads of the process. */
  readonly cpuMs: number
  /** After the work. */
  readonly rssBytes: number
}

export type CheckingProcess = AskedProcess<Task, Checking>

/** @param gateway as `MERCHANT_PAYMENTS_…`, see {@link Simulator} */
export const startChecking = (
  databaseUrl: string,
  gateway: Readonly<Record<string, string>>,
): CheckingProcess =>
  startAsked(__filename, [
    databaseUrl,
    gateway["MERCHANT_PAYMENTS_BASE_URL"] ?? "",
    gateway["MERCHANT_PAYMENTS_CLIENT_ID"] ?? "",
    gateway["MERCHANT_PAYMENTS_CLIENT_SECRET"] ?? "",
  ])

function serve(databaseUrl: string, baseUrl: string, clientId: string, clientSecret: string): void {
  // As many connections as Medusa's pool has unless it is told otherwise.
  const pool = new Pool({ connectionString: databaseUrl, max: 10 })
  pool.on("error", () => {})
  const database = databaseOver({
    client: {
      acquireConnection: () => pool.connect(),
      releaseConnection: (connection) => {
        if ("release" in connection && typeof connection.release === "function")
          connection.release()
        return Promise.resolve()
      },
    },
  })
  const carts = new Map<string, Cart>()
  const accounts = listAccounts(database)
  const credential = knownCredential(database, systemClock)
  const gateway = createGateway({ baseUrl, clientId, clientSecret })
  const quiet = () => {}
  const deps: FlowDeps = {
    database,
    logger: { debug: quiet, info: quiet, warn: console.warn, error: console.error },
    medusa: medusaInMemory(carts, database),
    clock: systemClock,
    random: systemRandom,
    ids: systemIds,
    settings: { storefrontOrigins: ["http://localhost:4100"], publicUrl: undefined },
    budget: checkBudget(systemClock, () => accounts),
    shopperLimit: { take: () => Promise.resolve(0), uncount: () => Promise.resolve() },
    box: testBox,
    digest: keyedDigest({}),
    people: everybody,
    underWay: underWay(systemClock),
    worker: `bench-${process.pid}`,
    accounts: () => accounts,
    credentialOf: ({ id }) => credential({ accountId: id, baseUrl, clientId }),
    gatewayOf: () => gateway,
  }
  const start = async () => {
    const collectionId = `pay_col_${randomUUID()}`
    const session = newSession(collectionId, PROVIDER, "19.99")
    carts.set(collectionId, { ...newCart("19.99"), sessions: [session] })
    await startPayment(deps, { sessionId: session.id, phone: PHONE })
    carts.delete(collectionId)
  }
  const checkAll = async () => {
    let checks = 0
    for (;;) {
      const claimed = await checkDueOperations(deps, { atMost: LIMITS.checksPerRun })
      if (claimed === 0) return checks
      checks += claimed
    }
  }
  answerQuestions<Task, Checking>(async ({ start: payments, isCollected }) => {
    const before = process.cpuUsage()
    const since = performance.now()
    const checks = payments === undefined ? await checkAll() : 0
    await many(Array.from({ length: payments ?? 0 }), 8, start)
    const elapsedMs = performance.now() - since
    const { user, system } = process.cpuUsage(before)
    if (isCollected) {
      globalThis.gc?.()
      globalThis.gc?.()
    }
    return {
      checks,
      elapsedMs,
      cpuMs: (user + system) / 1_000,
      rssBytes: process.memoryUsage.rss(),
    }
  })
}

const [databaseUrl = "", baseUrl = "", clientId = "", clientSecret = ""] = process.argv.slice(2)
if (require.main === module) serve(databaseUrl, baseUrl, clientId, clientSecret)
