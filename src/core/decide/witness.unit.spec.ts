/** The source is a witness: charged money does not wait for an execution that says no end. */
import fc from "fast-check"
import {
  afterNoon,
  anOperation,
  DAY,
  HOUR,
  MINUTE,
  money,
} from "../../../integration-tests/support/an-operation"
import {
  again,
  both,
  quiet,
  refused,
  source,
  table,
  unknown,
} from "../../../integration-tests/support/decide-table"
import { LIMITS } from "../limits"
import type { Operation } from "../operation"
import { nextOf, nextCheckInMs } from "../schedule"
import { decide } from "./collection"
import type { Findings, Unanswered } from "./decision"

const moment = fc.option(fc.integer({ min: 0, max: DAY }), { nil: null })
const openPushes = fc
  .record({
    state: fc.constantFrom("submitted", "in_flight"),
    lastSending: fc.constantFrom("sending", "accepted", "in_doubt", "refused"),
    closing: fc.constantFrom(null, "never_landed", "canceled", "window_closed"),
    sendings: fc.integer({ min: 1, max: 3 }),
    ageMs: fc.integer({ min: LIMITS.sourceAskedAfterMs, max: 3 * DAY - 1 }),
    sentMs: fc.integer({ min: 0, max: HOUR }),
    absentMs: moment,
    failedMs: moment,
    contradictedMs: moment,
    waiting: fc.boolean(),
  } as const)
  .map(({ ageMs, sentMs, absentMs, failedMs, contradictedMs, ...given }): Operation => {
    const before = (ms: number | null) => (ms === null ? null : afterNoon(ageMs - ms))
    return anOperation({
      ...given,
      readAt: afterNoon(ageMs),
      lastSentAt: before(Math.min(sentMs, ageMs)),
      absentAt: before(absentMs),
      failedAt: before(failedMs),
      contradictedAt: before(contradictedMs),
    })
  })
const unread: fc.Arbitrary<Unanswered> = fc.constantFrom(
  { kind: "absent" },
  { kind: "refused" },
  { kind: "unknown" },
)
const owners = fc.constantFrom(undefined, "this" as const, "unsure" as const)
const paid = (owner: "this" | "unsure" | undefined, total = money(1_999)): Findings => ({
  source: source("PAID", total),
  ...(owner && { sourceOwner: owner }),
})

