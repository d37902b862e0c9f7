/**
 * Somebody who only reads pages: from the ledger as it is at one moment, whoever writes meanwhile,
 * and from Medusa. No page asks the gateway.
 */
import { Client } from "pg"
import { storeIds, systemRandom, type Clock, type Logger } from "../../src/core/ports"
import type { FlowDeps } from "../../src/engine/deps"
import { listAccounts } from "../../src/ledger/accounts/find-accounts"
import { databaseOver, type Database } from "../../src/ledger/database"
import { keyedDigest } from "../../src/medusa/secrets/keyed-digest"
import { underWay } from "../../src/worker/under-way"
import { flowBasics } from "../support/flow-basics"
import { WRITES } from "../support/ports-around"
import type { Shop } from "./shop"

/** A page's span ends when it is read: after what was done last. */
const LATER_MS = 1_000

/** On tables so small, planning is most of what a statement costs. */
const SETTINGS = "set jit = off; set plan_cache_mode = force_generic_plan"

const silent = () => {}
const logger: Logger = { debug: silent, info: silent, warn: silent, error: silent }

export class Reader {
  private readonly database: Database

  private constructor(private readonly client: Client) {
    const { query } = databaseOver({
      client: {
        acquireConnection: () => Promise.resolve(client),
        releaseConnection: () => Promise.resolve(),
      },
    })
    // One after the other, each by a name; none in a transaction of its own, which would end the
    // reader's.
    let last: Promise<unknown> = Promise.resolve()
    this.database = {
      query(text, parameters, how) {
        // What a page notes on the way, such as that an order is open, nobody is to act on.
        if (WRITES.test(text)) return Promise.resolve([])
        const ask = () => query(text, parameters, typeof how === "string" ? how : "read")
        const rows = last.then(ask, ask)
        last = rows
        return rows
      },
    }
  }

  static async open(databaseUrl: string): Promise<Reader> {
    const client = new Client({ connectionString: databaseUrl })
    client.on("error", () => {})
    await client.connect()
    await client.query(SETTINGS)
    return new Reader(client)
  }

  async atOneMoment<T>(read: () => Promise<T>): Promise<T> {
    await this.client.query("begin isolation level repeatable read read only")
    try {
      return await read()
    } finally {
      await this.client.query("rollback")
    }
  }

  /** @param nowMs the ledger's time */
  deps(shop: Shop, nowMs: () => number): FlowDeps {
    const { database } = this
    const clock: Clock = {
      now: () => new Date(nowMs() + LATER_MS),
      monotonicMs: nowMs,
      sleep: () => Promise.resolve(),
    }
    let accounts: ReturnType<FlowDeps["accounts"]> | undefined
    return {
      ...flowBasics(),
      database,
      logger,
      medusa: shop.medusa(database),
      clock,
      random: systemRandom,
      ids: storeIds(keyedDigest({})),
      underWay: underWay(clock),
      worker: "reader",
      accounts: () => (accounts ??= listAccounts(database)),
      credentialOf: () => Promise.reject(new Error("a page asks the gateway")),
      gatewayOf: () => undefined,
    }
  }

  close(): Promise<void> {
    return this.client.end()
  }
}
