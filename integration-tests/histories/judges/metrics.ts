/** What a monitor is told. */
import { differ, type Look } from "./look"

/** The metrics count what the list has. */
export async function metricsAreTheList({ shown }: Look): Promise<string[]> {
  const { review, unrecorded } = await shown.gauges()
  const { operations } = await shown.list({ state: "review" })
  const kinds = [...new Set(operations.map(({ type, currency }) => `${type} ${currency}`))]
  const counted = kinds.map((kind) => {
    const own = operations.filter(({ type, currency }) => `${type} ${currency}` === kind)
    return [kind, own.length]
  })
  const told = review.map(({ type, currency, count }) => [`${type} ${currency}`, count])
  const completed = await shown.list({ state: "completed", type: "COLLECTION" })
  const waiting = completed.operations.filter(
    (one) => one.recorded_at === null && one.next_check_at !== null,
  )
  return [
    ...differ("what the metrics say of reviews", told.sort(), counted.sort()),
    ...differ("what the metrics say is not recorded", unrecorded, waiting.length),
  ]
}
