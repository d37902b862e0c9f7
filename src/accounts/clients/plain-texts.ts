/**
 * Records for all processes that an account's gateway refuses texts unless they are plain. Each
 * process reads the record at most every few seconds.
 */
import type { AccountId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Clock, Logger } from "../../core/ports"
import { shortCache } from "../../engine/short-cache"
import type { PlainTexts } from "../../gateway"
import { notePlainTexts, wantsPlainTexts } from "../../ledger/accounts/plain-texts"
import type { Database } from "../../ledger/database"

type Parts = {
  readonly database: Database
  readonly logger: Logger
  readonly clock: Pick<Clock, "monotonicMs">
}

export function plainTextsOf(parts: Parts): (accountId: AccountId) => PlainTexts {
  const { database, logger, clock } = parts
  const known = shortCache<boolean>(clock, { keptForMs: LIMITS.accountsCacheMs, most: 100 })
  let noted = 0
  return (accountId) => ({
    isWanted: () =>
      known([accountId, noted], () => wantsPlainTexts(database, accountId)).catch(() => false),
    want(refused) {
      logger.warn(
        `merchant payments: the gateway of account ${accountId} refused a text of ` +
          `${refused.operation} and took its plain form (${refused.said ?? "it did not say why"}). ` +
          "Texts go to it plain for a day: letters without accents, one line of all.",
      )
      // If the database is away, the note is lost; the next refused text is noted again.
      void notePlainTexts(database, accountId)
        .catch(() => undefined)
        .then(() => (noted += 1))
    },
  })
}
