/**
 * The flows over a real ledger and the real simulator, with Medusa in memory:
 * enough of carts, sessions, payments and orders to put two requests, or a request and the job, at
 * the same line. Through Medusa itself the http tests go.
 */
import { keyedDigest } from "../../src/medusa/secrets/keyed-digest"
import { randomUUID } from "node:crypto"
import { startSimulator, type Simulator, type SimulatorOptions } from "../../packages/simulator/src"
import { systemClock, storeIds, systemRandom } from "../../src/core/ports"
import { ofMedusa, type MedusaOperation } from "../../src/core/operation"
import type { FlowDeps } from "../../src/engine/deps"
import type { MedusaPort } from "../../src/engine/medusa-port"
import { underWay } from "../../src/worker/under-way"
import { createGateway, type Gateway } from "../../src/gateway"
import { accountById, listAccounts, type Account } from "../../src/ledger/accounts/find-accounts"
import { adoptCredential } from "../../src/ledger/accounts/credentials"
import { findByCollection } from "../../src/ledger/find-operations"
import { flowBasics } from "./flow-basics"
import { medusaInMemory, newCart, newSession, type Cart } from "./medusa-in-memory"
import { startLedgerDatabase, type LedgerDatabase } from "./ledger-database"

export const PUSH = "pp_mobile-money_merchant"
export const HOSTED = "pp_hosted-checkout_merchant"
export const CARD = "pp_card_merchant"
/** Waits for the handset. */
export const PHONE = "+231770000042"

export type FlowsHarness = {
  readonly ledger: LedgerDatabase
  readonly simulator: Simulator
  readonly gateway: Gateway
  readonly deps: FlowDeps
  readonly logged: string[]
  /** A cart of 19.99 USD with one payment session; the session's id, and its collection's. */
  cart(providerId?: string): { readonly sessionId: string; readonly collectionId: string }
  /** Another session of the same collection, as Medusa makes in place of the old one. */
  session(collectionId: string, providerId?: string): string
  of(collectionId: string): Cart
  /** By the id of their payment collection. */
  readonly carts: ReadonlyMap<string, Cart>
  shown(collectionId: string): Promise<MedusaOperation>
  /** Makes an operation due, as if so much time had passed for it, and for Medusa. */
  pass(operationId: string, ms: number): Promise<void>
  /** Lets so much time pass for Medusa alone. */
  medusaLater(ms: number): void
  /** Lets so much time pass at the gateway. */
  later(ms: number): void
  /** The gateway's clock reads what the ledger's reads again. */
  presently(): void
  /** What is called once, at the next moment that the flows ask Medusa for this. */
  before(question: keyof MedusaPort, act: () => Promise<void>): void
  stop(): Promise<void>
}

export async function startFlowsHarness(
  options: SimulatorOptions = {},
  openLedger = startLedgerDatabase,
): Promise<FlowsHarness> {
  const ledger = await openLedger()
  let aheadMs = 0
  let medusaAheadMs = 0
  const simulator = await startSimulator({
    port: 0,
    seed: "1",
    clock: { now: () => Date.now() + aheadMs },
    ...options,
  })
  const gateway = createGateway({
    baseUrl: simulator.url,
    clientId: "simulator-client",
    clientSecret: "simulator-secret",
  })
  const carts = new Map<string, Cart>()
  const surprises = new Map<keyof MedusaPort, () => Promise<void>>()
  const logged: string[] = []
  const log = (message: string) => void logged.push(message)
  const deps: FlowDeps = {
    ...flowBasics(),
    database: ledger.database,
    logger: { debug: log, info: log, warn: log, error: log },
    medusa: surprised(medusaInMemory(carts, ledger.database), surprises),
    // Only a test's own clock passes: what waits for its turn waits as long as the machine needs.
    clock: { ...systemClock, monotonicMs: () => 0 },
    random: systemRandom,
    ids: storeIds(keyedDigest({})),
    underWay: underWay(systemClock),
    worker: "harness",
    accounts: (): Promise<readonly Account[]> => listAccounts(ledger.database),
    credentialOf: ({ id }) =>
      adoptCredential(ledger.database, {
        accountId: id,
        baseUrl: simulator.url,
        clientId: "simulator-client",
      }),
    gatewayOf: (account) => (accountById([account], "mpacc_env") ? gateway : undefined),
  }
  const of = (collectionId: string): Cart => {
    const cart = carts.get(collectionId)
    if (!cart) throw new Error(`no cart of ${collectionId}`)
    return cart
  }
  const session = (collectionId: string, providerId = PUSH): string => {
    const made = newSession(collectionId, providerId, of(collectionId).total)
    of(collectionId).sessions = [made]
    return made.id
  }
  return {
    ledger,
    simulator,
    gateway,
    deps,
    logged,
    of,
    carts,
    session,
    cart(providerId = PUSH) {
      const collectionId = `pay_col_${randomUUID()}`
      const cart = newCart("19.99")
      cart.nowMs = () => Date.now() + medusaAheadMs
      carts.set(collectionId, cart)
      return { collectionId, sessionId: session(collectionId, providerId) }
    },
    async shown(collectionId) {
      const operation = await findByCollection(ledger.database, collectionId)
      if (!operation) throw new Error(`nothing was started for ${collectionId}`)
      return ofMedusa(operation)
    },
    async pass(operationId, ms) {
      medusaAheadMs += ms
      await ledger.sql(
        `update mp_operation
            set next_check_at = now(), lease_until = lease_until - $2 * interval '1 ms',
                created_at = created_at - $2 * interval '1 ms',
                submitted_at = submitted_at - $2 * interval '1 ms',
                last_sent_at = last_sent_at - $2 * interval '1 ms',
                failed_at = failed_at - $2 * interval '1 ms',
                absent_at = absent_at - $2 * interval '1 ms',
                contradicted_at = contradicted_at - $2 * interval '1 ms',
                expires_at = expires_at - $2 * interval '1 ms'
          where id = $1`,
        [operationId, ms],
      )
      await ledger.sql(
        `update mp_operation_event set created_at = created_at - $2 * interval '1 ms'
          where operation_id = $1`,
        [operationId, ms],
      )
      await ledger.sql(
        `update mp_task set lease_until = lease_until - $1 * interval '1 ms' where name like 'card%'`,
        [ms],
      )
    },
    medusaLater: (ms) => void (medusaAheadMs += ms),
    later: (ms) => void (aheadMs += ms),
    presently: () => void (aheadMs = 0),
    before: (question, act) => void surprises.set(question, act),
    async stop() {
      await gateway.close()
      await simulator.close()
      await ledger.stop()
    },
  }
}

/** Calls what a test has put before a question, once. */
function surprised(
  medusa: MedusaPort,
  surprises: Map<keyof MedusaPort, () => Promise<void>>,
): MedusaPort {
  return new Proxy(medusa, {
    get(target, name: keyof MedusaPort) {
      const ask: unknown = Reflect.get(target, name)
      return async (...given: unknown[]): Promise<unknown> => {
        const act = surprises.get(name)
        surprises.delete(name)
        await act?.()
        if (typeof ask !== "function") throw new Error(`Medusa has no ${String(name)}`)
        return Reflect.apply(ask, target, given)
      }
    },
  })
}
