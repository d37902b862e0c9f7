/** What a filtered list adds up to, by currency: of each operation the figures that its page shows. */
import { figuresOf, type Figures } from "../core/figures"
import { LIMITS } from "../core/limits"
import { exactMoneyFromMajor, majorText, type CurrencyCode } from "../core/money"
import { isMoneyOut, type Operation } from "../core/operation"
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
  const sums = new Map<CurrencyCode, Sums>()
  let count = 0
  for await (const page of eachListed(database, filter, LIMITS.listTotalsMax + 1)) {
    count += page.length
    if (count > LIMITS.listTotalsMax) return null
    for (const { operation } of page) {
      const { currency } = operation.amount
      const figures = figuresOf(operation)
      if (figures.gross === null) continue
      const sum = sums.get(currency) ?? noSums()
      add(sum, operation, figures)
      sums.set(currency, sum)
    }
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(totalOf)
}

type Sum = { count: number; minor: bigint }
type Sums = {
  readonly payments: Sum
  readonly refunds: Sum
  readonly sent: Sum
  fees: bigint
  net: bigint
  withoutFees: number
}

const noSum = (): Sum => ({ count: 0, minor: 0n })
const noSums = (): Sums => ({
  payments: noSum(),
  refunds: noSum(),
  sent: noSum(),
  fees: 0n,
  net: 0n,
  withoutFees: 0,
})

function add(sums: Sums, operation: Operation, { gross, fee, net }: Figures): void {
  const minorOf = (amount: number | null) =>
    amount === null ? undefined : exactMoneyFromMajor(amount, operation.amount.currency)?.minor
  const { type } = operation
  const sum =
    type === "COLLECTION" ? sums.payments : isMoneyOut(operation) ? sums.sent : sums.refunds
  sum.count += 1
  sum.minor += minorOf(gross) ?? 0n
  if (type !== "COLLECTION") return
  const [fees, left] = [minorOf(fee), minorOf(net)]
  if (fees === undefined || left === undefined) sums.withoutFees += 1
  else {
    sums.fees += fees
    sums.net += left
  }
}

function totalOf([currency, sums]: readonly [CurrencyCode, Sums]): OperationTotals {
  const text = (minor: bigint) => majorText({ minor, currency })
  const moved = ({ count, minor }: Sum) => ({ count, amount: text(minor) })
  return {
    currency,
    payments: {
      ...moved(sums.payments),
      fees: text(sums.fees),
      net: text(sums.net),
      without_fees: sums.withoutFees,
    },
    refunds: moved(sums.refunds),
    sent: moved(sums.sent),
  }
}
