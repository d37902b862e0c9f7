/**
 * Which differences belong to a period, by the rule of its sums: a payment to the day on which it
 * began, a refund to the day on which it was asked for, and a document without a payment to the day
 * of which the gateway says that it was touched. A comparison also reads what is beside the period.
 */
import type { FlowDeps } from "../engine/deps"
import { findRefundsOf } from "../refunds/sql/find-refunds"
import type { Difference, Period, SidesOfPeriod } from "./rules/reconciliation"

const OF_REFUNDS: ReadonlySet<string> = new Set([
  "refund_unknown",
  "returned_not_in_medusa",
  "credit_line_unclear",
  "order_canceled_but_paid",
])

export async function ofPeriod(
  { database }: Pick<FlowDeps, "database">,
  sides: Pick<SidesOfPeriod, "operations" | "sources">,
  period: Period,
  found: readonly Difference[],
): Promise<Difference[]> {
  const operations = new Map(sides.operations.map((one) => [one.id, one]))
  const own: Difference[] = []
  for (const one of found) {
    const { code, operation_id: id } = one
    if (id === null) {
      const at = touchedAt(sides, one)
      if (!at || isIn(period, at)) own.push(one)
      continue
    }
    const began = operations.get(id)?.createdAt
    const isOwn = began !== undefined && isIn(period, began)
    const refunds = isOwn || !OF_REFUNDS.has(code) ? [] : await findRefundsOf(database, id)
    if (isOwn || refunds.some(({ createdAt }) => isIn(period, createdAt))) own.push(one)
  }
  return own
}

function touchedAt(
  { sources }: Pick<SidesOfPeriod, "sources">,
  { source_type, source_id }: Difference,
): Date | null | undefined {
  return sources.find(
    ({ sourceType, sourceId }) => sourceType === source_type && sourceId === source_id,
  )?.touchedAt
}

const isIn = ({ from, until }: Period, at: Date) => at >= from && at < until
