/** What a shopper's open page hears, beside what it would read. */
import type { Status } from "../../../src/checkout/schemas/status"
import { differ, type Look } from "./look"

/**
 * Nothing follows on paid, no event is sent twice in a row, and at a quiet end the last one says
 * what STATUS says.
 */
export async function streamsSayStatus({ shown, heard, isQuiet }: Look): Promise<string[]> {
  const statuses = await shown.statuses()
  return [...(heard ?? [])].flatMap(([id, events]) => {
    const states = events.map(({ status }) => status.state)
    const since = states.indexOf("paid")
    const after = since < 0 ? [] : states.slice(since).filter((state) => state !== "paid")
    const again = events.filter((one, index) => one.id === events[index - 1]?.id)
    const [last, now] = [events.at(-1)?.status, statuses.get(id)?.status]
    return [
      ...after.map((state) => `the page of ${id} heard that it is paid, and then ${state}`),
      ...again.map(() => `the page of ${id} heard the same twice`),
      ...(isQuiet && now ? lastIsNow(id, last, now) : []),
    ]
  })
}

function lastIsNow(id: string, last: Status | undefined, now: Status): string[] {
  if (!last) return [`the page of ${id} heard nothing`]
  const [heard, read] = [saidBy(last), saidBy(now)]
  return (Object.keys(read) as (keyof Status)[]).flatMap((key) =>
    differ(`the last ${key} that the page of ${id} heard`, heard[key], read[key]),
  )
}

/** Without the time that passes. */
const saidBy = (status: Status) => ({
  ...status,
  checked_at: null,
  expires_in_seconds: status.expires_in_seconds === 0,
})
