import {
  aHostedOperation,
  afterNoon,
  anOperation,
  MINUTE,
  money,
  SECOND,
} from "../../integration-tests/support/an-operation"
import {
  absent,
  afterRead,
  both,
  declined,
  execution,
  inMs,
  now,
  quiet,
  refused,
  schedule,
  source,
  table,
  unknown,
  watch,
} from "../../integration-tests/support/decide-table"
import type { Operation } from "./operation"

const submitted = anOperation({ lastSending: "sending" })
const inFlight = anOperation({ state: "in_flight" })
const failedOnce = anOperation({
  state: "in_flight",
  failedAt: afterNoon(4 * SECOND),
  reason: "declined",
})

describe("a push", () => {
  table([
    ["PENDING is seen to be in flight", submitted, execution("PENDING"), { event: "see" }],
    ["PROCESSING is seen to be in flight", submitted, execution("PROCESSING"), { event: "see" }],
    ["a status nobody knows is in flight", submitted, execution("WHATEVER"), { event: "see" }],
    ["PROCESSING again is no event", inFlight, execution("PROCESSING"), quiet],
    [
      "COMPLETED asks the source before money counts",
      inFlight,
      execution("COMPLETED"),
      { event: undefined, action: "ask_source" },
    ],
    [
      "COMPLETED and PAID with the same amount is completed",
      inFlight,
      both("COMPLETED", "PAID"),
      { event: "complete", next: now, reason: undefined },
    ],
    [
      "COMPLETED straight after the sending is completed as well",
      submitted,
      both("COMPLETED", "PAID"),
      { event: "complete" },
    ],
    [
      "[N24] COMPLETED but the source does not answer: later, nothing is believed",
      inFlight,
      { ...execution("COMPLETED"), source: unknown },
      { ...quiet, next: schedule },
    ],
    [
      "[B08] COMPLETED but the source still ACTIVE waits",
      inFlight,
      both("COMPLETED", "ACTIVE"),
      { ...quiet, marks: { contradicted: true } },
    ],
    [
      "[B08] COMPLETED but the source still ACTIVE after 15 minutes is for a person",
      { ...inFlight, contradictedAt: afterNoon(10 * SECOND - 15 * MINUTE) },
      both("COMPLETED", "ACTIVE"),
      { event: "doubt", reason: "source_disagrees" },
    ],
    [
      "[B10] one smallest unit less is for a person",
      inFlight,
      both("COMPLETED", "PAID", money(1_998)),
      { event: "doubt", reason: "amount_mismatch" },
    ],
    [
      "[B10] 1.00 more is for a person",
      inFlight,
      both("COMPLETED", "PAID", money(2_099)),
      { event: "doubt", reason: "amount_mismatch" },
    ],
    [
      "[B11] the same figure in another currency is for a person",
      inFlight,
      both("COMPLETED", "PAID", money(1_999, "LRD")),
      { event: "doubt", reason: "currency_mismatch" },
    ],
    [
      "[B11] what the payer pays, in which currency, is not compared",
      { ...inFlight, payerAmount: "3900.00", payerCurrency: money(1, "LRD").currency },
      both("COMPLETED", "PAID"),
      { event: "complete" },
    ],
    ["nothing was asked", inFlight, {}, { ...quiet, next: schedule }],
  ])
})

describe("[B06] FAILED", () => {
  table([
    [
      "once changes nothing but the reason, and is looked at again after 5 s",
      inFlight,
      declined,
      { ...quiet, reason: "declined", marks: { failed: true, absent: false }, next: inMs(5_000) },
    ],
    ["once, without words, is 'unknown'", inFlight, execution("FAILED"), { reason: "unknown" }],
    [
      "again but sooner than 5 s is still the first",
      { ...failedOnce, failedAt: afterNoon(7 * SECOND) },
      declined,
      { ...quiet, next: inMs(2_000) },
    ],
    [
      "twice, and its source paid by another try with it, is failed",
      failedOnce,
      { ...declined, source: source("PAID"), sourceOwner: "another" },
      { event: "fail", reason: "declined" },
    ],
    ["twice asks the source", failedOnce, declined, { ...quiet, action: "ask_source" }],
    [
      "twice with an ACTIVE source is failed",
      failedOnce,
      { ...declined, source: source("ACTIVE") },
      { event: "fail", reason: "declined", next: watch },
    ],
    [
      "twice with a CANCELED source is failed",
      failedOnce,
      { ...declined, source: source("CANCELED") },
      { event: "fail", reason: "declined" },
    ],
    [
      "twice while the source is PROCESSING waits",
      failedOnce,
      { ...declined, source: source("PROCESSING") },
      quiet,
    ],
    [
      "twice while the source can't be read waits",
      failedOnce,
      { ...declined, source: unknown },
      quiet,
    ],
    [
      "twice while the source reads PAID is a contradiction",
      failedOnce,
      { ...declined, source: source("PAID") },
      { ...quiet, marks: { contradicted: true } },
    ],
    [
      "and then PROCESSING takes the first one back",
      failedOnce,
      execution("PROCESSING"),
      { ...quiet, marks: { absent: false, failed: false } },
    ],
    [
      "and then COMPLETED counts as any other",
      failedOnce,
      both("COMPLETED", "PAID"),
      { event: "complete" },
    ],
  ])
})

