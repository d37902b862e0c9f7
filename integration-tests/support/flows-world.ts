/**
 * The flows over a real ledger and the real simulator, with a host in memory in Medusa's place: enough
 * of carts, sessions, payments and orders to put two requests, or a request and the job, at the same
 * line. Through Medusa itself the http tests go.
 */
import { randomUUID } from "node:crypto"
import { startSimulator, type Simulator, type SimulatorOptions } from "../../simulator"
import { noFailpoints, systemClock, systemIds, systemRandom } from "../../src/core/ports"
import type { Operation } from "../../src/core/operation"
import { authorize } from "../../src/flows/answer-medusa"
import type { FlowDeps } from "../../src/flows/deps"
import type { Host, HostPayable, HostRecord } from "../../src/flows/host"
import { createGateway, type Gateway } from "../../src/gateway"
import { accountById, listAccounts, type Account } from "../../src/ledger/accounts"
import { findByCollection } from "../../src/ledger/find-operations"
import { startLedgerDatabase, type LedgerDatabase } from "./ledger-database"

export const PUSH = "pp_mobile-money_merchant"
export const HOSTED = "pp_hosted-checkout_merchant"
/** Waits for the handset. */
export const PHONE = "+231770000042"

type Cart = {
  sessions: HostPayable[]
  payments: { sessionId: string; isCaptured: boolean; isCanceled: boolean; isInOrder: boolean }[]
  order: { id: string; isCanceled: boolean } | null
  total: string
  /** How often Medusa made an order, or captured. */
  completions: number
}

export type FlowsWorld = {
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
  shown(collectionId: string): Promise<Operation>
  /** Makes an operation due, as if so much time had passed for it. */
  pass(operationId: string, ms: number): Promise<void>
  /** Lets so much time pass at the gateway. */
  later(ms: number): void
  /** The gateway's clock reads what the ledger's reads again. */
  presently(): void
  /** What is called once, at the next moment that the flows ask the host for this. */
  before(question: keyof Host, act: () => Promise<void>): void
  stop(): Promise<void>
}

