/**
 * Limits how often shoppers cause calls to the gateway, counted in the database for all processes.
 * A phone number, a cart or a network is stored as a digest whose key the database does not have.
 */
import { unpaidNumberWaitMs } from "./sql/unpaid-number"
import { LIMITS } from "../core/limits"
import type { Clock, Logger } from "../core/ports"
import { phoneWord } from "../core/search-words"
import { giveBackToBuckets, takeFromBuckets, type Bucket } from "../ledger/limits/buckets"
import type { Database } from "../ledger/database"
import { cardsPausedMs, type CardsOf } from "../ledger/limits/declined-cards"
import { BY_CARD, isHeld, noteStart } from "../ledger/limits/network-starts"
import { hasTurn, takeTurn, useTurn } from "../ledger/limits/start-turns"
import type { FlowDeps, ShopperAsk, ShopperLimit } from "../engine/deps"
import { allowance } from "../engine/allowance"

type Counted = "phone" | "cart" | "cardCart" | "cardNetwork" | "cancelled"
type Rule = { readonly atOnce: number; readonly backMs: number }

const RULES: Readonly<Record<Counted, readonly Rule[]>> = {
  phone: [
    { atOnce: LIMITS.startsOfPhoneAtOnce, backMs: LIMITS.startOfPhoneBackMs },
    { atOnce: LIMITS.startsOfPhoneInARow, backMs: LIMITS.startInARowOfPhoneBackMs },
  ],
  cart: [{ atOnce: LIMITS.startsOfCartAtOnce, backMs: LIMITS.startOfCartBackMs }],
  cardCart: [{ atOnce: LIMITS.startsOfCartAtOnce, backMs: LIMITS.startOfCartBackMs }],
  cardNetwork: [
    { atOnce: LIMITS.cardStartsOfNetworkAtOnce, backMs: LIMITS.cardStartOfNetworkBackMs },
  ],
  cancelled: [{ atOnce: LIMITS.cancelsOfPaymentAtOnce, backMs: LIMITS.cancelOfPaymentBackMs }],
}

const COUNTED: readonly Counted[] = ["phone", "cart", "cardCart", "cardNetwork", "cancelled"]

const JUDGED = ["client", "network"] as const
const CARDS_JUDGED = ["customer", "client", "network"] as const
type Say = (what: string, waitMs: number, happened?: string) => void
type Judged = (typeof JUDGED | typeof CARDS_JUDGED)[number]

/** The limits' names in the log, where they differ from the key. */
const SAID: Readonly<Record<string, string>> = {
  client: "browser",
  cardCart: "cart (by card)",
  cardNetwork: "network (by card)",
}

type Parts = Pick<FlowDeps, "digest"> & {
  readonly database: Database
  readonly clock: Pick<Clock, "monotonicMs">
  readonly logger: Pick<Logger, "warn">
}

export function shopperLimit({ database, clock, logger, digest }: Parts): ShopperLimit {
  const say = saying(clock, logger)
  const bucketsOf = (ask: ShopperAsk) => bucketsFor(digest, ask)

  const digestOf = (ask: ShopperAsk, what: Judged) => digestFor(digest, ask, what)

  /** Notes a start, by which its network and browser are judged later. */
  async function note(ask: ShopperAsk): Promise<void> {
    const { counted, started } = ask
    const network = digestOf(ask, "network")
    if (!started || network === null) return
    const { phone } = counted
    const rung =
      started.asks === "phone" && phone !== undefined ? digest(`start of phone:${phone}`) : null
    await noteStart(database, {
      paymentCollectionId: started.paymentCollectionId,
      network,
      client: digestOf(ask, "client"),
      customer: digestOf(ask, "customer"),
      phone: started.asks === "card" ? BY_CARD : rung,
    })
  }

  return {
    turns: {
      has: (key) => hasTurn(database, key),
      take: (ask, refused) => takeTurn(database, ask, refused),
      use: (key) => useTurn(database, key),
    },
    async take(ask) {
      for (const what of JUDGED) {
        const digested = digestOf(ask, what)
        if (digested === null || !(await isHeld(database, what, digested))) continue
        say(what, LIMITS.networkHeldMs)
        return LIMITS.networkHeldMs
      }
      const waits = await takeFromBuckets(database, bucketsOf(ask))
      if (waits.size === 0) await note(ask)
      if (ask.counted.cancelled === undefined) {
        for (const [bucket, waitMs] of waits) say(bucket.replace(/\d*:.*$/, ""), waitMs)
      }
      return Math.max(0, ...waits.values())
    },
    async uncount(ask) {
      await giveBackToBuckets(database, bucketsOf(ask))
    },
    async unpaidNumberMs(digits) {
      const waitMs = await unpaidNumberWaitMs(database, phoneWord(digits, digest))
      if (waitMs > 0) say("phone that has never paid", waitMs)
      return waitMs
    },
    async cardsPaused(ask, accountId) {
      const keys: [CardsOf, string | null][] = [
        ["cart", ask.counted.cardCart ?? null],
        ...CARDS_JUDGED.map((what): [CardsOf, string | null] => [what, digestOf(ask, what)]),
      ]
      const ofShopperMs = await longestPause(database, keys, say)
      return { ofShopperMs, ofAccountMs: await cardsPausedMs(database, "account", accountId) }
    },
  }
}

async function longestPause(
  database: Database,
  keys: readonly [CardsOf, string | null][],
  say: Say,
): Promise<number> {
  let longestMs = 0
  // One query after the other: a start must not take half of the shop's database connections.
  for (const [of, key] of keys) {
    if (key === null) continue
    const waitMs = await cardsPausedMs(database, of, key)
    if (waitMs > 0) say(of, waitMs, "cards are declined")
    longestMs = Math.max(longestMs, waitMs)
  }
  return longestMs
}

function digestFor(digest: FlowDeps["digest"], { counted }: ShopperAsk, what: Judged) {
  const of = counted[what]
  return of === undefined ? null : digest(`start of ${what}:${of}`)
}

/** The buckets that a start takes from. */
function bucketsFor(digest: FlowDeps["digest"], { counted, started }: ShopperAsk): Bucket[] {
  const isByCard = started?.asks === "card"
  const named = { ...counted, cardNetwork: isByCard ? counted.network : undefined }
  return COUNTED.flatMap((what) => {
    const of = named[what]
    if (of === undefined) return []
    return RULES[what].map(({ atOnce, backMs }, index) => {
      const limit = `${what}${index}`
      return {
        // The limit's name is in the digest, so that equal texts of two limits can't be linked.
        key: `${limit}:${digest(`shopper limit ${limit}:${of}`)}`,
        costMs: backMs,
        fillsInMs: atOnce * backMs,
      }
    })
  })
}

/** Makes the function that warns the operator of the shop, naming the limit. */
function saying(clock: Parts["clock"], logger: Parts["logger"]): Say {
  const said = allowance(clock, {
    atOnce: 1,
    earnedBackMs: LIMITS.startsRefusedLoggedEveryMs,
    keysMax: COUNTED.length + JUDGED.length + CARDS_JUDGED.length + 2,
  })
  return (what, waitMs, happened = "payments are started") => {
    const key = `${happened} ${what}`
    if (said.waitMs(key) > 0) return
    said.spend(key)
    logger.warn(
      `merchant payments: too many ${happened} for one ${SAID[what] ?? what}; more are refused ` +
        `for ${Math.ceil(waitMs / 1_000)} s. This is said once a minute.`,
    )
  }
}
