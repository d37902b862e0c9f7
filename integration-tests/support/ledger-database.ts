/**
 * A throw-away PostgreSQL with the ledger's tables, as the migration makes them, and drafts to put
 * in. The pool stands where Medusa's connection pool stands.
 */
import { randomUUID } from "node:crypto"
import { Client, Pool } from "pg"
import { startPostgres } from "../../demo/run/postgres.cjs"
import { advanceOperation, type Advance } from "../../src/ledger/advance-operation"
import { NEW_SETTINGS, NO_POLICIES } from "../../src/core/account-settings"
import { MARKET_CURRENCIES } from "../../src/core/markets"
import { saveAccount } from "../../src/ledger/accounts/find-accounts"
import { databaseOver, type Database, type Row } from "../../src/ledger/database"
import { findById } from "../../src/ledger/find-operations"
import { insertDraft, type Draft } from "../../src/checkout/sql/insert-draft"
import { ofMedusa, type MedusaOperation, type Operation } from "../../src/core/operation"
import { currency, MINUTE, money } from "./an-operation"
import type * as MigrationSql from "./migration-sql"

export type LedgerDatabase = {
  readonly database: Database
  /** For processes with connections of their own. */
  readonly url: string
  /** Plain SQL, for what the ledger has no statement for. */
  sql(text: string, parameters?: readonly unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

/** The address of the server that a run of tests shares, and of the migrated database in it. */
export const SHARED_SERVER = "TEST_LEDGER_SERVER_URL"
const TEMPLATE = "ledger_template"

/**
 * A database with the tables; one account, `mpacc_env`, is there. Its budget of questions is
 * lifted: the tests of the budget set their own. Where the run of tests shares a server it is a
 * clone on that.
 *
 * @param through makes of the database's address the one that is connected to
 */
export async function startLedgerDatabase(
  through: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<LedgerDatabase> {
  const server = process.env[SHARED_SERVER]
  if (server === undefined) return startOwnLedgerDatabase(undefined, through)
  const name = `ledger_${randomUUID().replaceAll("-", "")}`
  await inMaintenance(server, `create database ${name} template ${TEMPLATE}`)
  return openLedger(await through(databaseAt(server, name)), () =>
    inMaintenance(server, `drop database ${name} with (force)`),
  )
}

/**
 * The same on a server of its own, whose settings the caller may change.
 *
 * @param prepare what is done to the empty database before anybody else connects to it
 */
export async function startOwnLedgerDatabase(
  prepare: (url: string) => Promise<void> = async () => {},
  through: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<LedgerDatabase> {
  const postgres = await startPostgres()
  const url = await postgres.createDatabase("ledger")
  await prepare(url)
  await migrate(url)
  return openLedger(await through(url), postgres.stop)
}

/** A server for a whole run, with the database that {@link startLedgerDatabase} clones. */
export async function startSharedServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const { createDatabase, stop, url } = await startPostgres()
  await migrate(await createDatabase(TEMPLATE))
  return { url, stop }
}

async function migrate(url: string): Promise<void> {
  // Only here: the migration's base class loads all of Medusa's way to the database.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { migrationSql, ranSql } = require("./migration-sql") as typeof MigrationSql
  const client = new Client({ connectionString: url })
  await client.connect()
  const statements = [...(await migrationSql("up")), ...ranSql()]
  for (const statement of statements) await client.query(statement)
  await client.end()
}

async function openLedger(url: string, end: () => Promise<void>): Promise<LedgerDatabase> {
  const pool = new Pool({ connectionString: url, max: 30 })
  // `end` answers before the last connection is closed; the server's goodbye to it is no error.
  pool.on("error", () => {})
  // As Medusa's pool does: a line that breaks while it is in use fails its statement, not the
  // process.
  pool.on("connect", (client) => client.on("error", () => {}))
  const database = databaseOfPool(pool)
  await saveAccount(database, {
    ...NEW_SETTINGS,
    id: "mpacc_env",
    label: "Environment",
    baseUrl: "https://gateway.example",
    currencies: MARKET_CURRENCIES.map(currency),
    // The suites of the review want late money in it; who tests the rule turns it on.
    policies: { ...NO_POLICIES, place_late_money: false },
    isDefault: true,
  })
  await pool.query("update mp_account set checks_per_second_max = 1000000, checks_left = 1000000")
  return {
    database,
    url,
    sql: (text, parameters = []) => database.query(text, parameters),
    async stop() {
      await pool.end()
      await end()
    },
  }
}

async function inMaintenance(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function databaseAt(server: string, name: string): string {
  const address = new URL(server)
  address.pathname = `/${name}`
  return address.href
}

/**
 * The ledger's way to Postgres, over a pool that stands where Medusa's stands.
 *
 * @param onError hears of each statement that failed, also of one that goes again
 */
export function databaseOfPool(pool: Pool, onError?: (error: unknown) => void): Database {
  return databaseOver({
    client: {
      async acquireConnection() {
        const client = await pool.connect()
        return {
          async query(statement) {
            try {
              return await client.query(statement)
            } catch (error) {
              onError?.(error)
              throw error
            }
          },
          release: (isBroken: boolean) => client.release(isBroken),
        }
      },
      releaseConnection: (connection) => {
        if ("release" in connection && typeof connection.release === "function") {
          connection.release(connection.__knex__disposed !== undefined)
        }
        return Promise.resolve()
      },
    },
  })
}

/** A draft of 19.99 USD by push, each with a collection and a session of its own. */
export function aDraft(given: Partial<Draft> = {}): Draft {
  const id = randomUUID()
  return {
    id: `mpop_${id}`,
    draftReference: randomUUID(),
    flow: "push",
    accountId: "mpacc_env",
    credentialId: null,
    providerId: "pp_mobile-money_merchant",
    paymentCollectionId: `pay_col_${id}`,
    paymentSessionId: `payses_${id}`,
    cartId: `cart_${id}`,
    orderId: null,
    amount: money(1_999),
    lines: [{ name: "T-shirt", quantity: 1, amount: money(1_999) }],
    sourceType: "ORDER",
    feeBearer: null,
    returnToken: null,
    successUrl: null,
    cancelUrl: null,
    phoneHint: "456",
    customerName: null,
    customerEmail: null,
    searchWords: [],
    windowMs: 30 * MINUTE,
    orderWindowMs: null,
    leaseMs: 0,
    ...given,
  }
}

export async function drafted(
  database: Database,
  given: Partial<Draft> = {},
): Promise<MedusaOperation> {
  const operation = await insertDraft(database, aDraft(given))
  if (!operation) throw new Error("the collection has a live operation already")
  return ofMedusa(operation)
}

/** A draft that was sent under a reference. */
export async function submitted(
  database: Database,
  given: Partial<Draft> = {},
): Promise<MedusaOperation> {
  const draft = await drafted(database, given)
  const sent = await advanced(database, draft, {
    event: "submit",
    code: "ready_to_send",
    changes: {
      reference: randomUUID(),
      sourceId: Math.floor(Math.random() * 1e9),
      sourceStatus: "ACTIVE",
      submittedAt: true,
      lastSentAt: true,
      lastSending: "sending",
      sendings: 1,
    },
    next: { inMs: 2_000 },
  })
  return ofMedusa(sent)
}

/** As `advanceOperation`, for a write that has to succeed. */
export async function advanced(
  database: Database,
  operation: Operation,
  advance: Advance,
): Promise<Operation> {
  const written = await advanceOperation(database, operation, advance)
  if (!written) throw new Error(`${operation.id} could not be written`)
  return written
}

export async function reread(database: Database, operation: Operation): Promise<Operation> {
  const found = await findById(database, operation.id)
  if (!found) throw new Error(`${operation.id} is gone`)
  return found
}

/** A payment of 19.99 USD that Medusa holds, or what is given; its money can be given back. */
export async function collected(
  database: Database,
  given: { readonly changes?: Advance["changes"]; readonly draft?: Partial<Draft> } = {},
): Promise<MedusaOperation> {
  const operation = await submitted(database, given.draft)
  const paid = await advanced(database, operation, {
    event: "complete",
    code: "paid",
    changes: {
      collectedMinor: operation.amount.minor,
      payerCurrency: operation.amount.currency,
      paymentIntentId: Math.floor(Math.random() * 1e9),
      recordedAt: true,
      ...given.changes,
    },
    next: "never",
  })
  return ofMedusa(paid)
}
