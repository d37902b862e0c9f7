/** What the flows are given in one process: the real ports, each waiting for its turn. */
import { createHash } from "node:crypto"
import type { Clock, Ids, Logger, Random } from "../../../src/core/ports"
import { idFrom } from "../../../src/core/ids"
import { markedOperationId } from "../../../src/core/source-reference"
import type { FlowDeps } from "../../../src/engine/deps"
import type { MedusaPort } from "../../../src/engine/medusa-port"
import type { Gateway } from "../../../src/gateway"
import type { Database } from "../../../src/ledger/database"
import { callsAround, databaseAround, type Around } from "../../support/ports-around"
import { flowBasics } from "../../support/flow-basics"
import { accountReads, clientIn, type ClientOf } from "./account-reads"
import type { DrivenClock } from "./clock"
import type { Machines } from "./processes"
import type { Release } from "./release"
import type { Process } from "./turn-taking"

/**
 * How often a timer is picked before it fires: most things are faster than a shopper's patience.
 */
const TIMER_PICKS = 3

export type Fixture = {
  readonly clock: DrivenClock
  readonly database: Database
  readonly machines: Machines
  readonly ids: Ids
  readonly random: Random
  readonly log: (line: string) => void
  /** Medusa as this process reaches it, over its own way to the ledger. */
  readonly medusaOf: (
    process: Process,
    database: Database,
    authorize: Release["authorize"],
  ) => MedusaPort
}

export function depsOf(fixture: Fixture, process: Process): FlowDeps {
  const machine = fixture.machines[process.kind]
  // What a call of the client does inside, tokens and tries, it does at once.
  const does: Around = ({ name }, act) => process.does(name, act)
  const database = databaseAround(fixture.database, does)
  // Medusa's workflows ask our provider in the same process, and here come to their end.
  const inMedusa = databaseAround(fixture.database, ({ name }, act) => process.inTurn(name, act))
  const log = (line: string) => {
    if (!process.isDead) fixture.log(line)
  }
  const logger: Logger = { debug: log, info: log, warn: log, error: log }
  const clock = clockOf(fixture.clock, process, machine)
  const clientOf = clientsAround(clientIn(machine.runs.clients), does)
  return {
    ...flowBasics(),
    ...accountReads(database, clock, clientOf, machine.runs.release.listStoredAccounts),
    database,
    logger,
    medusa: fixture.medusaOf(process, inMedusa, machine.runs.release.authorize),
    clock,
    random: fixture.random,
    ids: fixture.ids,
    underWay: machine.runs.release.underWay({ monotonicMs: fixture.clock.nowMs }),
    worker: process.name,
  }
}

/** A client is the same object to its process, as often as it is asked for. */
function clientsAround(clientOf: ClientOf, does: Around): ClientOf {
  const known = new Map<Gateway, Gateway>()
  return (credential) => {
    const gateway = clientOf(credential)
    if (!gateway) return undefined
    const around = known.get(gateway) ?? readFirst(callsAround(gateway, "", does))
    known.set(gateway, around)
    return around
  }
}

/**
 * A list's pages are taken once it is read: what the flow does with a page waits for turns of its
 * own, and nobody has one while a call is out.
 */
function readFirst(gateway: Gateway): Gateway {
  const pagesLater = (acts: Gateway["orders"]): Gateway["orders"] => {
    const stream: Gateway["orders"]["stream"] = async (filter, take, options) => {
      const pages: Parameters<typeof take>[0][] = []
      const keep = (page: Parameters<typeof take>[0]) => Promise.resolve(void pages.push(page))
      const outcome = await acts.stream(filter, keep, options)
      for (const page of pages) await take(page)
      return outcome
    }
    return Object.assign(Object.create(acts) as Gateway["orders"], { stream })
  }
  const lists = { orders: pagesLater(gateway.orders) }
  return Object.assign(Object.create(gateway) as Gateway, lists)
}

/**
 * Time goes on to the end of a pause when the scheduler lets it end; nothing else is late by that.
 */
function clockOf(clock: DrivenClock, process: Process, machine: { aheadMs: number }): Clock {
  return {
    now: () => new Date(clock.nowMs() + machine.aheadMs),
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

/** The same ids in the same order for the same seed, with the mark of a store without keys. */
export function seededIds(seed: number): Ids {
  let made = 0
  const hex = () =>
    createHash("sha256")
      .update(`${seed}/${(made += 1)}`)
      .digest("hex")
  const uuid = () => {
    const digits = hex()
    const part = (from: number, to: number) => digits.slice(from, to)
    return [part(0, 8), part(8, 12), `4${part(13, 16)}`, `8${part(17, 20)}`, part(20, 32)].join("-")
  }
  return {
    operationId: () => markedOperationId(uuid(), flowBasics().digest),
    returnToken: () => hex().slice(0, 32),
    receiptToken: () => hex().slice(0, 32),
    reference: () => idFrom(uuid()),
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
