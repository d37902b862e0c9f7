/** A place in memory where several clients of one test share their token. */
import { LIMITS } from "../../src/core/limits"
import type { Clock } from "../../src/core/ports"
import type { SharedToken, TokenClaim, TokenStore } from "../../src/gateway"

export type MemoryStore = TokenStore & {
  /** Every call rejects from now on. */
  breakDown(): void
  /** No call answers from now on. */
  hang(): void
  readonly asked: () => number
}

export function memoryStore(
  clock: Pick<Clock, "monotonicMs">,
  tokensAtMost: number = LIMITS.tokensPerMinute,
): MemoryStore {
  let version = 0
  let kept: { readonly token: Omit<SharedToken, "ageMs">; readonly atMs: number } | undefined
  let turn: { readonly claim: string; readonly untilMs: number } | undefined
  let claims = 0
  let asked = 0
  let trouble: (() => Promise<never>) | undefined
  const answered = async <T>(answer: () => T): Promise<T> => {
    asked += 1
    return trouble ? trouble() : answer()
  }
  return {
    read: () =>
      answered(() => ({
        version,
        token: kept && { ...kept.token, ageMs: clock.monotonicMs() - kept.atMs },
      })),
    claim: (of) =>
      answered((): TokenClaim => {
        const nowMs = clock.monotonicMs()
        if (of !== version || (turn && nowMs < turn.untilMs)) return { kind: "taken" }
        if (claims >= tokensAtMost) return { kind: "spent", retryInMs: 10_000 }
        turn = { claim: String((claims += 1)), untilMs: nowMs + LIMITS.tokenTurnMs }
        return { kind: "granted", claim: turn.claim }
      }),
    keep: (token) =>
      answered(() => {
        kept = { token, atMs: clock.monotonicMs() }
        version += 1
        turn = undefined
      }),
    giveUp: (claim) =>
      answered(() => {
        if (turn?.claim === claim) turn = undefined
      }),
    breakDown: () => void (trouble = () => Promise.reject(new Error("the database is gone"))),
    hang: () => void (trouble = () => new Promise<never>(() => undefined)),
    asked: () => asked,
  }
}
