/**
 * What open pages cost a store that tells them of their payments: 500 on one payment, and 1,500 on
 * one each. Statements and memory are compared with the same store without a page. The delay is
 * that from a change in the ledger until a page has read it, beside that of a reader in this
 * process that asks the database for one payment after each half second.
 */
import { setTimeout as pause } from "node:timers/promises"
import { Client } from "pg"
import { PUSH, expectOk, walletOf } from "../../integration-tests/http/support/shop"
import { LIMITS } from "../../src/core/limits"
import type { Benchmark, Figure } from "../figure"
import { query } from "../support/database"
import { eventPages, type EventPages } from "../support/event-pages"
import type { Fixture } from "../support/fixture"
import { inHarness, type Harness } from "../support/harness"
import { many } from "../support/many"
import { STORE_BYTES_LIMIT, STREAM_BYTES_LIMIT } from "../support/memory-limits"
import { median, percentile } from "../support/statistics"

/** Two readings a second, and what an idle store does more in one window than in another. */
const STATEMENTS_LIMIT = 2.5
const CPU_PERCENT_LIMIT = 20
const TICK_MS = LIMITS.streamsReadEveryMs
const CROWD = 500
const SINGLES = 1_500
/** Each stays below what one network may have open. */
const NETWORKS = 4
const OPENED_AT_ONCE = 20
const WARM_UP = 200
const WINDOW_MS = 30_000
const ROUNDS = 20
/** Payments that change in a round, beside the crowd's. */
const CHANGED = 50
const NEWS_WITHIN_MS = 30_000
const MB = 2 ** 20

export const eventStreams: Benchmark = {
  name: "event_streams",
  on: "store",
  run: (fixture) => inHarness(fixture, {}, (harness) => measure(fixture, harness)),
}

async function measure(fixture: Fixture, harness: Harness): Promise<Figure> {
  const [crowd = "", ...singles] = await waitingPayments(harness, 1 + SINGLES)
  const warmUp = eventPages(harness.store)
  await openAll(warmUp, singles.slice(0, WARM_UP))
  warmUp.close()
  const idle = await windowOf(fixture, harness)
  const pages = eventPages(harness.store)
  try {
    const opened = Array.from({ length: CROWD }, () => crowd)
    await openAll(pages, [...opened, ...singles])
    fixture.say(`  ${CROWD + SINGLES} streams are open`)
    const open = await windowOf(fixture, harness)
    const { told, polled } = await delaysOf(harness, pages, { crowd, singles })
    const streams = CROWD + SINGLES
    const perStream = (ofOpen: number, ofIdle: number) => ((ofOpen - ofIdle) * MB) / streams
    return {
      value: open.statements - idle.statements,
      unit: "statements a second",
      better: "lower",
      against: "the same store without a page; a reading each half second",
      limit: STATEMENTS_LIMIT,
      samples: WINDOW_MS / 1_000,
      streams,
      streams_of_one_payment: CROWD,
      rss_bytes_per_stream: perStream(open.rssMb, idle.rssMb),
      rss_bytes_per_stream_limit: STREAM_BYTES_LIMIT,
      heap_bytes_per_stream: perStream(open.heapMb, idle.heapMb),
      idle_rss_mb: idle.rssMb,
      idle_rss_mb_limit: STORE_BYTES_LIMIT / MB,
      cpu_percent: open.cpuPercent - idle.cpuPercent,
      cpu_percent_limit: CPU_PERCENT_LIMIT,
      delay_ms_p50: median(told),
      delay_ms_p50_limit: median(polled) + TICK_MS,
      delay_ms_p95: percentile(told, 0.95),
      delay_ms_p95_limit: percentile(polled, 0.95) + 2 * TICK_MS,
      polled_ms_p50: median(polled),
      polled_ms_p95: percentile(polled, 0.95),
      events_measured: told.length,
    }
  } finally {
    pages.close()
  }
}

/**
 * Payments of which a prompt is on the phone, all but one copied in the ledger: it is the store's
 * reading that is measured. No check of them is due, so only the pages make statements.
 * @returns their payment sessions
 */