/** 404 for the reference; `ago` since the sending, `absentFor` since the first 404. */
function missing(ago: number, absentFor: number | null, given: Partial<Operation> = {}): Operation {
  return anOperation({
    lastSending: "in_doubt",
    lastSentAt: afterRead(-ago),
    absentAt: absentFor === null ? null : afterRead(-absentFor),
    ...given,
  })
}
describe("[N19] a reference that the gateway does not know", () => {
  table([
    [
      "is asked for again before anything else",
      missing(5 * SECOND, null),
      absent,
      { ...quiet, marks: { absent: true }, next: inMs(MINUTE) },
    ],
    [
      "after 59 s is only asked for",
      missing(2 * MINUTE, 59 * SECOND),
      absent,
      { ...quiet, next: inMs(2_000) },
    ],
    [
      "after 60 s is sent again, the same one",
      missing(2 * MINUTE, 60 * SECOND),
      absent,
      { event: undefined, action: "resend" },
    ],
    [
      "is not sent twice within a minute",
      missing(30 * SECOND, 5 * MINUTE),
      absent,
      { ...quiet, next: inMs(30 * SECOND) },
    ],
    [
      "is not sent any more when the time to pay is over",
      missing(2 * MINUTE, 2 * MINUTE, { expiresAt: afterRead(0) }),
      absent,
      quiet,
    ],
    [
      "[P03] after a process that died before the call is sent after a minute too",
      missing(2 * MINUTE, 60 * SECOND, { lastSending: "sending" }),
      absent,
      { action: "resend" },
    ],
    [
      "[N01] that never left us goes again at once",
      missing(2 * SECOND, null, { lastSending: "not_sent" }),
      absent,
      { action: "resend" },
    ],
    [
      "[N01] that never left us a second ago waits its two",
      missing(SECOND, null, { lastSending: "not_sent" }),
      absent,
      { ...quiet, next: inMs(2_000) },
    ],
    [
      "[N20] whose first sending was refused ends, and says why",
      missing(2 * SECOND, null, { lastSending: "refused", reason: "declined" }),
      absent,
      { event: "expire", reason: "declined", next: watch },
    ],
    [
      "[N20] whose first sending was refused without a reason never landed",
      missing(2 * SECOND, null, { lastSending: "refused", reason: null }),
      absent,
      { event: "expire", reason: "never_landed" },
    ],
    [
      "[N20] that was refused after a sending in doubt proves nothing",
      missing(2 * SECOND, null, { lastSending: "refused", sendings: 2, reason: "declined" }),
      absent,
      quiet,
    ],
    [
      "15 minutes after the last sending has its source closed",
      missing(15 * MINUTE, 14 * MINUTE),
      absent,
      { event: undefined, action: "close_source", marks: { closing: "never_landed" } },
    ],
    [
      "whose source is closed never landed",
      missing(15 * MINUTE, 14 * MINUTE, { closing: "never_landed" }),
      { ...absent, source: source("CANCELED") },
      { event: "expire", reason: "never_landed", next: watch },
    ],
    [
      "whose source is PROCESSING landed: it is asked for again",
      missing(15 * MINUTE, 14 * MINUTE, { closing: "never_landed" }),
      { ...absent, source: source("PROCESSING") },
      { ...quiet, marks: { absent: false } },
    ],
    [
      "whose source is PAID landed: it is asked for again",
      missing(15 * MINUTE, 14 * MINUTE, { closing: "never_landed" }),
      { ...absent, source: source("PAID") },
      quiet,
    ],
    [
      "whose source is not closed yet is looked at in a minute",
      missing(15 * MINUTE, 14 * MINUTE, { closing: "never_landed" }),
      { ...absent, source: source("ACTIVE") },
      { ...quiet, next: inMs(MINUTE) },
    ],
    [
      "whose source can't be read for lack of rights is for a person",
      missing(15 * MINUTE, 14 * MINUTE, { closing: "never_landed" }),
      { ...absent, source: refused },
      { event: "doubt", reason: "credentials" },
    ],
    [
      "whose source is unknown as well is for a person",
      missing(15 * MINUTE, 14 * MINUTE, { closing: "never_landed" }),
      { ...absent, source: { kind: "absent" } },
      { event: "doubt", reason: "credentials" },
    ],
    [
      "whose source does not answer is looked at in a minute",
      missing(15 * MINUTE, 14 * MINUTE, { closing: "never_landed" }),
      { ...absent, source: unknown },
      { ...quiet, next: inMs(MINUTE) },
    ],
    [
      "that is known after all is in flight",
      missing(2 * MINUTE, 2 * MINUTE),
      execution("PROCESSING"),
      { event: "see", marks: { absent: false, failed: false } },
    ],
  ])
})

describe("no answer", () => {
  table([
    ["[N06] decides nothing", submitted, { execution: unknown }, { ...quiet, next: schedule }],
    ["[N17] refused decides nothing", submitted, { execution: refused }, quiet],
    [
      "[N21] later is later",
      submitted,
      { execution: { kind: "later", afterMs: 17_000 } },
      { ...quiet, next: inMs(17_000) },
    ],
    [
      "[N22] later without a time is by the schedule",
      submitted,
      { execution: { kind: "later", afterMs: undefined } },
      { ...quiet, next: schedule },
    ],
    ["[N06] of the source decides nothing", aHostedOperation(), { source: unknown }, quiet],
    ["[N18] of the source refused decides nothing", aHostedOperation(), { source: refused }, quiet],
  ])
})
