/**
 * The business cases of the prompt that may not be on the phone, B31 to B33: when it is sent again.
 */
import type { MedusaOperation } from "../../src/core/operation"
import { statusOf } from "../../src/checkout/rules/status"
import { anOperation, MINUTE, SECOND } from "./an-operation"
import { decided, row, stays, type BusinessCase } from "./business-case"
import { absent, afterRead, source } from "./decide-findings"

/** Sent so long ago, for the first time, and twice 404 since. */
const missing = (ago: number, given: Partial<MedusaOperation> = {}) =>
  anOperation({
    lastSending: "in_doubt",
    submittedAt: afterRead(-ago),
    lastSentAt: afterRead(-ago),
    absentAt: afterRead(-5 * SECOND),
    ...given,
  })
const beside = (status: string) => ({ ...absent, source: source(status) })
const neverLanded = missing(2 * MINUTE, {
  state: "expired",
  reason: "never_landed",
  sourceStatus: "CANCELED",
})

export const CASES_OF_PROMPT: readonly BusinessCase[] = [
  decided(
    "B31",
    "twice 404, its source payable: the same reference again",
    missing(8 * SECOND),
    beside("ACTIVE"),
    { event: undefined, action: "resend" },
  ),
  decided(
    "B31",
    "nothing landed within a minute: its source is closed",
    missing(MINUTE),
    beside("ACTIVE"),
    { event: undefined, action: "close_source", marks: { closing: "never_landed" } },
  ),
  decided(
    "B31",
    "and seen closed it ends",
    missing(MINUTE, { closing: "never_landed" }),
    beside("CANCELED"),
    { event: "expire", reason: "never_landed" },
  ),
  row(
    "B31",
    "until then nobody is told to approve",
    "statusOf",
    () => statusOf(missing(8 * SECOND)).prompt,
    "sending",
  ),
  row("B32", "no prompt was there", "statusOf", () => statusOf(neverLanded).prompt, null),
  row("B32", "and it may be tried again", "statusOf", () => statusOf(neverLanded).can_retry, true),
  decided(
    "B33",
    "404 after an answer: nothing is sent again",
    missing(8 * SECOND, { lastSending: "accepted" }),
    beside("ACTIVE"),
    stays,
  ),
  decided(
    "B33",
    "404 after a lost answer, its source PROCESSING: nothing is sent again",
    missing(8 * SECOND),
    beside("PROCESSING"),
    stays,
  ),
]
