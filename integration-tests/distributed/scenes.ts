/** What happens to the processes and their services while shoppers pay. */
import type { Cluster, Member } from "./cluster"
import { shoppersOf, type Purchase, type Shoppers } from "./shoppers"

export type Scene = {
  readonly name: string
  readonly about: string
  /**
   * What happens once, or again and again, until the shoppers are done.
   * @returns how many processes were killed, or frozen past their lease
   */
  strike(cluster: Cluster, until: AbortSignal): Promise<number>
  /** So many at least; where it takes longer than they do, shoppers pay on until it has happened. */
  readonly payments: number
  readonly isWhole?: true
}

const KILL_EVERY_MS = 3_000
const REDIS_AWAY_MS = 10_000
const DATABASE_AWAY_MS = 5_000
const FROZEN_MS = 180_000
const FIRST_MS = 3_000

export const SCENES: readonly Scene[] = [
  { name: "calm", about: "nothing happens", payments: 8, strike: () => Promise.resolve(0) },
  {
    name: "workers-killed",
    about: "every 3 s a worker is killed while another one is up",
    payments: 24,
    async strike({ workers }, until) {
      let turn = 0
      while (await pause(KILL_EVERY_MS, until)) {
        // One that is still starting has nothing to lose. Where machines start slowly, the last one
        // that is up goes on, else none would ever live long enough to complete a cart.
        const up = workers.filter((worker) => worker.isReady())
        const victim = up[turn % up.length]
        if (!victim || up.length < 2) continue
        turn += 1
        victim.signal("SIGKILL")
      }
      return turn
    },
  },
  {
    name: "redis-away",
    about: "Redis is gone for 10 s",
    payments: 16,
    async strike({ redis }, until) {
      if (await pause(FIRST_MS, until)) await redis.cut(REDIS_AWAY_MS)
      return 0
    },
  },
  {
    name: "database-cut",
    about: "every connection to PostgreSQL is cut for 5 s",
    payments: 16,
    async strike({ database }, until) {
      if (await pause(FIRST_MS, until)) await database.cut(DATABASE_AWAY_MS)
      return 0
    },
  },
  {
    name: "worker-frozen",
    about: "a worker stands still for 3 minutes, then goes on",
    payments: 16,
    async strike({ workers: [frozen] }, until) {
      if (!frozen || !(await pause(FIRST_MS, until))) return 0
      frozen.signal("SIGSTOP")
      // The others have to do its work, so the shoppers' end does not shorten the sleep.
      await pause(FROZEN_MS)
      frozen.signal("SIGCONT")
      await pause(FIRST_MS)
      return 1
    },
  },
  {
    name: "rolling-restart",
    about: "tables of a next version come, then each process is replaced in turn",
    payments: 24,
    async strike({ members, sql }, until) {
      await sql("alter table mp_operation add column if not exists next_version text")
      for (const member of members) {
        if (!(await pause(FIRST_MS, until))) break
        await replaced(member)
      }
      return 0
    },
  },
]

/** On a cluster that was started from the last release. */
export const UPGRADE: Scene = {
  name: "rolling-upgrade",
  about: "this version's tables come, then each process of the last release is replaced in turn",
  payments: 24,
  isWhole: true,
  async strike(cluster, until) {
    await pause(FIRST_MS, until)
    await cluster.migrate()
    for (const member of cluster.members) {
      // Old and new ones serve the same shoppers meanwhile.
      await pause(FIRST_MS, until)
      cluster.upgrade(member)
      await replaced(member)
    }
    return 0
  },
}

async function replaced(member: Member): Promise<void> {
  member.signal("SIGTERM")
  while (member.isReady()) await pause(50)
  await member.ready()
}

export type Played = {
  readonly purchases: readonly Purchase[]
  /** Processes that were killed, or frozen past their lease. */
  readonly kills: number
}

export async function play(cluster: Cluster, scene: Scene): Promise<Played> {
  const shoppers: Shoppers = await shoppersOf(cluster)
  const over = new AbortController()
  let isStruck = !scene.isWhole
  const strikes = scene.strike(cluster, over.signal).finally(() => (isStruck = true))
  // A failure of either ends the other; the shoppers' own is told first.
  strikes.catch(() => undefined)
  const purchases = await shoppers.pay(scene.payments, () => isStruck).finally(() => over.abort())
  const kills = await strikes
  for (const member of cluster.members) await member.ready()
  return { purchases, kills }
}

/** @returns false if `until` ended it early */
function pause(ms: number, until?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (until?.aborted) return resolve(false)
    const stop = () => {
      clearTimeout(timer)
      resolve(false)
    }
    const timer = setTimeout(() => {
      until?.removeEventListener("abort", stop)
      resolve(true)
    }, ms)
    until?.addEventListener("abort", stop, { once: true })
  })
}
