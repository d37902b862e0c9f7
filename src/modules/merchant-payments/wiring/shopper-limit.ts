/**
 * How often shoppers may make the gateway work, counted in the database by all processes together. What
 * is counted is known by a keyed hash: of the encryption key where there is one, so that the database
 * alone tells no phone number, else of a random key that the database keeps.
 */
import { createHmac, randomBytes } from "node:crypto"
import { allowance } from "../../../core/allowance"
import { LIMITS } from "../../../core/limits"
import type { Clock, Logger } from "../../../core/ports"
import type { ShopperAsk, ShopperLimit } from "../../../flows/deps"
import {
  bucketKey,
  giveBackToBuckets,
  takeFromBuckets,
  type Bucket,
  type ShareOfAccount,
} from "../../../ledger/buckets"
import type { Database } from "../../../ledger/database"

type Counted = keyof ShopperAsk["counted"]
type Rule = { readonly atOnce: number; readonly backMs: number }

const RULES: Readonly<Record<Counted, readonly Rule[]>> = {
  phone: [
    { atOnce: LIMITS.startsOfPhoneAtOnce, backMs: LIMITS.startOfPhoneBackMs },
    { atOnce: LIMITS.startsOfPhoneInARow, backMs: LIMITS.startInARowOfPhoneBackMs },
  ],
  cart: [{ atOnce: LIMITS.startsOfCartAtOnce, backMs: LIMITS.startOfCartBackMs }],
  network: [{ atOnce: LIMITS.startsOfNetworkAtOnce, backMs: LIMITS.startOfNetworkBackMs }],
  cancelled: [{ atOnce: LIMITS.cancelsOfPaymentAtOnce, backMs: LIMITS.cancelOfPaymentBackMs }],
}

const COUNTED: readonly Counted[] = ["phone", "cart", "network", "cancelled"]
const HASH_BYTES = 16
const KEY_BYTES = 32

export type ShopperLimitParts = {
  readonly database: Database
  readonly clock: Pick<Clock, "monotonicMs">
  readonly logger: Pick<Logger, "warn">
  /** The encryption key, if there is one. */
  readonly secret: Buffer | undefined
}

export function shopperLimit({ database, clock, logger, secret }: ShopperLimitParts): ShopperLimit {
  let key = secret && Promise.resolve(derived(secret))
  const said = allowance(clock, {
    atOnce: 1,
    earnedBackMs: LIMITS.startsRefusedSaidEveryMs,
    keysMax: COUNTED.length + 1,
  })

  async function asked({
    counted,
    share,
  }: ShopperAsk): Promise<readonly [Bucket[], ShareOfAccount?]> {
    key ??= readKey(database)
    // A failed read is not remembered.
    key.catch(() => (key = undefined))
    const hashKey = await key
    const buckets = COUNTED.flatMap((what) => {
      const of = counted[what]
      if (of === undefined) return []
      return RULES[what].map(({ atOnce, backMs }, index) => ({
        key: hashed(hashKey, `${what}${index}`, of),
        costMs: backMs,
        fillsInMs: atOnce * backMs,
      }))
    })
    if (!share) return [buckets]
    const { accountId, questions } = share
    return [
      buckets,
      {
        key: `account:${accountId}`,
        accountId,
        questions,
        fraction: LIMITS.startsBudgetFraction,
        costMaxMs: LIMITS.startsBudgetOfOneMs,
        fillsInMs: LIMITS.startsBudgetMs,
      },
    ]
  }

  return {
    async take(ask) {
      const waits = await takeFromBuckets(database, ...(await asked(ask)))
      if (ask.counted.cancelled === undefined) {
        for (const [bucket, waitMs] of waits) say(bucket.replace(/\d*:.*$/, ""), waitMs)
      }
      return Math.max(0, ...waits.values())
    },
    async giveBack(ask) {
      await giveBackToBuckets(database, ...(await asked(ask)))
    },
  }

  /** Whoever runs the shop hears of it, and which of the limits it was. */
  function say(what: string, waitMs: number): void {
    if (said.waitMs(what) > 0) return
    said.spend(what)
    logger.warn(
      `merchant payments: too many payments are started for one ${what}; more are refused for ` +
        `${Math.ceil(waitMs / 1_000)} s. This is said once a minute.`,
    )
  }
}

async function readKey(database: Database): Promise<Buffer> {
  return derived(Buffer.from(await bucketKey(database, randomBytes(KEY_BYTES).toString("base64"))))
}

function hashed(key: Buffer, what: string, of: string): string {
  const digest = createHmac("sha256", key).update(`${what}:${of}`).digest()
  return `${what}:${digest.toString("base64url", 0, HASH_BYTES)}`
}

/** For this alone: what is known of it tells nothing about what else the key serves for. */
function derived(secret: Buffer): Buffer {
  return createHmac("sha256", secret).update("merchant-payments shopper limit").digest()
}
