import {
  aHostedOperation,
  afterNoon,
  anOperation,
  DAY,
  HOUR,
  MINUTE,
  money,
  SECOND,
} from "../../../integration-tests/support/an-operation"
import {
  absent,
  afterRead,
  again,
  both,
  declined,
  execution,
  now,
  quiet,
  refused,
  schedule,
  source,
  table,
  unknown,
  watch,
  type Expected,
} from "../../../integration-tests/support/decide-table"
import { decide } from "./collection"
import type { Findings, SourceOwner } from "./decision"

const inFlight = anOperation({ state: "in_flight" })
const failedOnce = anOperation({
  state: "in_flight",
  failedAt: afterNoon(4 * SECOND),
  reason: "declined",
})

const hosted = aHostedOperation()
const hostedInFlight = aHostedOperation({ state: "in_flight", sourceStatus: "PROCESSING" })

describe("a hosted payment", () => {
  table([
    ["asks its source", hosted, {}, { action: "ask_source" }],
    ["stays while its source is ACTIVE", hosted, { source: source("ACTIVE") }, quiet],
    ["stays while its source is IDLE", hosted, { source: source("IDLE") }, quiet],
    ["is in flight once PROCESSING", hosted, { source: source("PROCESSING") }, { event: "see" }],
    ["is no event when PROCESSING again", hostedInFlight, { source: source("PROCESSING") }, quiet],
    [
      "[B08] is completed by its source alone",
      hosted,
      { source: source("PAID") },
      { event: "complete", next: now },
    ],
    [
      "[B10] paid with less is for a person",
      hosted,
      { source: source("PAID", money(1_998)) },
      { event: "doubt", reason: "amount_mismatch" },
    ],
    [
      "[B11] paid in another currency is for a person",
      hostedInFlight,
      { source: source("PAID", money(1_999, "LRD")) },
      { event: "doubt", reason: "currency_mismatch" },
    ],
    [
      "[B09] is expired as canceled when its source is CANCELED",
      hosted,
      { source: source("CANCELED") },
      { event: "expire", reason: "canceled", next: watch },
    ],
    [
      "is expired with the reason for which it was closed",
      aHostedOperation({ closing: "window_closed" }),
      { source: source("CANCELED") },
      { event: "expire", reason: "window_closed" },
    ],
    [
      "is closed when its time to pay is over",
      aHostedOperation({ readAt: afterNoon(HOUR) }),
      { source: source("ACTIVE") },
      { event: undefined, action: "close_source", marks: { closing: "window_closed" } },
    ],
    [
      "[B01] is closed when the cart is owed another amount",
      hosted,
      { source: source("ACTIVE"), isAmountStale: true },
      { event: undefined, action: "close_source", marks: { closing: "canceled" } },
    ],
    [
      "[B02] is never closed while PROCESSING, stale or late",
      aHostedOperation({ readAt: afterNoon(2 * HOUR) }),
      { source: source("PROCESSING"), isAmountStale: true },
      { event: "see", action: undefined },
    ],
    [
      "that was to be closed is tried again",
      aHostedOperation({ closing: "canceled" }),
      { source: source("ACTIVE") },
      { event: undefined, action: "close_source" },
    ],
    [
      "[N19] unknown at the gateway is looked at again",
      hosted,
      { source: { kind: "absent" } },
      { ...quiet, marks: { absent: true } },
    ],
    [
      "[N19] unknown at the gateway for 15 minutes is for a person",
      aHostedOperation({ absentAt: afterRead(-15 * MINUTE) }),
      { source: { kind: "absent" } },
      { event: "doubt", reason: "credentials" },
    ],
  ])
})