async function waitingPayments({ shop, databaseUrl }: Harness, count: number): Promise<string[]> {
  const phone = walletOf()
  const sessionId = await shop.session(await shop.cart({ phone }), PUSH)
  await expectOk(shop.start(sessionId))
  const rows = await query<{ session_id: string }>(
    databaseUrl,
    `with copied as (
       insert into mp_operation
       select (jsonb_populate_record(o, jsonb_build_object(
                'id', 'mpop_bench_' || n, 'payment_collection_id', 'pay_col_bench_' || n,
                'payment_session_id', 'payses_bench_' || n, 'cart_id', null,
                'state', 'in_flight', 'source_id', null, 'reference', gen_random_uuid(),
                'payment_intent_id', null, 'provider_transaction_id', null,
                'next_check_at', null, 'lease_token', null, 'lease_until', null,
                'receipt_due_at', null))).*
         from mp_operation o, generate_series(1, $2::int) n
        where o.payment_session_id = $1
       returning id, payment_session_id, payment_collection_id
     )
     insert into mp_operation_session (payment_session_id, operation_id, payment_collection_id)
     select payment_session_id, id, payment_collection_id from copied
     returning payment_session_id as session_id`,
    [sessionId, count],
  )
  return rows.map((row) => row.session_id)
}

async function openAll(pages: EventPages, sessionIds: readonly string[]): Promise<void> {
  await many([...sessionIds.entries()], OPENED_AT_ONCE, ([index, sessionId]) =>
    pages.open(sessionId, `10.0.0.${(index % NETWORKS) + 1}`),
  )
}

type Window = { statements: number; rssMb: number; heapMb: number; cpuPercent: number }

async function windowOf(fixture: Fixture, { store }: Harness): Promise<Window> {
  const before = await store.probe({ collected: true })
  const since = performance.now()
  await pause(WINDOW_MS)
  const after = await store.probe()
  const elapsedMs = performance.now() - since
  // Apart from the CPU: the log of the statements costs some.
  const { length: statements } = await fixture.statementsDuring(() => pause(WINDOW_MS))
  const { rssBytes, heapBytes } = await store.probe({ collected: true })
  return {
    statements: statements / (WINDOW_MS / 1_000),
    rssMb: rssBytes / MB,
    heapMb: heapBytes / MB,
    cpuPercent: ((after.cpuMs - before.cpuMs) / elapsedMs) * 100,
  }
}

type Delays = { readonly told: readonly number[]; readonly polled: readonly number[] }

/** The crowd's payment and some others change together, at another moment of the tick each time. */
async function delaysOf(
  { databaseUrl }: Harness,
  pages: EventPages,
  { crowd, singles }: { readonly crowd: string; readonly singles: readonly string[] },
): Promise<Delays> {
  const [told, polled]: [number[], number[]] = [[], []]
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const changed = [crowd, ...singles.slice(round * CHANGED, (round + 1) * CHANGED)]
      const hint = String(100 + round)
      const heard = heardBy(pages, hint, CROWD + CHANGED)
      const seen = seenBy(client, crowd, hint)
      await pause((TICK_MS * round) / ROUNDS)
      const rows = await query<{ at: Date }>(
        databaseUrl,
        `update mp_operation set phone_hint = $1 where payment_session_id = any($2)
         returning clock_timestamp() as at`,
        [hint, changed],
      )
      const changedAtMs = rows.at(-1)?.at.getTime() ?? Number.NaN
      const [arrivals, seenAtMs] = await Promise.all([heard, seen])
      told.push(...arrivals.map((atMs) => atMs - changedAtMs))
      polled.push(seenAtMs - changedAtMs)
    }
    return { told, polled }
  } finally {
    await client.end()
  }
}

/** When each page was told of it. */
function heardBy(pages: EventPages, hint: string, count: number): Promise<number[]> {
  const arrivals: number[] = []
  return new Promise((resolve, reject) => {
    const missing = () => reject(new Error(`Only ${arrivals.length} of ${count} pages were told.`))
    const timer = setTimeout(missing, NEWS_WITHIN_MS)
    pages.onNews(({ payment, atMs }) => {
      if (payment.phone_hint !== hint || arrivals.push(atMs) < count) return
      clearTimeout(timer)
      resolve(arrivals)
    })
  })
}

/** When a reader that asks after each half second saw it. */
async function seenBy(client: Client, sessionId: string, hint: string): Promise<number> {
  for (;;) {
    await pause(TICK_MS)
    const { rows } = await client.query<{ phone_hint: string }>(
      "select phone_hint from mp_operation where payment_session_id = $1",
      [sessionId],
    )
    if (rows[0]?.phone_hint === hint) return Date.now()
  }
}
