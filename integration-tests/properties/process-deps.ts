/** What the flows are given in one process: the real ports, each waiting for its turn. */
import { createHash } from "node:crypto"
import type { Clock, Ids, Logger, Random } from "../../src/core/ports"
import type { FlowDeps } from "../../src/flows/deps"
import type { Host } from "../../src/flows/host"
import { underWay } from "../../src/flows/under-way"
import type { Gateway } from "../../src/gateway"
import type { Account } from "../../src/ledger/accounts"
import type { Credential } from "../../src/ledger/credentials"
import type { Database } from "../../src/ledger/database"
import { keyedDigest } from "../../src/modules/merchant-payments/secrets/keyed-digest"
import { knownConfirmations } from "../../src/modules/merchant-payments/wiring/known-confirmations"
import type { DrivenClock } from "./clock"
import type { Process } from "./stage"

/** How often a timer is picked before it fires: most things are faster than a shopper's patience. */
const TIMER_PICKS = 3

export type Ground = {
  readonly clock: DrivenClock
  readonly database: Database
  readonly gateway: Gateway
  readonly accounts: readonly Account[]
  readonly credential: Credential
  readonly ids: Ids
  readonly random: Random
  readonly log: (line: string) => void
  /** The host as this process reaches it, over its own way to the ledger. */
  readonly hostOf: (process: Process, database: Database) => Host
}

export function depsOf(ground: Ground, process: Process): FlowDeps {
  const database: Database = {
    query: (...statement) => process.does("ledger", () => ground.database.query(...statement)),
  }
  const gateway = takingTurns(ground.gateway, process)
  const log = (line: string) => {
    if (!process.isDead) ground.log(line)
  }
  const logger: Logger = { debug: log, info: log, warn: log, error: log }
  return {
    database,
    logger,
    host: ground.hostOf(process, database),
    clock: clockOf(ground.clock, process),
    random: ground.random,
    ids: ground.ids,
    failpoints: process.failpoints,
    settings: {
      storefrontOrigins: ["http://localhost:4100"],
      publicUrl: "http://localhost:4101",
    },
    digest: keyedDigest({}),
    confirmationsOf: knownConfirmations(database, { monotonicMs: ground.clock.nowMs }),
    budget: { take: () => Promise.resolve(), pause: () => {}, allow: () => {} },
    shopperLimit: { take: () => Promise.resolve(0), giveBack: () => Promise.resolve() },
    underWay: underWay({ monotonicMs: ground.clock.nowMs }),
    worker: process.name,
    accounts: () => Promise.resolve(ground.accounts),
    gatewayOf: () => gateway,
    credentialOf: () => Promise.resolve(ground.credential),
  }
}

/** Each call of the client waits for its turn; what it does inside, tokens and tries, it does at once. */
function takingTurns<Resource extends object>(
  resource: Resource,
  process: Process,
  path: readonly string[] = [],
): Resource {
  const proxied = new Map<PropertyKey, unknown>()
  return new Proxy(resource, {
    get(target, name) {
      const known = proxied.get(name)
      if (known !== undefined) return known
      const found: unknown = Reflect.get(target, name)
      const itsPath = [...path, String(name)]
      if (name === "token" || found === null) return found
      if (typeof found === "object") {
        const nested = takingTurns(found, process, itsPath)
        proxied.set(name, nested)
        return nested
      }
      if (typeof found !== "function") return found
      return (...given: unknown[]) =>
        process.does(itsPath.join("."), () => Promise.resolve(Reflect.apply(found, target, given)))
    },
  })
}

/** Time goes on to the end of a pause when the scheduler lets it end; nothing else is late by that. */
function clockOf(clock: DrivenClock, process: Process): Clock {
  return {
    now: () => new Date(clock.nowMs()),
    monotonicMs: clock.nowMs,
    async sleep(ms, signal) {
      const endsAtMs = clock.nowMs() + ms
      for (let picks = 0; picks < TIMER_PICKS && !signal?.aborted; picks++) {
        await process.turn("time passes")
      }
      if (!signal?.aborted) clock.pass(endsAtMs - clock.nowMs())
    },
  }
}

/** The same ids in the same order for the same seed. */
export function seededIds(seed: number): Ids {
  let made = 0
  const hex = () =>
    createHash("sha256")
      .update(`${seed}/${(made += 1)}`)
      .digest("hex")
  return {
    operationId: () => `mpop_${hex().slice(0, 32)}`,
    returnToken: () => hex().slice(0, 32),
    reference() {
      const digits = hex()
      const part = (from: number, to: number) => digits.slice(from, to)
      return [part(0, 8), part(8, 12), `4${part(13, 16)}`, `8${part(17, 20)}`, part(20, 32)].join(
        "-",
      )
    },
  }
}

/** At least 0 and below 1, by a linear congruential generator. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return {
    fraction() {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state / 2 ** 32
    },
  }
}
