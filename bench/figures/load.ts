/**
 * How many shoppers can press pay in a second on one process of the store, with everything on this
 * machine: they come at a rate that doubles until a start is refused or is slow. Then the flood ends,
 * and the shop has to recover by itself and lose no payment.
 */
import { setTimeout as pause } from "node:timers/promises"
import { PUSH, type Answer, type Paid } from "../../integration-tests/http/support/shop"
import { until } from "../../integration-tests/support/until"
import type { Benchmark, Figure } from "../figure"
import { query } from "../support/database"
import { inHarness, type Harness } from "../support/harness"
import { many } from "../support/many"
import { percentile } from "../support/statistics"

const RATES = [0.5, 1, 2, 4, 8, 16, 32] as const
const STEP_MS = 10_000
const SLOW_MS = 5_000
const RECOVERED_WITHIN_MS = 60_000
const PAID_WITHIN_MS = 10 * 60_000
const CARTS_PREPARED_AT_ONCE = 4
const FIRST_PHONE = 231_886_200_000

type Start = { readonly sessionId: string; readonly tookMs: number; readonly answer: Answer<Paid> }

type Step = {
  readonly rate: number
  readonly starts: readonly Start[]
  readonly p95Ms: number
  /** What gave, in words; undefined: nothing. */
  readonly gave: string | undefined
}

export const load: Benchmark = {
  name: "starts_per_second",
  on: "store",
  run: (fixture) => inHarness(fixture, {}, (harness) => measure(harness, fixture.say)),
}

async function measure(harness: Harness, say: (line: string) => void): Promise<Figure> {
  await harness.simulator.plan({ outcome: "approve", afterMs: 0 })
  // The first cart makes the customer whom all the others belong to.
  await harness.shop.cart()
  const steps: Step[] = []
  for (const rate of RATES) {
    const step = await startAt(harness, rate, steps.length)
    steps.push(step)
    say(`  ${rate} a second: ${step.gave ?? "all accepted"}, p95 ${step.p95Ms.toFixed()} ms`)
    if (step.gave !== undefined) break
  }
  const since = performance.now()
  await untilAccepted(harness)
  const recoveryMs = performance.now() - since
  const all = steps.flatMap(({ starts }) => starts)
  const accepted = all.filter(({ answer }) => answer.status < 300)
  const paidMs = await untilPaid(harness, accepted)
  return {
    value: steps.filter(({ gave }) => gave === undefined).at(-1)?.rate ?? 0,
    unit: "starts a second",
    better: "higher",
    against: "nothing: this machine, with store, database and gateway on it",
    limit: null,
    samples: all.length,
    rates: steps.map(({ rate }) => rate),
    p95_ms: steps.map(({ p95Ms }) => p95Ms),
    gave: steps.at(-1)?.gave ?? "nothing",
    answers_without_a_code: all.filter(({ answer }) => hasNoCode(answer)).length,
    answers_without_a_code_most: 0,
    recovery_ms: recoveryMs,
    recovery_ms_most: RECOVERED_WITHIN_MS,
    accepted: accepted.length,
    all_paid_after_ms: paidMs,
  }
}

const hasNoCode = ({ status, body }: Answer<Paid>) => status >= 300 && body.code === undefined

/** Each comes at its moment, whether those before have been answered or not. */
async function startAt({ shop }: Harness, rate: number, step: number): Promise<Step> {
  const numbers = Array.from({ length: Math.ceil((rate * STEP_MS) / 1_000) }, (_, at) => at)
  const sessions = await many(numbers, CARTS_PREPARED_AT_ONCE, async () =>
    shop.session(await shop.cart(), PUSH),
  )
  const starts = await Promise.all(
    sessions.map(async (sessionId, at): Promise<Start> => {
      await pause((at * 1_000) / rate)
      const since = performance.now()
      const phone = `+${FIRST_PHONE + step * 1_000 + at}`
      const answer = await shop.start(sessionId, { phone })
      return { sessionId, tookMs: performance.now() - since, answer }
    }),
  )
  const p95Ms = percentile(
    starts.map(({ tookMs }) => tookMs),
    0.95,
  )
  const refused = starts.find(({ answer }) => answer.status >= 300)
  const { status, body } = refused?.answer ?? { status: 0, body: {} }
  const slow = p95Ms > SLOW_MS ? `p95 above ${SLOW_MS} ms` : undefined
  return { rate, starts, p95Ms, gave: refused ? `${status} ${String(body.code)}` : slow }
}

/** The first shopper after the flood, who presses again. */
async function untilAccepted({ shop }: Harness): Promise<void> {
  const sessionId = await shop.session(await shop.cart(), PUSH)
  const start = () => shop.start(sessionId, { phone: `+${FIRST_PHONE - 1}` })
  await until(async () => (await start()).status < 300, "a start after the flood is accepted")
}

/** @returns how long it took from now until all have orders */
async function untilPaid({ databaseUrl }: Harness, starts: readonly Start[]): Promise<number> {
  const since = performance.now()
  const ids = starts.map(({ sessionId }) => sessionId)
  const left = async () => {
    const [row] = await query<{ left: number }>(
      databaseUrl,
      `select count(*)::int as left from mp_operation
        where payment_session_id = any($1) and recorded_at is null`,
      [ids],
    )
    return row?.left ?? 0
  }
  await until(async () => (await left()) === 0, "each accepted payment is an order", PAID_WITHIN_MS)
  return performance.now() - since
}
