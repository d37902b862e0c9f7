/**
 * A cache of answers: for `keptForMs` an equal question gets the same answer. It lives in this
 * process and holds `most` answers at most; failures are not kept.
 */
import type { Clock } from "../core/ports"
import { forgetOldest } from "./allowance"

export function shortCache<T>(
  clock: Pick<Clock, "monotonicMs">,
  limits: { readonly keptForMs: number; readonly most: number },
) {
  const kept = new Map<string, { readonly answer: Promise<T>; readonly untilMs: number }>()
  return (parts: readonly unknown[], ask: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify(parts)
    const now = clock.monotonicMs()
    const found = kept.get(key)
    if (found && found.untilMs > now) return found.answer
    const answer = ask()
    kept.delete(key)
    kept.set(key, { answer, untilMs: now + limits.keptForMs })
    forgetOldest(kept, limits.most)
    answer.catch(() => {
      if (kept.get(key)?.answer === answer) kept.delete(key)
    })
    return answer
  }
}