describe("an execution that can't be read", () => {
  it("has its source asked at each check after two minutes, and sends nothing before", () => {
    fc.assert(
      fc.property(openPushes, unread, (operation, execution) => {
        expect(decide(operation, { execution })).toMatchObject({ action: "ask_source" })
      }),
    )
  })

  it("[B31] has its source closed at each check, where it is to be closed and still reads open", () => {
    const open = fc.constantFrom(source("ACTIVE"), source("IDLE"))
    const closings = fc.constantFrom("never_landed", "declined", "canceled", "window_closed")
    fc.assert(
      fc.property(openPushes, closings, open, (operation, closing, found) => {
        const findings: Findings = { execution: { kind: "absent" }, source: found }
        expect(decide({ ...operation, closing }, findings)).toMatchObject({
          action: "close_source",
        })
      }),
    )
  })

  it("leads to an admin at once where the source is paid, and never completes by itself", () => {
    fc.assert(
      fc.property(openPushes, unread, owners, (operation, execution, owner) => {
        const decision = decide(operation, { execution, ...paid(owner) })
        expect(decision).toMatchObject({ event: "doubt", reason: "source_disagrees" })
      }),
    )
  })

  it("leads to an admin who checks, however young the payment is", () => {
    fc.assert(
      fc.property(fc.nat(LIMITS.sourceAskedAfterMs), unread, owners, (ageMs, execution, owner) => {
        const young = anOperation({ state: "in_flight", readAt: afterNoon(ageMs) })
        const decision = decide(young, { execution, ...paid(owner), isForPerson: true })
        expect(decision).toMatchObject({ event: "doubt", reason: "source_disagrees" })
      }),
    )
  })

  it("says which amount or currency of its paid source is another than was asked for", () => {
    const totals = fc.constantFrom(
      ["amount_mismatch", money(1_998)] as const,
      ["currency_mismatch", money(1_999, "LRD")] as const,
    )
    fc.assert(
      fc.property(openPushes, unread, totals, (operation, execution, [reason, total]) => {
        const decision = decide(operation, { execution, ...paid("this", total) })
        expect(decision).toMatchObject({ event: "doubt", reason })
      }),
    )
  })

  it("leads to no admin by a source that another payment has paid", () => {
    fc.assert(
      fc.property(openPushes, unread, (operation, execution) => {
        const findings = { execution, source: source("PAID"), sourceOwner: "another" } as const
        expect(decide(operation, findings).reason).not.toBe("source_disagrees")
      }),
    )
  })

  it("does not lead to an admin where only the shopper's time was too short for an answer", () => {
    const old = anOperation({ state: "in_flight", readAt: afterNoon(5 * MINUTE) })
    const hurried = { execution: { kind: "unknown" }, isHurried: true } as const
    expect(decide(old, hurried).action).toBeUndefined()
    expect(decide(old, { ...hurried, ...paid("this") }).event).toBeUndefined()
  })

  it("is left alone for as long as the gateway asks to wait, but not for ever", () => {
    const later = { execution: { kind: "later", afterMs: 30_000 } } as const
    const at = (ms: number) => anOperation({ state: "in_flight", readAt: afterNoon(ms) })
    expect(decide(at(3 * MINUTE), later)).toMatchObject({ next: { kind: "in", ms: 30_000 } })
    expect(decide(at(15 * MINUTE), later)).toMatchObject({ action: "ask_source" })
  })
})

describe("after an end", () => {
  const failed = anOperation({ state: "failed", reason: "declined" })
  table([
    [
      "no answer of an execution asks the source",
      failed,
      { execution: unknown },
      { ...quiet, action: "ask_source" },
    ],
    [
      "no answer of an execution beside an open source is asked again, and closes nothing",
      failed,
      { execution: unknown, source: source("ACTIVE") },
      { ...quiet, next: again },
    ],
    [
      "[B05] no answer of an execution beside a PAID source is late money, for a person",
      failed,
      { execution: refused, source: source("PAID"), sourceOwner: "this" },
      { event: "complete", reason: "late_payment" },
    ],
  ])
})

/** Plays the job's checks until the payment waits for an admin. */
function minutesToReview(word: string, paidMs: number, waiting: boolean, roll: number): number {
  let operation = anOperation({ state: "in_flight", waiting })
  let atMs = 0
  while (atMs < DAY) {
    operation = { ...operation, readAt: afterNoon(atMs) }
    const isAsked = atMs >= LIMITS.sourceAskedAfterMs
    const findings = isAsked ? both(word, atMs >= paidMs ? "PAID" : "PROCESSING") : undefined
    const decision = decide(operation, findings ?? { execution: { kind: "seen", status: word } })
    if (decision.event) return atMs / MINUTE
    const { contradicted } = decision.marks ?? {}
    const since = contradicted ? (operation.contradictedAt ?? operation.readAt) : null
    operation = {
      ...operation,
      contradictedAt: contradicted === undefined ? operation.contradictedAt : since,
    }
    atMs += nextOf(operation, decision, nextCheckInMs, 0, () => roll).inMs ?? DAY
  }
  return DAY / MINUTE
}

it("an execution that stays under way beside a paid source is for an admin within six minutes", () => {
  const words = fc.constantFrom("PENDING", "PROCESSING", "SETTLING")
  const paidAt = fc.integer({ min: 0, max: LIMITS.sourceAskedAfterMs })
  fc.assert(
    fc.property(
      words,
      paidAt,
      fc.boolean(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (...drawn) => {
        expect(minutesToReview(...drawn)).toBeLessThanOrEqual(6)
      },
    ),
  )
})
