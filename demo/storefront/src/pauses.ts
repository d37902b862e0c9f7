/**
 * How often a payment is asked after. Most people approve within a minute, so that is when a quick
 * answer is worth a request every two seconds; who needs longer does not watch every second.
 */
const PAUSES = [
  { untilMs: 60_000, pauseMs: 2_000 },
  { untilMs: 5 * 60_000, pauseMs: 4_000 },
] as const

const LAST_PAUSE_MS = 10_000

/** Milliseconds to wait before the next question, `askingMs` after the first. */
export function pauseMsAfter(askingMs: number): number {
  return PAUSES.find((step) => askingMs < step.untilMs)?.pauseMs ?? LAST_PAUSE_MS
}