export async function startFlowsWorld(options: SimulatorOptions = {}): Promise<FlowsWorld> {
  const ledger = await startLedgerDatabase()
  let aheadMs = 0
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
  const surprises = new Map<keyof Host, () => Promise<void>>()
  const logged: string[] = []
  const log = (message: string) => void logged.push(message)
  const deps: FlowDeps = {
    database: ledger.database,
    logger: { debug: log, info: log, warn: log, error: log },
    host: surprised(hostOf(carts, ledger), surprises),
    clock: systemClock,
    random: systemRandom,
    ids: systemIds,
    failpoints: noFailpoints,
    settings: {
      storefrontOrigins: ["http://localhost:4100"],
      publicUrl: "http://localhost:4101",
    },
    budget: { take: () => Promise.resolve(), pause: () => {} },
    accounts: (): Promise<readonly Account[]> => listAccounts(ledger.database),
    gatewayOf: (account) => (accountById([account], "mpacc_env") ? gateway : undefined),
  }
  const of = (collectionId: string): Cart => {
    const cart = carts.get(collectionId)
    if (!cart) throw new Error(`no cart of ${collectionId}`)
    return cart
  }
  const session = (collectionId: string, providerId = PUSH): string => {
    const made = payable(collectionId, providerId, of(collectionId).total)
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
    session,
    cart(providerId = PUSH) {
      const collectionId = `pay_col_${randomUUID()}`
      carts.set(collectionId, {
        sessions: [],
        payments: [],
        order: null,
        total: "19.99",
        completions: 0,
      })
      return { collectionId, sessionId: session(collectionId, providerId) }
    },
    async shown(collectionId) {
      const operation = await findByCollection(ledger.database, collectionId)
      if (!operation) throw new Error(`nothing was started for ${collectionId}`)
      return operation
    },
    async pass(operationId, ms) {
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
    },
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

function payable(collectionId: string, providerId: string, amount: string): HostPayable {
  return {
    id: `payses_${randomUUID()}`,
    collectionId,
    providerId,
    amount,
    currency: "usd",
    status: "pending",
    createdAt: new Date(),
    cartId: `cart_${collectionId}`,
    orderId: null,
    isOrderCanceled: false,
    hasPayment: false,
    isProviderEnabled: true,
    registeredCustomerId: null,
  }
}

/** Calls what a test has put before a question, once. */
function surprised(host: Host, surprises: Map<keyof Host, () => Promise<void>>): Host {
  return new Proxy(host, {
    get(target, name: keyof Host) {
      const ask: unknown = Reflect.get(target, name)
      return async (...given: unknown[]): Promise<unknown> => {
        const act = surprises.get(name)
        surprises.delete(name)
        await act?.()
        if (typeof ask !== "function") throw new Error(`the host has no ${String(name)}`)
        return Reflect.apply(ask, target, given)
      }
    },
  })
}

function hostOf(carts: Map<string, Cart>, ledger: LedgerDatabase): Host {
  const find = (sessionId: string) =>
    [...carts.values()].flatMap(({ sessions }) => sessions).find(({ id }) => id === sessionId)
  const cartOf = (cartId: string) => carts.get(cartId.replace(/^cart_/, ""))
  const basket = (cartId: string) => {
    const cart = cartOf(cartId)
    return (
      cart && {
        positions: [{ title: "T-shirt", quantity: 1, total: cart.total }],
        total: cart.total,
        email: "shopper@example.com",
        phone: null,
        name: "A Shopper",
        country: "lr",
        missing: [],
      }
    )
  }
  const pay = (cart: Cart, sessionId: string) => {
    const isPaid = cart.payments.some((payment) => payment.sessionId === sessionId)
    if (isPaid) return
    cart.completions += 1
    cart.payments.push({ sessionId, isCaptured: true, isCanceled: false, isInOrder: true })
  }
  return {
    payable: async (id) => {
      const session = find(id)
      const cart = session && carts.get(session.collectionId)
      if (!cart) return undefined
      return {
        ...session,
        orderId: cart.order?.id ?? null,
        isOrderCanceled: cart.order?.isCanceled ?? false,
        hasPayment: cart.payments.some(({ isCanceled }) => !isCanceled),
      }
    },
    session: async (id) => find(id),
    due: async (collectionId) => {
      const cart = carts.get(collectionId)
      const providerIds = cart?.sessions.map(({ providerId }) => providerId) ?? []
      return cart && { amount: cart.total, currency: "usd", providerIds }
    },
    payableCart: async () => undefined,
    basketOfCart: async (cartId) => basket(cartId),
    basketOfOrder: async () => undefined,
    paidSessionsOfOrder: async () => [],
    cartTotal: async (cartId) => cartOf(cartId)?.total,
    record: async (collectionId): Promise<HostRecord> => {
      const cart = carts.get(collectionId)
      return {
        sessions: [...(cart?.sessions ?? [])].reverse(),
        payments: [...(cart?.payments ?? [])],
        order: cart?.order ?? null,
        cartId: `cart_${collectionId}`,
        isProviderEnabled: true,
      }
    },
    showOnSession: async (session, show) => {
      const cart = carts.get(session.collectionId)
      if (!cart || !show.status) return
      const status = show.status
      cart.sessions = cart.sessions.map((one) => (one.id === session.id ? { ...one, status } : one))
    },
    deleteSessions: async (ids) => {
      for (const cart of carts.values()) {
        cart.sessions = cart.sessions.filter(({ id }) => !ids.includes(id))
      }
    },
    completeCart: async (cartId) => {
      const cart = cartOf(cartId)
      const [first] = cart?.sessions ?? []
      if (!cart || !first) throw new Error("no session")
      const answer = await authorize(
        { database: ledger.database, logger: console, ids: systemIds },
        first,
        { cartId, orderId: null },
      )
      if (answer.kind !== "captured") throw new Error("not authorized")
      cart.order ??= { id: `order_${randomUUID()}`, isCanceled: false }
      pay(cart, first.id)
      return cart.order.id
    },
    captureOnOrder: async (sessionId) => {
      const session = find(sessionId)
      const cart = session && carts.get(session.collectionId)
      if (cart) pay(cart, sessionId)
    },
  }
}
