/**
 * The soak: thousands of shoppers, some dozens at a time, over two workers of which one is struck
 * every few seconds, while one call in twenty to the gateway meets a fault. Then all is let come to
 * rest, and the oracle compares book, ledger and shop.
 *
 * The shop stands in for Medusa and lives in this process, which nobody strikes, as Medusa's tables
 * outlive a process of it. Everything else is the product over a real Postgres and real sockets.
 */
import type { Temper } from "../../packages/simulator/src"
import { FAULT_KINDS, isFaultEntry, type FaultKind } from "../../packages/simulator/src/faults"
import type { Judged } from "../histories/judges"
import { openSimulator } from "../histories/gateway"
import { DAY, HOUR, SECOND } from "../support/an-operation"
import { startLedgerDatabase } from "../support/ledger-database"
import { diceOf } from "./dice"
import { startFleet } from "./fleet"
import { Onlooker } from "../histories/onlooker"
import { Reader } from "../histories/reader"
import { skipped, takeOverClock, worldNowMs, type Pace } from "../histories/pace"
import { scenarioAt, type Scenario } from "./scenarios"
import { Shop } from "../histories/shop"
import { Shopper, type SoakHarness } from "./shopper"
import { turnstile } from "./turnstile"
import { judgeSoak, type SoakJudgement } from "./judge"
import { beginStrikes } from "./strikes"

export type SoakOptions = {
  readonly payments: number
  readonly seed: number
  /** How often faster than ours the clocks of the soak's harness go. Default 10. */
  readonly speed?: number
  /** How the gateway writes its answers. Default: as the contract says. */
  readonly wire?: Temper | undefined
  readonly say?: (line: string) => void
}

export type Soaked = SoakJudgement & {
  /** Processes that were killed, stopped or frozen past their lease, and lines that were cut. */
  readonly kills: number
  /** What people were shown, meanwhile and at the end: how often each property was judged. */
  readonly judged: Judged
}

const SPEED = 10
/** Deadlines of calls go slower than the harness, so that a busy machine is no fault of its own. */
const HASTE = 5
const FAULT_RATE = 0.05
const AT_ONCE = 90
/** Who presses a button stands in line for it: as many as a small machine serves in good time. */
const PRESS_AT_ONCE = 8
/**
 * The account's settings, changed while payments are under way, as a merchant may; and a gateway
 * whose statuses lag or whose sessions run out, which are sent again with another.
 */
const SETTINGS = [
  { feeBearer: null, refundsOrphans: false, placement: "pay_first", timing: { statusLagMs: 0 } },
  {
    feeBearer: "PAYER",
    refundsOrphans: false,
    placement: "order_first",
    timing: { statusLagMs: 15 * SECOND },
  },
  {
    feeBearer: null,
    refundsOrphans: true,
    placement: "order_first",
    timing: { statusLagMs: 0, sessionLifeMs: 20 * SECOND },
  },
  {
    feeBearer: "PAYEE",
    refundsOrphans: true,
    placement: "pay_first",
    timing: { statusLagMs: 15 * SECOND, sourceLagMs: 10 * SECOND },
  },
] as const
const LONG_AFTER_MS = 7 * DAY
/** What is skipped while nothing happens: more, the longer it has been quiet. */
const SKIP = { leastMs: 30 * SECOND, mostMs: HOUR, partOfAge: 1 / 20 }
const SKIPS_MAX = 2_000
const MENDS_MAX = 4
const SAY_EVERY = 500
/** How often pages are read while shoppers pay. */
const LOOKS = 20
/** Of rows and open pages, so many are looked at one by one. */
const JUDGED_MOST = 100

/** Arguments that keep a fault shorter than the patience of the whole test. */
const ARGUMENTS: Partial<Record<FaultKind, string>> = { refuse: ":20", slow: ":300", drip: ":1" }
/** All kinds, before and after the gateway has carried out the call. */
const FAULTS = FAULT_KINDS.flatMap((kind) =>
  ["before", "after"].map((moment) => `${kind}${ARGUMENTS[kind] ?? ""}:${moment}`),
).filter(isFaultEntry)

const DUE = `
  select (extract(epoch from min(greatest(next_check_at, coalesce(lease_until, next_check_at)))
          - now()) * 1000)::double precision as in_ms
    from mp_operation
   where next_check_at is not null`

