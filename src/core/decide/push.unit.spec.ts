import {
  aHostedOperation,
  afterNoon,
  anOperation,
  MINUTE,
  money,
  SECOND,
} from "../../../integration-tests/support/an-operation"
import {
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
} from "../../../integration-tests/support/decide-table"

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
