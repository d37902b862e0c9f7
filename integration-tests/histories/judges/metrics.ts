/** What a monitor is told. */
import { centsOf } from "../truth"
import { differ, type Look, type Row } from "./look"

/** The metrics count what the list has. */
export async function metricsAreTheList({ shown, span, isQuiet }: Look): Promise<string[]> {
  const { review, unrecorded, oldestDueMs } = await shown.gauges()
  const { operations } = await shown.list({ state: "review" })
  const kinds = [...new Set(operations.map(({ type, currency }) => `${type} ${currency}`))]
  const counted = kinds.map((kind) => {
    const own = operations.filter(({ type, currency }) => `${type} ${currency}` === kind)
    const cents = own.reduce((sum, one) => sum + centsOf(one.collected_amount ?? one.amount), 0)
    return [kind, own.length, cents]
  })
  const told = review.map(({ type, currency, count, minor }) => [
    `${type} ${currency}`,
    count,
    Number(minor),
  ])
  const completed = await shown.list({ state: "completed", type: "COLLECTION" })
  const waiting = completed.operations.filter(
    (one) => one.recorded_at === null && one.next_check_at !== null,
  )
  return [
    ...differ("what the metrics say of reviews", told.sort(), counted.sort()),
    ...differ("what the metrics say is not recorded", unrecorded, waiting.length),
    ...longestWait(oldestDueMs, (await shown.all()).operations, isQuiet, span.to),
  ]
}

/** A page's moment and the database's may differ by so much. */
const SLACK_MS = 2_000

/**
 * Nothing has waited longer for its check than the list says, and when all is quiet nothing waits.
 * What a pause of the gateway holds up has waited since its end.
 */
function longestWait(told: number | null, rows: readonly Row[], isQuiet: boolean, now: Date) {
  const planned = rows.flatMap(({ next_check_at: at }) => (at === null ? [] : Date.parse(at)))
  const longestMs = now.getTime() - Math.min(...planned)
  const isPossible = told === null || (told >= 0 && told <= longestMs + SLACK_MS)
  const isMissed = isQuiet && told === null && longestMs > SLACK_MS
  return isPossible && !isMissed ? [] : differ("the longest wait of the metrics", told, longestMs)
}
