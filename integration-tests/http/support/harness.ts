/**
 * A whole small harness for a suite: a database of its own, the gateway simulator in this process,
 * the store in another. Everything is real; only the outcome of a payment is said by the test.
 */
import { Client } from "pg"
import {
  startSimulator,
  type Simulator,
  type SimulatorOptions,
} from "../../../packages/simulator/src"
import { readSides, type Query } from "../../support/evidence"
import { violations } from "../../support/violations"
import { adminAt, type Admin } from "./admin"
import { shopAt, type Shop } from "./shop"
import { freePort, startStoreProcess, type StoreProcess } from "./store-process"
import { TEMPLATE } from "./global-setup"

export const CREDENTIALS = { clientId: "CANARY-client", clientSecret: "CANARY-secret-7f3a" }

export type Harness = {
  readonly shop: Shop
  readonly admin: Admin
  readonly simulator: Simulator
  readonly store: StoreProcess
  sql<T = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>
  restart(signal?: NodeJS.Signals): Promise<void>
}

export type HarnessOptions = {
  readonly env?: Readonly<Record<string, string>>
  readonly simulator?: SimulatorOptions
}

type Parts = Awaited<ReturnType<typeof open>>

/** For whoever is no suite; what its records say is asked with {@link breachesOf}. */
export async function openHarness(
  options: HarnessOptions = {},
): Promise<{ readonly harness: Harness; close(): Promise<void> }> {
  const parts = await open(options)
  return { harness: harnessOf(() => parts), close: parts.close }
}

/** The books of all three sides. */
export async function breachesOf({ simulator, sql, store }: Harness): Promise<string[]> {
  const query: Query = (text, values) => sql(text, values ? [...values] : [])
  return [
    ...violations({
      book: simulator.book,
      ...(await readSides(query)),
      output: {
        texts: [store.output()],
        secrets: [CREDENTIALS.clientSecret],
        phones: simulator.book.documents().map((document) => document.partyPhone),
      },
    }),
    ...simulator.contractViolations.map((one) => `contract: ${JSON.stringify(one)}`),
  ]
}

let shared: { readonly options: HarnessOptions; readonly harness: Harness } | undefined

/** Registers the hooks of one harness for all suites of this file. */
export function shareHarness(options: HarnessOptions): void {
  shared = { options, harness: registered(options) }
}

/** Registers the suite's hooks; the harness is there inside tests only. */
export function useHarness(options: HarnessOptions = {}): Harness {
  if (!shared) return registered(options)
  expectGiven(options, shared.options)
  return shared.harness
}

function registered(options: HarnessOptions): Harness {
  let parts: Parts | undefined
  const opened = () => {
    if (!parts) throw new Error("the harness is not open")
    return parts
  }
  beforeAll(async () => {
    parts = await open(options)
  })
  const harness = harnessOf(opened)
  // Whatever the test itself looked at.
  afterEach(async () => {
    if (parts) expect(await breachesOf(harness)).toEqual([])
  })
  afterAll(async () => {
    await parts?.close()
  })
  return harness
}

/** @throws where the store that is shared is not the one that a suite asks for */
function expectGiven(asked: HarnessOptions, given: HarnessOptions): void {
  const names = (one: object = {}) => Object.keys(one)
  const lacks = [
    ...names(asked.env).filter((name) => given.env?.[name] === undefined),
    ...names(asked.simulator).filter((name) => !names(given.simulator).includes(name)),
  ]
  if (lacks.length > 0) throw new Error(`the shared store has no ${lacks.join(", ")}`)
}

function harnessOf(opened: () => Parts): Harness {
  return {
    get shop() {
      return opened().shop
    },
    get admin() {
      return opened().admin
    },
    get simulator() {
      return opened().simulator
    },
    get store() {
      return opened().store()
    },
    sql: (text, values) => opened().sql(text, values),
    restart: (signal) => opened().restart(signal),
  }
}

async function open(options: HarnessOptions) {
  const name = `world_${process.pid}_${Date.now().toString(36)}`
  const databaseUrl = await clone(name)
  const simulator = await startSimulator({
    port: 0,
    seed: "test",
    ...CREDENTIALS,
    ...options.simulator,
  })
  const port = await freePort()
  const start = () =>
    startStoreProcess({
      databaseUrl,
      port,
      env: {
        MERCHANT_PAYMENTS_BASE_URL: simulator.url,
        MERCHANT_PAYMENTS_CLIENT_ID: CREDENTIALS.clientId,
        MERCHANT_PAYMENTS_CLIENT_SECRET: CREDENTIALS.clientSecret,
        // It is a clone of one that is; a test whose store has more modules says otherwise.
        DEMO_IS_UP_TO_DATE: "1",
        ...options.env,
      },
    })
  let store = await start()
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const shop = shopAt(store.url, store.publishableKey)
  return {
    shop,
    admin: adminAt(shop),
    simulator,
    store: () => store,
    async sql<T>(text: string, values: unknown[] = []): Promise<T[]> {
      const { rows } = await client.query(text, values)
      return rows as T[]
    },
    async restart(signal: NodeJS.Signals = "SIGKILL") {
      await store.kill(signal)
      store = await start()
    },
    async close() {
      await store.kill("SIGKILL")
      if (process.env["SHOW_STORE_LOG"]) process.stdout.write(store.output())
      await client.end()
      await simulator.close()
    },
  }
}

async function clone(name: string): Promise<string> {
  const url = process.env["TEST_POSTGRES_URL"]
  if (!url) throw new Error("run this suite through jest's http project")
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`create database "${name}" template "${TEMPLATE}"`)
  await client.end()
  const address = new URL(url)
  address.pathname = `/${name}`
  await forgetOrigin(address.href)
  return address.href
}

/** A clone that kept its template's mark would look like a restored backup. */
async function forgetOrigin(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query("delete from mp_database_mark")
  await client.end()
}
