/**
 * Counts this process's calls to the gateway and adds them to the database some seconds after the
 * first one. A process that dies loses its last seconds of counts.
 */
import type { AccountId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Clock } from "../../core/ports"
import type { CallReport, GatewayErrorCode } from "../../gateway"
import type { Database } from "../../ledger/database"
import { addCalls } from "../../ledger/gateway-minutes"

type Count = { calls: number; errors: number; tooMany: number; answeredAtMs: number | null }

/**
 * The codes that count as errors: the gateway is in trouble or denies access. A 404 or a 422 is a
 * proper answer.
 */
const ERRORS: ReadonlySet<GatewayErrorCode> = new Set([
  "GATEWAY_UNREACHABLE",
  "GATEWAY_UNAUTHENTICATED",
  "GATEWAY_FORBIDDEN",
  "GATEWAY_INDETERMINATE",
  "GATEWAY_UNAVAILABLE",
])

/**
 * Refusals that show a gateway at work. A quiet shop may hear nothing else: the plugin then asks for
 * the fee plans, which a client need not be allowed to read.
 */
const ANSWERS: ReadonlySet<GatewayErrorCode | undefined> = new Set([
  "GATEWAY_FORBIDDEN",
  "GATEWAY_NOT_FOUND",
  "GATEWAY_INVALID",
])

/** @returns a function that counts one call of an account */
export function callCounts(
  database: Database,
  clock: Pick<Clock, "monotonicMs">,
): (accountId: AccountId, report: CallReport) => void {
  let counts = new Map<AccountId, Count>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    timer = undefined
    const written = [...counts]
    counts = new Map()
    const now = clock.monotonicMs()
    const rows = written.map(([accountId, { answeredAtMs, ...count }]) => ({
      accountId,
      ...count,
      answeredMsAgo: answeredAtMs === null ? null : now - answeredAtMs,
    }))
    // Only people read these figures, so they may be lost while the database is down.
    await addCalls(database, rows).catch(() => undefined)
  }

  return (accountId, { kind, code }) => {
    const before = counts.get(accountId)
    const count = before ?? { calls: 0, errors: 0, tooMany: 0, answeredAtMs: null }
    count.calls += 1
    if (code === "GATEWAY_RATE_LIMITED") count.tooMany += 1
    else if (code !== undefined && ERRORS.has(code)) count.errors += 1
    if (kind === "done" || (kind === "refused" && ANSWERS.has(code)))
      count.answeredAtMs = clock.monotonicMs()
    counts.set(accountId, count)
    timer ??= setTimeout(() => void flush(), LIMITS.callCountsEveryMs).unref()
  }
}
