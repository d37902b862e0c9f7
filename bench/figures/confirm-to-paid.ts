/**
 * How soon after the gateway completed a payment the order is paid in Medusa, with the shopper on
 * the page, and how many questions to the gateway that costs. Everything runs in real time.
 *
 * Payers confirm as the schedule expects them to: log-normal, median 25 s, 95% within 4 minutes.
 * The few that would take longer are cut to those 4 minutes, or the figure would wait ten minutes
 * for them; `confirmations_cut` says how many. The gateway's clock and the database's are this
 * machine's.
 */
import { PUSH } from "../../integration-tests/http/support/shop"
import type { Benchmark, Figure } from "../figure"
import { query } from "../support/database"
import { many } from "../support/many"
import { followToPaid, startPaying, type Followed } from "../support/shopper"
import { logNormalSlices, median, percentile, shuffled, sum } from "../support/statistics"
import { inHarness, type Harness } from "../support/harness"

const P50_LIMIT_MS = 2_500
const P95_LIMIT_MS = 5_000
export const PAYMENTS = 40
const IN_FLIGHT = 10
const MEDIAN_S = 25
const P95_S = 240
const SLOW_S = 60
const ORDER_SEED = 1
const CARTS_PREPARED_AT_ONCE = 4
/** The first of so many numbers; each payment has its own, and the gateway's plan by it. */
const FIRST_PHONE = 231_886_100_000

export type Payer = { readonly sessionId: string; readonly phone: string }
type Recorded = { session_id: string; reference: string; recorded_at: Date; is_captured: boolean }

export const confirmToPaid: Benchmark = {
  name: "confirm_to_paid_ms",
  on: "store",
  run: (fixture) => inHarness(fixture, {}, measure),
}

async function measure(harness: Harness): Promise<Figure> {
  const { shop } = harness
  const { paid, seen, reads, calls, cut } = await payAll(harness, async ({ sessionId, phone }) => {
    await startPaying(shop, sessionId, phone)
    return followToPaid(shop, sessionId)
  })
  return {
    value: median(paid),
    unit: "ms",
    better: "lower",
    against: "the moment at which the gateway completed it; a webhook through Medusa needs 5000",
    limit: P50_LIMIT_MS,
    samples: PAYMENTS,
    p50: median(paid),
    p95: percentile(paid, 0.95),
    p95_limit: P95_LIMIT_MS,
    slowest: Math.max(...paid),
    status_calls_per_payment: (calls["getCollectionStatus"] ?? 0) / PAYMENTS,
    source_reads_per_payment: (calls["getPaymentSourceStatus"] ?? 0) / PAYMENTS,
    shopper_sees_it_p50: median(seen),
    shopper_sees_it_p95: percentile(seen, 0.95),
    shopper_reads_per_payment: reads / PAYMENTS,
    in_flight_at_most: IN_FLIGHT,
    confirmations_cut: cut,
  }
}

export type PaidAndSeen = {
  /** From the gateway's completion: recorded in Medusa, and on the shopper's screen. */
  readonly paid: readonly number[]
  readonly seen: readonly number[]
  /** Of all shoppers' pages. */
  readonly reads: number
  /** To the gateway, by name. */
  readonly calls: Readonly<Record<string, number>>
  readonly cut: number
}

/** All payments, each followed as `pay` does. */
export async function payAll(
  harness: Harness,
  pay: (payer: Payer) => Promise<Followed>,
): Promise<PaidAndSeen> {
  const { simulator } = harness
  const confirmations = logNormalSlices(MEDIAN_S, P95_S, PAYMENTS)
  const payers = await readyPayers(harness, confirmations)
  await simulator.resetCalls()
  const followed = await many(payers, IN_FLIGHT, pay)
  const calls = await simulator.calls()
  const completed = await simulator.completions()
  const recorded = new Map((await recordedIn(harness)).map((row) => [row.session_id, row]))
  const delays = followed.map(({ sessionId, seenAtMs }) => {
    const row = recorded.get(sessionId)
    const completedAtMs = completed.get(row?.reference ?? "")
    if (!row?.is_captured || completedAtMs === undefined) {
      throw new Error(`${sessionId} is called paid, but Medusa or the gateway knows better.`)
    }
    return {
      paidMs: row.recorded_at.getTime() - completedAtMs,
      seenMs: seenAtMs - completedAtMs,
    }
  })
  return {
    paid: delays.map(({ paidMs }) => paidMs),
    seen: delays.map(({ seenMs }) => seenMs),
    reads: sum(followed.map(({ reads }) => reads)),
    calls,
    cut: confirmations.filter((seconds) => seconds > P95_S).length,
  }
}

/** In an order without a pattern, but the slowest first: last, they would wait for nobody. */
async function readyPayers(
  { shop, simulator }: Harness,
  confirmations: readonly number[],
): Promise<Payer[]> {
  const mixed = shuffled(confirmations, ORDER_SEED)
  const slow = mixed.filter((seconds) => seconds > SLOW_S)
  const quick = mixed.filter((seconds) => seconds <= SLOW_S)
  // The first cart makes the customer whom all the others belong to.
  await shop.cart()
  return many([...[...slow, ...quick].entries()], CARTS_PREPARED_AT_ONCE, async (entry) => {
    const [index, seconds] = entry
    const phone = String(FIRST_PHONE + index)
    const afterMs = Math.min(seconds, P95_S) * 1_000
    await simulator.plan({ phone, outcome: "approve", afterMs })
    return { sessionId: await shop.session(await shop.cart(), PUSH), phone: `+${phone}` }
  })
}

function recordedIn({ databaseUrl }: Harness): Promise<Recorded[]> {
  return query<Recorded>(
    databaseUrl,
    `select o.payment_session_id as session_id, o.reference, o.recorded_at,
            p.captured_at is not null as is_captured
       from mp_operation o join payment p on p.payment_session_id = o.payment_session_id
      where o.recorded_at is not null`,
  )
}
