/**
 * Faults before and after the gateway has carried a call out, which look the same from here. After
 * both the answer is "unknown", the call went out once, and the gateway's own book says what
 * happened. Each fault strikes one call of each effect, and each call meets three;
 * `npm run proof -- --only tables` plays each call against each.
 */
import { startSimulator } from "../../packages/simulator/src"
import type { FaultEntry, Simulator } from "../../packages/simulator/src"
import { createGateway, OPERATIONS } from "../../src/gateway"
import type { Gateway, OperationSpec } from "../../src/gateway"
import { drivenClock } from "../gateway/driven-clock"
import { SCENES } from "../support/gateway-scenes"
import type { Operation, Run } from "../support/gateway-scenes"
import { firstOfEach, isWhole } from "../support/whole-tables"
import { contractOf } from "../contract/support/match"

const isOperation = (name: string): name is Operation => name in SCENES
const effectOf = (name: Operation): OperationSpec["effect"] => OPERATIONS[name].effect
const all = Object.keys(SCENES).filter(isOperation)
const reads = all.filter((name) => effectOf(name) === "read")
const acts = all.filter((name) => effectOf(name) !== "read")
const moves = all.filter((name) => effectOf(name) === "money")

/** Each strikes before, and after the book was changed; with the ids of both. */
const INSTANT = {
  reset: ["N05", "N06"],
  "500": ["N23", "N24"],
  "502": ["N23", "N24"],
  "503": ["N23", "N24"],
  "504": ["N23", "N24"],
  html: ["N12", "N12"],
  shape: ["N13", "N13"],
  huge: ["N14", "N14"],
  redirect: ["N15", "N15"],
} as const
/** Spoil the true answer on its way. */
const SPOILT = { cut: "N10", cut_chunked: "N10", cut_silently: "N11" } as const
/** End with the caller's deadline. */
const ENDLESS = {
  hang: ["N03", "N04"],
  "drip:200": ["N09", "N09"],
  "slow:4000": ["N03", "N04"],
} as const
/** Longer than any good answer takes. */
const SHORT = { deadlineMs: 1_000 }

type Strike = { readonly id: string; readonly fault: FaultEntry; readonly isAfter: boolean }
type Name = keyof typeof INSTANT | keyof typeof ENDLESS
const both = ([name, [before, after]]: readonly [Name, readonly [string, string]]): Strike[] => [
  { id: before, fault: `${name}:before`, isAfter: false },
  { id: after, fault: `${name}:after`, isAfter: true },
]
const STRIKES: readonly Strike[] = [
  ...entries(INSTANT).flatMap(both),
  ...entries(SPOILT).map(([fault, id]) => ({ id, fault, isAfter: true })),
]
const ENDLESS_STRIKES: readonly Strike[] = entries(ENDLESS).flatMap(both)
// The answer to a removal has no fields: any object is one.
const isFault = (name: Operation, { fault }: Strike) =>
  !(name.endsWith("items.remove") && /^(shape|huge)/.test(fault))

const STRIKES_OF_EACH: readonly FaultEntry[] = ["reset:before", "reset:after", "cut"]
const OF_EACH_EFFECT = firstOfEach(all, effectOf)
const strikesOf = (name: Operation) =>
  STRIKES.filter(
    (strike) =>
      isFault(name, strike) &&
      (isWhole || OF_EACH_EFFECT.includes(name) || STRIKES_OF_EACH.includes(strike.fault)),
  )
const endless = acts.filter((name) => isWhole || OF_EACH_EFFECT.includes(name))
const READ_AGAIN_AFTER = ["reset", "500", "cut", "cut_silently"] as const
const failuresOf = (name: Operation) =>
  READ_AGAIN_AFTER.slice(0, isWhole || OF_EACH_EFFECT.includes(name) ? undefined : 1)

let simulator: Simulator
let gateway: Gateway

beforeEach(async () => {
  simulator = await startSimulator({ port: 0, seed: "1" })
  gateway = createGateway({
    baseUrl: simulator.url,
    clientId: "simulator-client",
    clientSecret: "simulator-secret",
    // Nobody waits between two tries.
    clock: drivenClock(new Date()),
  })
})

afterEach(async () => {
  await gateway.close()
  await simulator.close()
})

const prepared = async (name: Operation): Promise<Run> => SCENES[name]({ gateway, simulator })
const callsOf = (name: Operation): number => simulator.calls[contractOf(name).id] ?? 0
/** All that the gateway knows. The ids it has given out are none of it. */
const book = (): string => JSON.stringify({ ...simulator.snapshot(), counters: null })

describe.each(acts)("a call of %s", (name) => {
  it.each(strikesOf(name))(
    "[$id] that meets $fault is unknown, sent once, and done exactly when the book says so",
    async ({ fault, isAfter }) => {
      const run = await prepared(name)
      const before = book()
      const callsBefore = callsOf(name)
      simulator.faults.script(contractOf(name).id, [fault])
      expect(await run()).toMatchObject({
        kind: "unknown",
        error: { code: "GATEWAY_INDETERMINATE", operation: name },
      })
      expect(callsOf(name) - callsBefore).toBe(1)
      // A realtime key is signed and not kept.
      expect(book() !== before).toBe(isAfter && name !== "realtimeKeys.collection")
    },
  )
})

describe("where the deadline ends first,", () => {
  it.each(ENDLESS_STRIKES)(
    "[$id] every act that meets $fault is unknown and sent once",
    async (strike) => {
      const runs = new Map<Operation, Run>()
      for (const name of endless) runs.set(name, await prepared(name))
      simulator.resetCalls()
      for (const name of endless) simulator.faults.script(contractOf(name).id, [strike.fault])
      await Promise.all(
        endless.map(async (name) => {
          expect(await runs.get(name)?.(SHORT)).toMatchObject({
            kind: "unknown",
            error: { code: "GATEWAY_INDETERMINATE", operation: name, reason: "deadline" },
          })
          expect(callsOf(name)).toBe(1)
        }),
      )
    },
  )
})

describe.each(reads)("a read by %s", (name) => {
  it.each(failuresOf(name))("that meets %s succeeds at its second try", async (fault) => {
    const run = await prepared(name)
    const callsBefore = callsOf(name)
    simulator.faults.script(contractOf(name).id, [fault])
    expect(await run()).toMatchObject({ kind: "done" })
    expect(callsOf(name) - callsBefore).toBe(2)
  })
})

describe.each(moves)("[N26] a call of %s", (name) => {
  it.each(["reset:after", "cut", "500:after", "ok"] as const)(
    "that meets %s and is sent again moves the money once",
    async (fault) => {
      const run = await prepared(name)
      simulator.faults.script(contractOf(name).id, [fault])
      await run()
      const moved = movements()
      expect(await run()).toMatchObject({ kind: "done" })
      expect(movements()).toEqual(moved)
      expect(moved.at(-1)).toMatchObject({ times: 1 })
    },
  )
})

/** Each reference that was executed, and how often money is or will be moved under it. */
function movements(): readonly { readonly reference: string; readonly times: number }[] {
  const { executions, refunds, payouts, transfers } = simulator.book.toJSON()
  const references = [...executions, ...refunds, ...payouts, ...transfers].map(
    ({ reference }) => reference,
  )
  return [...new Set(references)].map((reference) => ({
    reference,
    times: references.filter((other) => other === reference).length,
  }))
}

/** As `Object.entries`, with the keys' own type. */
function entries<Key extends string, Value>(table: Readonly<Record<Key, Value>>): [Key, Value][] {
  return Object.entries(table) as [Key, Value][]
}
