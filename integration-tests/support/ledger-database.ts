/**
 * A throw-away PostgreSQL with the ledger's tables, as the migration makes them, and drafts to put in.
 * The pool stands where Medusa's connection pool stands.
 */
import { randomUUID } from "node:crypto"
import { Pool } from "pg"
import { startPostgres } from "../../demo/run/postgres.cjs"
import { advanceOperation, type Advance } from "../../src/ledger/advance-operation"
import { saveAccount } from "../../src/ledger/accounts"
import { databaseOver, type Database, type Row } from "../../src/ledger/database"
import { findById } from "../../src/ledger/find-operations"
import { insertDraft, type Draft } from "../../src/ledger/insert-draft"
import type { Operation } from "../../src/core/operation"
import { Migration20261120090000 } from "../../src/modules/merchant-payments/migrations/Migration20261120090000"
import { Migration20261120130000 } from "../../src/modules/merchant-payments/migrations/Migration20261120130000"
import { Migration20261120160000 } from "../../src/modules/merchant-payments/migrations/Migration20261120160000"
import { currency, MINUTE, money } from "./an-operation"

export type LedgerDatabase = {
  readonly database: Database
  /** For processes with connections of their own. */
  readonly url: string
  /** Plain SQL, for what the ledger has no statement for. */
  sql(text: string, parameters?: readonly unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

/**
 * Starts the server and runs the migrations; one account, `mpacc_env`, is there. Its budget of questions
 * is lifted: the tests of the budget set their own.
 */
export async function startLedgerDatabase(): Promise<LedgerDatabase> {
  const postgres = await startPostgres()
  const url = await postgres.createDatabase("ledger")
  const pool = new Pool({ connectionString: url, max: 30 })
  // `end` answers before the last connection is closed; the server's goodbye to it is no error.
  pool.on("error", () => {})
  // As Medusa's pool does: a line that breaks while it is in use fails its statement, not the process.
  pool.on("connect", (client) => client.on("error", () => {}))
  for (const statement of await migrationSql()) await pool.query(statement)
  const database = databaseOver({
    client: {
      acquireConnection: () => pool.connect(),
      releaseConnection: (connection) => {
        if ("release" in connection && typeof connection.release === "function") {
          connection.release(connection.__knex__disposed !== undefined)
        }
        return Promise.resolve()
      },
    },
  })
  await saveAccount(database, {
    id: "mpacc_env",
    label: "Environment",
    baseUrl: "https://gateway.example",
    sourceType: "ORDER",
    feeBearer: null,
    orderPlacement: "pay_first",
    currencies: ["USD", "LRD", "RWF"].map(currency),
    wireNames: {},
    pushWindowMs: 30 * MINUTE,
    hostedWindowMs: 60 * MINUTE,
    isDefault: true,
  })
  await pool.query(
    `update mp_account set checks_per_second_max = 1000000, checks_per_second = 1000000,
            checks_left = 1000000`,
  )
  return {
    database,
    url,
    sql: (text, parameters = []) => database.query(text, parameters),
    async stop() {
      await pool.end()
      await postgres.stop()
    },
  }
}

/** The statements of the migrations themselves, up, in order. */
async function migrationSql(): Promise<string[]> {
  const statements: string[] = []
  for (const migration of [
    Migration20261120090000,
    Migration20261120130000,
    Migration20261120160000,
  ]) {
    const made: unknown = Reflect.construct(migration, [])
    if (!(made instanceof migration)) throw new Error("not the migration")
    await made.up()
    statements.push(...made.getQueries().map(String))
  }
  return statements
}

/** A draft of 19.99 USD by push, each with a collection and a session of its own. */
export function aDraft(given: Partial<Draft> = {}): Draft {
  const id = randomUUID()
  return {
    id: `mpop_${id}`,
    flow: "push",
    accountId: "mpacc_env",
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
    windowMs: 30 * MINUTE,
    windowEndsAt: null,
    leaseMs: 0,
    ...given,
  }
}

export async function drafted(database: Database, given: Partial<Draft> = {}): Promise<Operation> {
  const operation = await insertDraft(database, aDraft(given))
  if (!operation) throw new Error("the collection has a live operation already")
  return operation
}

/** A draft that was sent under a reference. */
export async function submitted(
  database: Database,
  given: Partial<Draft> = {},
): Promise<Operation> {
  const draft = await drafted(database, given)
  return advanced(database, draft, {
    event: "submit",
    why: "everything is ready",
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
