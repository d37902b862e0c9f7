/** What a filtered list adds up to, by currency. */
import { LIMITS } from "../core/limits"
import { MONEY_PLACES } from "../core/money-place"
import type { Database } from "../ledger/database"
import type { OperationTotals } from "./schemas/operations"
import { listedFiguresOf, totalsFrom } from "./rules/signed-figures"
import type { OperationFilter } from "./sql/list-filter"
import { listMoney, listOperations, type ListedOperation } from "./sql/list-operations"

/**
 * Pages of a list, newest first.
 * @param most ends after so many operations, or up to a page later
 */
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

/**
 * Sums of a list by currency; null where it has more than `listTotalsMax` operations, or where more
 * would have to be read to find them.
 */
export async function totalsOf(
  database: Database,
  filter: OperationFilter,
): Promise<readonly OperationTotals[] | null> {
  const all = await listMoney(database, filter, LIMITS.listTotalsMax)
  const asked = { ...filter, isOfPlace: MONEY_PLACES.some((place) => place === filter.money) }
  return all && totalsFrom(all.map((one) => listedFiguresOf(one, asked)))
}
