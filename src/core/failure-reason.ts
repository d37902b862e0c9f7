/**
 * Why a payment failed, from the texts that come with FAILED. The contract has no code for it, only
 * `gateway_message` and `wallet_message`, so this is a reading of words: it chooses what the
 * shopper reads and nothing else. What is not recognised is `unknown`, never a guess.
 */
import type { EndReason } from "./operation"

const WORDS: readonly (readonly [RegExp, EndReason])[] = [
  [/insufficient|not enough|low balance|balance\b.*\btoo low|no funds/i, "insufficient_funds"],
  [/wrong pin|invalid pin|incorrect pin|\bpin\b.*(wrong|invalid|incorrect|blocked)/i, "wrong_pin"],
  [/limit|exceed|too (high|large|low|small)/i, "limit"],
  [/cancel+ed|aborted/i, "canceled"],
  [/declin|reject|refus|denied|not approved/i, "declined"],
  [
    /unavailable|operator|network|time(d)?[ -]?out|provider error|system error/i,
    "operator_unavailable",
  ],
]

export function failureReason(...texts: readonly (string | null | undefined)[]): EndReason {
  for (const text of texts) {
    if (!text) continue
    for (const [words, reason] of WORDS) if (words.test(text)) return reason
  }
  return "unknown"
}
