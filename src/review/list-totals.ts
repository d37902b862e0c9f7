/** What a filtered list adds up to, by currency: of each operation the figures on its page. */
import { figuresOf } from "../core/figures"
import { LIMITS } from "../core/limits"
import { exactMoneyFromMajor, majorText, type CurrencyCode } from "../core/money"
import type { OperationType } from "../core/operation"
import type { Database } from "../ledger/database"
import type { OperationTotals } from "./rules/review-responses"
import { listOperations, type ListedOperation, type OperationFilter } from "./sql/list-operations"

/** Pages of a list, newest first. @param most ends after so many operations, or a few more */
export async function* eachListed(
  database: Database,
  filter: OperationFilter,
  most: number,
): AsyncGenerator<readonly ListedOperation[]> {
  const limit = LIMITS.upkeepRowsMax
  let after: ListedOperation["place"] | undefined
  for (let read = 0; read < most; read += limit) {
    const page = await listOperations(database, filter, { limit, offset: 0, after })
    yield page.operations
    after = page.operations.at(-1)?.place
    if (!page.isMore) return
  }
}

/** Null where there are more than `listTotalsMax`. */
export async function totalsOf(
  database: Database,
  filter: OperationFilter,
): Promise<readonly OperationTotals[] | null> {
  const moved: Moved[] = []
  let count = 0
  for await (const page of eachListed(database, filter, LIMITS.listTotalsMax + 1)) {
    count += page.length
    if (count > LIMITS.listTotalsMax) return null
    moved.push(...page.flatMap(movedBy))
  }
  const currencies = [...new Set(moved.map(({ currency }) => currency))].sort()
  return currencies.map((currency) => totalOf(currency, moved))
}

/** In the smallest unit. `fee` and `net` are undefined where they are not known. */
type Moved = {
  readonly type: OperationType
  readonly currency: CurrencyCode
  readonly gross: bigint
  readonly fee: bigint | undefined
  readonly net: bigint | undefined
}

/** Only money that moved has a gross amount. */
function movedBy({ operation }: ListedOperation): Moved[] {
  const { currency } = operation.amount
  const { gross, fee, net } = figuresOf(operation)
  if (gross === null) return []
  const minorOf = (amount: number | null) =>
    amount === null ? undefined : exactMoneyFromMajor(amount, currency)?.minor
  const { type } = operation
  return [{ type, currency, gross: minorOf(gross) ?? 0n, fee: minorOf(fee), net: minorOf(net) }]
}

function totalOf(currency: CurrencyCode, moved: readonly Moved[]): OperationTotals {
  const all = moved.filter((one) => one.currency === currency)
  const sum = (amounts: readonly (bigint | undefined)[]) =>
    majorText({ minor: amounts.reduce<bigint>((total, one) => total + (one ?? 0n), 0n), currency })
  const totalsIn = (own: readonly Moved[]) => ({
    count: own.length,
    amount: sum(own.map(({ gross }) => gross)),
  })
  const payments = all.filter(({ type }) => type === "COLLECTION")
  const known = payments.filter(({ fee, net }) => fee !== undefined && net !== undefined)
  return {
    currency,
    payments: {
      ...totalsIn(payments),
      fees: sum(known.map(({ fee }) => fee)),
      net: sum(known.map(({ net }) => net)),
      without_fees: payments.length - known.length,
    },
    refunds: totalsIn(all.filter(({ type }) => type === "REFUND")),
    sent: totalsIn(all.filter(({ type }) => type === "PAYOUT" || type === "TRANSFER")),
  }
}
