/**
 * Answers that are asked for again and again: for so long the same question has the same answer.
 * In this process, bounded; failures are not kept.
 */
import type { Clock } from "./ports"

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
    // Put in anew each time, so the first is the oldest.
    for (const oldest of kept.keys()) {
      if (kept.size <= limits.most) break
      kept.delete(oldest)
    }
    answer.catch(() => {
      if (kept.get(key)?.answer === answer) kept.delete(key)
    })
    return answer
  }
}
