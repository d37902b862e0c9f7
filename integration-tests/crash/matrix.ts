/**
 * The moments of death, as rehearsals have found them: each journey is played once while nobody
 * dies, and its worker tells each exit that it passes (`support/moments.ts`). So the list is
 * complete, and what a journey or a flow gains is in it. Where two ways are the same from their
 * beginning on, a worker that dies there leaves the same behind: it dies on the first of them only.
 *
 * Apart from being killed, a worker is frozen past its lease, or cut off from its database.
 */
import type { Moment, Passed } from "../support/moments"
import type { Death } from "../histories/death"
import { MEDUSA_CALLS } from "./medusa-calls"
import type { MedusaCallFault } from "./medusa-faults"
import { SHOP_JOURNEYS } from "./medusa-journeys"
import { PAYOUT_JOURNEY, TRANSFER_JOURNEY } from "./payout-journeys"
import type { Shopper } from "./setup"
import { REFUND_SCRIPTS, REFUND_JOURNEY, RETRY_JOURNEY } from "./refund-journeys"
import { OK, SCRIPTS, type Script } from "./scripts"
import { CARD_JOURNEY, OTHER_JOURNEYS, PUSH_JOURNEY, type Journey } from "./journeys"

export type Scenario = {
  readonly journey: Journey
  readonly script: Script
  /** Null: no worker dies. */
  readonly death: Death | null
  /** It tells each exit that it passes. */
  readonly isRehearsed?: boolean
  readonly shopper: Shopper
  /** What becomes of one of Medusa's answers. */
  readonly medusaFault?: MedusaCallFault | null
}

/** A journey as it went while nobody died. */
export type Way = {
  readonly journey: Journey
  readonly script: Script
  readonly passed: readonly Passed[]
}

const SHOPPERS: readonly Shopper[] = ["at once", "later", "never"]

/** An event loop that does not turn, a rejection that nobody handles, a deploy. */
const STUMBLES = ["stall", "unhandled rejection", "SIGTERM"] as const

const CUTS = ["cut before", "cut after"] as const

const LOST = SCRIPTS.filter(({ name }) =>
  /execution (reset after|lost twice)|status down/.test(name),
)

/** Also frozen at each of its moments. */
const FROZEN_JOURNEYS = [PUSH_JOURNEY, CARD_JOURNEY, REFUND_JOURNEY, RETRY_JOURNEY, PAYOUT_JOURNEY]

/** The worker that tells a way is the one that dies on it. */
export function rehearsals(): Scenario[] {
  const journeys = [PUSH_JOURNEY, ...OTHER_JOURNEYS, ...SHOP_JOURNEYS].map((journey) => ({
    journey,
    script: OK,
  }))
  const scripts = [
    ...SCRIPTS.map((script) => ({ journey: PUSH_JOURNEY, script })),
    ...REFUND_SCRIPTS.map((script) => ({ journey: REFUND_JOURNEY, script })),
  ].filter(({ script }) => script.name !== OK.name)
  return [...journeys, ...scripts].map((one) => ({
    ...one,
    death: null,
    isRehearsed: true,
    shopper: "never",
  }))
}

/**
 * @param ways what the {@link rehearsals} passed
 * @param seed chooses what the shopper does; the same seed, the same scenarios in the same order
 */
export function fullMatrix(ways: readonly Way[], seed: number): Scenario[] {
  const killed = ways.flatMap((way, index) =>
    deathsOf(exitsOf(way, ways.slice(0, index)), "SIGKILL").map(on(way)),
  )
  const frozen = ways
    .filter(({ journey, script }) => isFrozenOn(journey, script))
    .flatMap((way, index, all) =>
      exitsOf(way, all.slice(0, index))
        .map(({ exit }) => ({ at: `after ${exit}`, by: "SIGSTOP" }) as const)
        .map(on(way)),
    )
  const push = ways.filter(({ journey }) => journey === PUSH_JOURNEY)
  const [quiet] = push
  const stumbled = quiet
    ? exitsOf(quiet)
        .filter(({ kind }) => kind === "calls")
        .flatMap(({ exit }) => STUMBLES.map((by) => ({ at: `after ${exit}`, by }) as const))
        .map(on(quiet))
    : []
  const cut = push
    .filter(({ script }) => script === OK || script === LOST[0])
    .flatMap((way, index, all) => severed(exitsOf(way, all.slice(0, index))).map(on(way)))
  return withShoppers([...killed, ...frozen, ...stumbled, ...cut], seed)
}

type Told = readonly [journey: Journey, by: Death["by"], ...moments: Moment[]]

