/**
 * Whom a scheduler picked, as text that can be pasted: of those who waited, longest first, which
 * place each had. Most digits are 0, and those at the end are left out.
 */
const BASE = 36

/** What takes turns: a scheduler of fast-check, or one that repeats what that has picked. */
export type Picker = {
  schedule(task: Promise<void>, label: string): Promise<void>
  count(): number
  /** Lets one go on. */
  waitNext(count: 1): Promise<void>
}

export function writtenPicks(places: readonly number[]): string {
  if (places.some((place) => place >= BASE)) throw new Error("more wait at once than have a digit")
  return places
    .map((place) => place.toString(BASE))
    .join("")
    .replace(/0+$/, "")
}

/** Where the text ends, or the one it means does not wait any more, whoever has waited longest. */
export function pickerOf(picks: string): Picker {
  const waiting: (() => void)[] = []
  let picked = 0
  return {
    schedule: async (task) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      await task
    },
    count: () => waiting.length,
    waitNext() {
      const place = parseInt(picks[picked] ?? "0", BASE)
      picked += 1
      const [next] = waiting.splice(place < waiting.length ? place : 0, 1)
      next?.()
      return Promise.resolve()
    },
  }
}
