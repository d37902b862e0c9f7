/**
 * What goes wrong on the way, and what the shopper's wallet does in the end. A worker dies at each
 * moment that the payment passes under it.
 */
import type { FaultEntry } from "../../packages/simulator/src/faults"
import type { Outcome } from "../../packages/simulator/src/rules/timeline"

export type Script = {
  readonly name: string
  /** Per operation of the contract, what happens to its first calls. */
  readonly faults?: Readonly<Record<string, readonly FaultEntry[]>>
  /** Of every execution; default: approved after 20 s. */
  readonly outcome?: Outcome
  /** Of the first refund; default: it goes through after 3 s. */
  readonly refundOutcome?: Outcome
  /** Above 1 where the gateway does not answer at all, so that a deadline is not waited out. */
  readonly speed?: number
  /** Money and records may disagree honestly, so that a person has to look. */
  readonly mayReview?: boolean
}

const HASTE = 20

const execute = (name: string, ...entries: FaultEntry[]): Script => ({
  name: `execution ${name}`,
  faults: { executeCollection: entries },
})

export const OK: Script = { name: "no fault" }

/** For one who lives: after a death the question comes late, and then the source is asked as well. */
export const UNKNOWN_AT_FIRST: Script = {
  name: "status knows nothing at first",
  faults: { executeCollection: ["reset:after"], getCollectionStatus: ["404"] },
}

export const SCRIPTS: readonly Script[] = [
  OK,
  execute("reset before", "reset:before"),
  execute("reset after", "reset:after"),
  execute("500 before", "500:before"),
  execute("500 after", "500:after"),
  execute("503 after, come back in 2 s", "503:2:after"),
  execute("answer cut", "cut:after"),
  execute("answer cut silently", "cut_silently:after"),
  execute("answer of another shape", "shape:after"),
  execute("a page instead of an answer", "html:after"),
  execute("429", "429"),
  execute("401", "401"),
  execute("lost twice", "reset:after", "reset:before", "503:before"),
  { ...execute("hangs before", "hang:before"), speed: HASTE },
  { ...execute("hangs after", "hang:after"), speed: HASTE },
  {
    name: "status down",
    faults: { getCollectionStatus: ["500", "reset:before", "502", "503:1", "500"] },
  },
  {
    name: "status knows nothing yet",
    faults: { executeCollection: ["reset:after"], getCollectionStatus: ["404", "404"] },
    // Its source may read PAID meanwhile, and then an admin decides at once.
    mayReview: true,
  },
  {
    name: "source status down",
    faults: { getPaymentSourceStatus: ["500", "reset:after", "cut", "500"] },
  },
  {
    name: "source made, answer lost",
    faults: { createCheckoutSource: ["reset:after", "500:after"] },
  },
  {
    name: "session and account answers lost",
    faults: { createCheckoutSession: ["reset:after"], createPaymentAccount: ["500:after"] },
  },
  { name: "tokens down", faults: { clientObtainToken: ["500", "reset:before"] } },
  { name: "slow confirmation", outcome: "pending_then_approve" },
  { name: "declined", outcome: "decline" },
  {
    name: "declined, answer lost",
    outcome: "decline",
    faults: { executeCollection: ["reset:after"] },
  },
  {
    // The source can be paid again, and nothing is known of the first: only its reference protects.
    name: "declined, unknown for long, approved later",
    outcome: "decline_then_approve",
    faults: {
      executeCollection: ["reset:after"],
      getCollectionStatus: Array.from({ length: 12 }, () => "404" as const),
    },
    mayReview: true,
  },
  {
    name: "declined, approved later",
    outcome: "decline_then_approve",
    mayReview: true,
  },
]
