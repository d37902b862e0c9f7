/** What a page needs to know is asked again by itself while the store does not answer. */
import type { Surroundings } from "./follow.js"
import { Refused } from "./store.js"

const PAUSE_MS = 5_000
/** A page that is shown again says so several times at once. */
const SHOWN_MS = 500

/**
 * Asks until the store answers, a refusal being an answer too; at once when the page is shown or the
 * line is back, also while an older question hangs.
 *
 * @returns what ends it
 */
export function untilAnswered<T>(
  ask: () => Promise<T>,
  around: Pick<Surroundings, "onShown" | "now">,
  tell: { answered(value: T): void; failed(error: unknown): void },
): () => void {
  let isOver = false
  let latest = 0
  let askedAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    isOver = true
    stopShown()
    clearTimeout(timer)
  }
  const failed = (error: unknown, question: number) => {
    if (isOver || question !== latest) return
    if (error instanceof Refused) end()
    else timer = setTimeout(askOnce, PAUSE_MS)
    tell.failed(error)
  }
  const askOnce = () => {
    clearTimeout(timer)
    askedAt = around.now()
    latest += 1
    const question = latest
    const answered = (value: T) => {
      if (isOver) return
      end()
      tell.answered(value)
    }
    ask().then(answered, (error: unknown) => failed(error, question))
  }
  const stopShown = around.onShown(() => {
    if (around.now() - askedAt >= SHOWN_MS) askOnce()
  })
  askOnce()
  return end
}
