/**
 * How many payments that the gateway has confirmed become orders in a second, with one, two and four
 * worker processes on this machine, over Medusa's `complete-cart` alone: the same carts with Medusa's
 * own provider, completed over HTTP by as many processes with as many at once. In turns.
 *
 * The payments are made in a store without jobs, so that all wait when the workers begin. A rate goes
 * from the first order to the last, so that neither the boot of a process nor the wait for its first
 * pass counts. The account's bound of questions, which is a setting, is at its highest: at 20 a second
 * it would be what is measured.
 */
import { LIMITS } from "../../src/core/limits"
import { shopAt } from "../../integration-tests/http/support/shop"
import { until } from "../../integration-tests/support/until"
import type { Benchmark, Figure } from "../figure"
import { query } from "../support/database"
import type { Fixture } from "../support/fixture"
import { inHarness, type Harness } from "../support/harness"
import { many } from "../support/many"
import { offerSystemProvider, readyCarts, startByPhone, SYSTEM } from "../support/orders"
import { median } from "../support/statistics"
import { startStore, type Store } from "../support/store"
import { storeWithoutJobs } from "../support/store-without-jobs"

const LEAST = 0.9
const WORKERS = [1, 2, 4] as const
const ROUNDS = 2
const CARTS = 48
const SETTLED_WITHIN_MS = 10 * 60_000
const FIRST_PHONE = 231_886_300_010
/** The most that an account can be set to. */
const QUESTIONS = 1_000

type Rates = { readonly workers: number; readonly own: number[]; readonly floor: number[] }

export const settle: Benchmark = {
  name: "settle_ratio",
  on: "store",
  run(fixture) {
    const directory = storeWithoutJobs(fixture)
    return inHarness(fixture, { directory }, (harness) => measure(fixture, harness, directory))
  },
}

async function measure(fixture: Fixture, harness: Harness, bare: string): Promise<Figure> {
  await offerSystemProvider(harness)
  await harness.simulator.plan({ outcome: "approve", afterMs: 0 })
  // The first cart makes the customer whom all the others belong to.
  await harness.shop.cart()
  const all: Rates[] = WORKERS.map((workers) => ({ workers, own: [], floor: [] }))
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const { workers, own, floor } of all) {
      floor.push(await completedPerSecond(harness, bare, workers))
      own.push(await settledPerSecond(harness, fixture.storeDirectory, workers))
      fixture.say(
        `  ${workers} workers: ${own.at(-1)?.toFixed(1)} over ${floor.at(-1)?.toFixed(1)} a second`,
      )
    }
  }
  const ratioOf = ({ own, floor }: Rates) =>
    median(own.map((rate, round) => rate / (floor[round] ?? Number.NaN)))
  const [one = Number.NaN, two = Number.NaN, four = Number.NaN] = all.map(ratioOf)
  return {
    value: one,
    unit: "times the floor",
    better: "higher",
    against: `the same carts completed with ${SYSTEM}, ${LIMITS.settlesInFlight} at once a process`,
    limit: LEAST,
    samples: ROUNDS,
    with_two: two,
    with_two_least: LEAST,
    with_four: four,
    with_four_least: LEAST,
    workers: WORKERS,
    settled_per_second: all.map(({ own }) => median(own)),
    completed_per_second: all.map(({ floor }) => median(floor)),
    carts: CARTS,
  }
}

async function settledPerSecond(
  harness: Harness,
  directory: string,
  workers: number,
): Promise<number> {
  const { databaseUrl } = harness
  const carts = await readyCarts(harness, CARTS)
  // A number that is asked to pay all day and never does would be refused.
  const payers = [...carts.entries()]
  await many(payers, LIMITS.settlesInFlight, ([at, cartId]) =>
    startByPhone(harness, cartId, `+${FIRST_PHONE + at}`),
  )
  // Until all workers are up.
  await query(
    databaseUrl,
    "update mp_operation set next_check_at = now() + interval '1 hour' where recorded_at is null",
  )
  return withStores(harness, { directory, count: workers, mode: "worker" }, async () => {
    await query(
      databaseUrl,
      `update mp_account set checks_per_second_max = ${QUESTIONS}, checks_left = ${QUESTIONS}`,
    )
    await query(
      databaseUrl,
      "update mp_operation set next_check_at = now() where recorded_at is null",
    )
    const recorded = () => query<{ count: number; seconds: number }>(databaseUrl, RECORDED, [carts])
    const isWhole = async () => (await recorded()).find(({ count }) => count === CARTS)
    const { seconds } = await until(isWhole, "all carts are orders", SETTLED_WITHIN_MS)
    return (CARTS - 1) / seconds
  })
}

const RECORDED = `
  select count(*)::int as count,
         extract(epoch from max(recorded_at) - min(recorded_at))::float8 as seconds
    from mp_operation where cart_id = any($1) and recorded_at is not null`

async function completedPerSecond(
  harness: Harness,
  directory: string,
  processes: number,
): Promise<number> {
  const carts = await readyCarts(harness, CARTS)
  await many(carts, LIMITS.settlesInFlight, (cartId) => harness.shop.session(cartId, SYSTEM))
  return withStores(harness, { directory, count: processes, mode: "server" }, async (stores) => {
    const doneAtMs: number[] = []
    const queue = [...carts]
    await Promise.all(
      stores.map(async ({ url }) => {
        const shop = shopAt(url, harness.store.publishableKey)
        const next = async () => {
          for (let cartId = queue.shift(); cartId !== undefined; cartId = queue.shift()) {
            const { status, body } = await shop.complete(cartId)
            if (status !== 200 || body.type !== "order") throw new Error(JSON.stringify(body))
            doneAtMs.push(performance.now())
          }
        }
        await Promise.all(Array.from({ length: LIMITS.settlesInFlight }, next))
      }),
    )
    const seconds = ((doneAtMs.at(-1) ?? 0) - (doneAtMs[0] ?? 0)) / 1_000
    return (CARTS - 1) / seconds
  })
}

type Wanted = {
  readonly directory: string
  readonly count: number
  readonly mode: "worker" | "server"
}

/** Processes of the store on the harness' database and gateway, ended afterwards. */
async function withStores<T>(
  { databaseUrl, simulator }: Harness,
  { directory, count, mode }: Wanted,
  work: (stores: readonly Store[]) => Promise<T>,
): Promise<T> {
  const env = { ...simulator.gateway, DEMO_IS_SEEDED: "1", MEDUSA_WORKER_MODE: mode }
  const stores: Store[] = []
  try {
    for (let at = 0; at < count; at += 1) {
      stores.push(await startStore({ directory, databaseUrl, isUpToDate: true, env }))
    }
    return await work(stores)
  } finally {
    await Promise.all(stores.map((store) => store.stop()))
  }
}