describe("after an end", () => {
  const failed = anOperation({ state: "failed", reason: "declined" })
  const expired = aHostedOperation({ state: "expired", reason: "window_closed" })
  const closed = anOperation({ state: "failed", reason: "declined", sourceStatus: "CANCELED" })
  const unopened = anOperation({ state: "expired", reason: "declined", sourceId: null })
  table([
    ["still FAILED asks its source", failed, declined, { ...quiet, action: "ask_source" }],
    ["still FAILED and closed keeps watching", closed, declined, { ...quiet, next: watch }],
    ["still FAILED and never opened keeps watching", unopened, declined, { next: watch }],
    ["COMPLETED asks the source", failed, execution("COMPLETED"), { action: "ask_source" }],
    [
      "[B06] COMPLETED and PAID is late money, for a person",
      failed,
      both("COMPLETED", "PAID"),
      { event: "complete", reason: "late_payment" },
    ],
    [
      "COMPLETED but not yet PAID is looked at again",
      failed,
      both("COMPLETED", "ACTIVE"),
      { ...quiet, marks: { contradicted: true }, next: { kind: "in", ms: 15 * MINUTE } },
    ],
    [
      "[B06] COMPLETED with a source that was closed meanwhile is money, for a person",
      failed,
      both("COMPLETED", "CANCELED"),
      { event: "doubt", reason: "source_disagrees" },
    ],
    [
      "[B08] COMPLETED and not PAID for 15 minutes is for a person",
      anOperation({ state: "expired", contradictedAt: afterRead(-15 * MINUTE) }),
      both("COMPLETED", "PROCESSING"),
      { event: "doubt", reason: "source_disagrees" },
    ],
    [
      "COMPLETED with a source that can't be read is looked at again",
      failed,
      { ...execution("COMPLETED"), source: unknown },
      { ...quiet, marks: { contradicted: true }, next: { kind: "in", ms: 15 * MINUTE } },
    ],
    [
      "[B10] late money of another amount says so",
      failed,
      both("COMPLETED", "PAID", money(5)),
      { event: "complete", reason: "amount_mismatch" },
    ],
    [
      "[B05] a PAID source after expiry is late money, for a person",
      expired,
      { source: source("PAID") },
      { event: "complete", reason: "late_payment" },
    ],
    ["a CANCELED source keeps watching", expired, { source: source("CANCELED") }, { next: watch }],
    ["no answer is asked again", expired, { source: unknown }, { ...quiet, next: again }],
  ])

  describe("the source of a push", () => {
    const over = anOperation({
      state: "failed",
      reason: "declined",
      readAt: afterNoon(29 * MINUTE),
    })
    const refusedAtOnce = anOperation({ state: "expired", reason: "declined" })
    const unsent = anOperation({ state: "expired", reference: null, submittedAt: null })
    const paid = (sourceOwner: SourceOwner, total = money(1_999)): Findings => ({
      ...declined,
      source: source("PAID", total),
      sourceOwner,
    })
    const close: Expected = { event: undefined, action: "close_source" }
    table([
      [
        "stays open for another try, and is looked at when none may come any more",
        failed,
        { ...declined, source: source("ACTIVE") },
        { ...quiet, next: { kind: "watch", atMostMs: 30 * MINUTE - 110 * SECOND } },
      ],
      ["is closed when no try may come", over, { ...declined, source: source("ACTIVE") }, close],
      [
        "is closed where no try takes it",
        refusedAtOnce,
        { ...absent, source: source("ACTIVE") },
        close,
      ],
      ["is closed while idle, too", over, { ...declined, source: source("IDLE") }, close],
      ["of a draft is closed", unsent, { source: source("ACTIVE") }, close],
      [
        "that is being paid is looked at again",
        over,
        { ...declined, source: source("PROCESSING") },
        { ...quiet, next: again },
      ],
      [
        "that does not answer is asked again",
        over,
        { ...declined, source: unknown },
        { ...quiet, next: again },
      ],
      [
        "[B15] paid without us is late money, for a person",
        failed,
        paid("this"),
        { event: "complete", reason: "late_payment" },
      ],
      [
        "[B15] of a draft, paid without us, is late money, for a person",
        unsent,
        { source: source("PAID"), sourceOwner: "this" },
        { event: "complete", reason: "late_payment" },
      ],
      [
        "[B10] paid without us with one smallest unit more says so",
        failed,
        paid("this", money(2_000)),
        { event: "complete", reason: "amount_mismatch" },
      ],
      [
        "paid by another try is that one's money",
        failed,
        paid("another"),
        { ...quiet, next: watch },
      ],
      [
        "paid by nobody knows whom is asked again",
        failed,
        paid("unsure"),
        { ...quiet, next: again },
      ],
      [
        "paid by nobody knows whom is for a person when the watch ends",
        { ...failed, createdAt: afterNoon(-8 * DAY) },
        paid("unsure"),
        { event: "doubt", reason: "source_disagrees", next: schedule },
      ],
      [
        "paid, with nobody asked whose it is, is asked again",
        failed,
        { ...declined, source: source("PAID") },
        { ...quiet, next: again },
      ],
      [
        "that another try uses now is left alone",
        over,
        { ...declined, sourceOwner: "another" },
        { ...quiet, next: watch },
      ],
      [
        "of a draft that another try uses now is left alone",
        unsent,
        { sourceOwner: "another" },
        { ...quiet, next: watch },
      ],
    ])
  })

  it("of a page that is open all the same is closed", () => {
    const decision = decide(expired, { source: source("ACTIVE") })
    expect(decision).toMatchObject({ action: "close_source", next: again })
  })

  it("[B36] of what a person has dismissed only more is held, and its source is closed", () => {
    for (const ended of [failed, expired]) {
      const dismissed = { ...ended, state: "failed" as const, collected: money(1_999) }
      expect(decide(dismissed, both("COMPLETED", "PAID"))).toMatchObject({ next: schedule })
      expect(decide(dismissed, both("COMPLETED", "PAID")).event).toBeUndefined()
      const open = decide(dismissed, both("COMPLETED", "ACTIVE"))
      expect(open).toMatchObject({ action: "close_source" })
      expect(decide(dismissed, both("COMPLETED", "CANCELED")).event).toBeUndefined()
      const less = { ...dismissed, collected: money(1_998) }
      expect(decide(less, both("COMPLETED", "PAID"))).toMatchObject({ event: "complete" })
    }
  })

  it("[B36] a source that is to be closed is kept for no other try", () => {
    const dismissed = { ...failed, closing: "canceled" as const }
    expect(decide(dismissed, both("FAILED", "ACTIVE"))).toMatchObject({ action: "close_source" })
  })

  it.each(["drafted", "review"] as const)("%s is not asked for", (state) => {
    for (const operation of [anOperation({ state }), aHostedOperation({ state })]) {
      expect(decide(operation, both("FAILED", "CANCELED"))).toMatchObject({ next: schedule })
      expect(decide(operation, both("COMPLETED", "PAID")).event).toBeUndefined()
    }
  })
})