export async function soak(options: SoakOptions): Promise<Soaked> {
  const { payments, seed, speed = SPEED, wire = "tidy", say = () => {} } = options
  const ledger = await startLedgerDatabase()
  const clock = await takeOverClock(ledger.url)
  let pace: Pace = { realMs: Date.now(), worldMs: Date.now(), speed }
  await clock.set(pace)
  const nowMs = () => worldNowMs(pace)
  const simulator = await openSimulator(seed, nowMs, {
    wire,
    randomFaults: { seed: String(seed), rate: FAULT_RATE, kinds: FAULTS },
  })
  const shop = new Shop(nowMs)
  const medusa = shop.medusa(ledger.database)
  const surprises: string[] = []
  const fleet = await startFleet({
    databaseUrl: ledger.url,
    medusa,
    opening: () => ({ gatewayUrl: simulator.url, speed: HASTE, death: null, pace }),
    onSurprise: (surprise) => void surprises.push(surprise),
  })
  const harness: SoakHarness = {
    fleet,
    shop,
    medusa,
    simulator,
    query: (sql, parameters) => ledger.sql(sql, parameters),
    inTurn: turnstile(PRESS_AT_ONCE),
    pause: (ms) => new Promise((resolve) => void setTimeout(resolve, ms / speed)),
  }
  const scenarios = new Map<string, Scenario>()
  let seen = shop
  const reader = await Reader.open(ledger.url)
  const onlooker = new Onlooker(
    simulator,
    diceOf(seed, "onlooker"),
    () => reader.deps(seen, nowMs),
    {
      get carts() {
        return seen.carts
      },
      compares: false,
      sessionIds: shop.sessionIds,
      phoneOf: ({ cart_id: id }) => `+${phoneOf(Number(id?.split("_").at(-1)))}`,
      most: JUDGED_MOST,
    },
  )
  const inTurn = turnstile(1)

  try {
    const striking = beginStrikes(fleet, diceOf(seed, "strikes"))
    const stopPatrol = fleet.patrol()
    let begun = 0
    const shopUntilAllCame = async () => {
      while (begun < payments) {
        begun += 1
        await shopOnce(begun)
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, payments) }, shopUntilAllCame))
    await stopPatrol()
    say(`all ${payments} have gone; what they left comes to rest`)
    await comeToRest()
    const kills = await striking.end()
    await mend()
    await look(true)
    // What comes after everybody has stopped looking is lost: the book's end is the truth.
    await skip(LONG_AFTER_MS)
    const judgement = await judgeSoak({
      query: harness.query,
      simulator,
      carts: shop.carts,
      scenarios,
      texts: fleet.output(),
      phones: Array.from({ length: payments }, (_one, index) => phoneOf(index + 1)),
      surprises,
    })
    return { ...judgement, kills, judged: onlooker.judged }
  } finally {
    await fleet.end()
    await reader.close()
    await simulator.close()
    await clock.close()
    await ledger.stop()
  }

  async function shopOnce(number: number): Promise<void> {
    const dice = diceOf(seed, `shopper ${number}`)
    const scenario = scenarioAt(dice.fraction())
    const collectionId = `pay_col_${number}`
    scenarios.set(collectionId, scenario)
    await changeSettings(number)
    await scenario.play(new Shopper(harness, dice, collectionId, phoneOf(number)))
    if (number % Math.ceil(payments / LOOKS) === 0) await look()
    if (number % SAY_EVERY === 0) say(`${number} of ${payments}`)
  }

  /** All pages are of one moment, whatever is written meanwhile. */
  async function look(isQuiet = false): Promise<void> {
    const found = await inTurn(() =>
      reader.atOneMoment(() => {
        seen = shop.copy()
        return onlooker.look(isQuiet)
      }),
    )
    surprises.push(...found)
  }

  async function changeSettings(number: number): Promise<void> {
    const every = Math.ceil(payments / SETTINGS.length)
    const settings = SETTINGS[Math.floor(number / every)]
    if (number % every !== 0 || !settings) return
    simulator.timing.set(settings.timing)
    await ledger.sql(
      `update mp_account
          set fee_bearer = $1, order_placement = $3,
              policies = jsonb_build_object('refund_orphans', $2::boolean, 'place_late_money', false)`,
      [settings.feeBearer, settings.refundsOrphans, settings.placement],
    )
  }

  async function comeToRest(): Promise<void> {
    const sinceMs = worldNowMs(pace)
    for (let skips = 0; skips < SKIPS_MAX; skips++) {
      await fleet.passUntilIdle()
      const [row] = await ledger.sql(DUE)
      const inMs = row?.["in_ms"]
      if (inMs === null || inMs === undefined) return
      const quietMs = (worldNowMs(pace) - sinceMs) * SKIP.partOfAge
      await skip(Math.max(Number(inMs), Math.min(SKIP.mostMs, Math.max(SKIP.leastMs, quietMs))))
    }
    surprises.push(`I7: not at rest after ${SKIPS_MAX} skips`)
  }

  /**
   * The sweep, as it comes by each quarter of an hour; the first may meet a line that is still cut.
   */
  async function mend(): Promise<void> {
    for (let tries = 0; tries < MENDS_MAX; tries++) {
      if ((await fleet.ask(tries % fleet.size, { act: "mend" })).kind === "done") return
    }
    surprises.push(`I7: not mended after ${MENDS_MAX} sweeps`)
  }

  async function skip(ms: number): Promise<void> {
    pace = skipped(pace, ms)
    await clock.set(pace)
    for (let place = 0; place < fleet.size; place++) await fleet.ask(place, { act: "pace", pace })
  }
}

/**
 * Digits, of an operator that the gateway serves; another for each of 9,999 shoppers. None ends as
 * a number with a behaviour of its own in the simulator: one ending in 09 pays a card too much.
 */
function phoneOf(number: number): string {
  return `231770${String(number).padStart(4, "0")}50`
}