/** What `npm test` plays: deaths around each call that moves money, and one of each other kind. */
const SHORT: readonly Told[] = [
  [PUSH_JOURNEY, "SIGKILL", "after checkouts.create=ACTIVE+1", "before executions.collection"],
  [PUSH_JOURNEY, "SIGKILL", "after executions.collection=PROCESSING", "before bus.emit"],
  [PUSH_JOURNEY, "SIGKILL", "after executions.collection=PROCESSING+1"],
  [PUSH_JOURNEY, "SIGKILL", "before medusa.completeCart", "after medusa.settledRecord"],
  [PUSH_JOURNEY, "SIGSTOP", "before executions.collection", "before medusa.completeCart"],
  ...STUMBLES.map((by): Told => [PUSH_JOURNEY, by, "after status.collection=PROCESSING"]),
  ...CUTS.map((by): Told => [PUSH_JOURNEY, by, "before status.source=PAID+1"]),
  [CARD_JOURNEY, "SIGKILL", "before executions.collection"],
  [REFUND_JOURNEY, "SIGKILL", "before sessions.refund", "before executions.refund"],
  [REFUND_JOURNEY, "SIGSTOP", "before medusa.shown+1"],
  [PAYOUT_JOURNEY, "SIGKILL", "before executions.payout"],
  [TRANSFER_JOURNEY, "SIGKILL", "before executions.transfer"],
]

export function shortMatrix(seed: number): Scenario[] {
  const told = SHORT.flatMap(([journey, by, ...moments]) =>
    moments.map((at) => on({ journey, script: OK })({ at, by })),
  )
  return withShoppers(told, seed)
}

/**
 * Calls that move money, open the way for it or write into Medusa, and that no journey makes or no
 * worker dies at: a matrix that does not come to one of these is no proof.
 */
export function callsUnmet(ways: readonly Way[], scenarios: readonly Scenario[]): string[] {
  const made = new Set(ways.flatMap(({ passed }) => passed.map(({ exit }) => exit.split("=")[0])))
  const dying = new Set(scenarios.map(({ death }) => death?.at.replace(/^after |=.*$/g, "")))
  const writes = Object.entries(MEDUSA_CALLS).flatMap(([call, { kind }]) =>
    kind === "writes" ? `medusa.${call}` : [],
  )
  return [...MONEY_CALLS, ...writes].filter((call) => !made.has(call) || !dying.has(call))
}

const MONEY_CALLS = [
  ...["checkouts.create", "orders.create", "orders.publish", "orders.cancel", "links.pay"],
  ...["sessions.checkout", "sessions.refund", "sessions.payout", "sessions.transfer"],
  ...["executions.collection", "executions.refund", "executions.payout"],
  ...["executions.transfer", "bus.emit"],
]

type Unshopped = Omit<Scenario, "shopper">

const on =
  ({ journey, script }: Pick<Way, "journey" | "script">) =>
  (death: Death): Unshopped => ({ journey, script, death })

const isFrozenOn = (journey: Journey, script: Script) =>
  FROZEN_JOURNEYS.includes(journey) &&
  (script === OK || (journey === PUSH_JOURNEY && LOST.includes(script)))

/**
 * Where a way leaves those before it, each exit once: by its name, so that no count of looks
 * matters.
 */
function exitsOf(way: Way, before: readonly Way[] = []): Passed[] {
  const own = distinct(way.passed)
  if (way.journey.hasRivals) return own
  const shared = before.map(({ passed }) => sharedLength(own, distinct(passed)))
  return own.slice(Math.max(0, ...shared))
}

function distinct(passed: readonly Passed[]): Passed[] {
  const seen = new Set<string>()
  return passed.filter(({ exit }) => !seen.has(exit) && seen.add(exit))
}

function sharedLength(one: readonly Passed[], other: readonly Passed[]): number {
  const end = one.findIndex(({ exit }, index) => exit !== other[index]?.exit)
  return end === -1 ? one.length : end
}

/**
 * After each exit that changes something; before a call as well, as its caller has prepared for it.
 */
function deathsOf(exits: readonly Passed[], by: "SIGKILL"): Death[] {
  const begun = new Set<string>()
  return exits.filter(isChange).flatMap(({ exit, kind }) => {
    const [name = exit] = exit.split("=")
    const isFirst = kind === "calls" && !begun.has(name)
    begun.add(name)
    return [
      ...(isFirst ? [{ at: `before ${name}`, by } as const] : []),
      { at: `after ${exit}`, by } as const,
    ]
  })
}

function severed(exits: readonly Passed[]): Death[] {
  return exits
    .filter(({ kind }) => kind === "ledger writes")
    .flatMap(({ exit }) => CUTS.map((by) => ({ at: `before ${exit}`, by }) as const))
}

const READS = /^(status|predictions)\.|\.list\b/

function isChange({ exit, kind }: Passed): boolean {
  if (kind !== "calls") return true
  const [, call] = /^medusa\.(\w+)/.exec(exit) ?? []
  if (call === undefined) return !READS.test(exit)
  return MEDUSA_CALLS[call as keyof typeof MEDUSA_CALLS]?.kind !== "reads"
}

function withShoppers(scenarios: readonly Unshopped[], seed: number): Scenario[] {
  let state = seed >>> 0
  return scenarios.map((scenario) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const shopper = SHOPPERS[Math.floor((state / 2 ** 32) * SHOPPERS.length)] ?? "never"
    return { ...scenario, shopper }
  })
}