describe("[B07] completed", () => {
  const completed = anOperation({ state: "completed", collected: money(1_999) })
  const page = aHostedOperation({ state: "completed", collected: money(1_999) })
  const returned = { ...completed, returnedAt: afterNoon(0) }
  const contradicted: Expected = { ...quiet, marks: { contradicted: true } }
  const agrees: Expected = { ...quiet, marks: { contradicted: false } }
  const silent: Expected = { ...quiet, marks: undefined }
  table([
    ["and FAILED now stays completed", completed, both("FAILED", "PAID"), contradicted],
    [
      "and its source open again stays completed",
      completed,
      both("COMPLETED", "ACTIVE"),
      contradicted,
    ],
    [
      "on the page, and CANCELED now, stays completed",
      page,
      { source: source("CANCELED") },
      contradicted,
    ],
    [
      "for another total now stays completed",
      page,
      { source: source("PAID", money(1)) },
      contradicted,
    ],
    ["still says so", completed, both("COMPLETED", "PAID"), agrees],
    ["in flight again says nothing", completed, both("PROCESSING", "PAID"), silent],
    ["does not answer", completed, { execution: unknown, source: refused }, silent],
    ["given back, its source may read anything", returned, both("COMPLETED", "CANCELED"), agrees],
    [
      "accepted with what came is compared with that",
      { ...completed, collected: money(5) },
      both("COMPLETED", "PAID", money(5)),
      agrees,
    ],
  ])
})

describe("[I7] three days without a final answer", () => {
  const old = { readAt: afterNoon(3 * DAY), expiresAt: afterNoon(30 * MINUTE) }
  const doubt: Expected = { event: "doubt", reason: "no_answer", action: undefined }
  const mute = { execution: unknown, source: unknown }
  const shut = { execution: refused, source: refused }
  table([
    [
      "PROCESSING is for a person",
      anOperation({ ...inFlight, ...old }),
      { ...execution("PENDING"), source: unknown },
      doubt,
    ],
    ["never an answer is for a person", anOperation(old), mute, doubt],
    ["always refused is for a person", anOperation(old), shut, doubt],
    [
      "FAILED with a source that stays PROCESSING is for a person",
      anOperation({ ...failedOnce, ...old }),
      { ...declined, source: source("PROCESSING") },
      doubt,
    ],
    [
      "without a trace and with a source that can't be closed is for a person",
      anOperation({ ...old, lastSending: "in_doubt", closing: "never_landed" }),
      { ...absent, source: unknown },
      doubt,
    ],
    [
      "a page that can't be closed is for a person",
      aHostedOperation({ ...old, closing: "window_closed" }),
      { source: source("ACTIVE") },
      doubt,
    ],
    [
      "a page is closed once before a person is asked",
      aHostedOperation(old),
      { source: source("ACTIVE") },
      { event: undefined, action: "close_source" },
    ],
    [
      "PAID is still paid",
      aHostedOperation(old),
      { source: source("PAID") },
      { event: "complete" },
    ],
    ["COMPLETED still asks", anOperation(old), execution("COMPLETED"), { action: "ask_source" }],
    [
      "CANCELED is still an end",
      aHostedOperation(old),
      { source: source("CANCELED") },
      { event: "expire" },
    ],
  ])
})
