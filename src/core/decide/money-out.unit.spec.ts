/** What holds for a refund as for a payout; what one of them has alone is in its own spec. */
import fc from "fast-check"
import {
  afterNoon,
  aPayout,
  aRefund,
  DAY,
  HOUR,
  MINUTE,
  SECOND,
} from "../../../integration-tests/support/an-operation"
import { decidePayout, decideRefund } from "./money-out"
import type { Decision, ExecutionFinding } from "./decision"
import { stateAfter, type Operation } from "../operation"

const seen = (status: string): ExecutionFinding => ({ kind: "seen", status })
const other = (status: string): ExecutionFinding => ({ kind: "seen", status, isOtherAmount: true })
const ABSENT: ExecutionFinding = { kind: "absent" }
const UNKNOWN: ExecutionFinding = { kind: "unknown" }
const FAILED: ExecutionFinding = { kind: "seen", status: "FAILED", failure: "insufficient_funds" }
const STATUSES = ["PENDING", "PROCESSING", "COMPLETED", "ODD"]
const inMs = (ms: number) => ({ kind: "in", ms }) as const
const QUIET = { event: undefined, action: undefined }

type Given = Partial<
  Pick<
    Operation,
    "state" | "lastSending" | "sendings" | "readAt" | "failedAt" | "absentAt" | "reason"
  >
>
type Make = (given: Given) => Operation

type Side = {
  readonly name: string
  readonly decide: typeof decideRefund
  readonly sent: Make
  /** Whatever else is decided in the same way. */
  readonly all: readonly Make[]
  readonly late: "late_payout" | "late_refund"
  readonly safety: string
  readonly isSentAgain: boolean
  readonly isEndedBy404: (operation: Operation) => boolean
}

const payout = (given: Given) => aPayout({ expiresAt: afterNoon(15 * MINUTE), ...given })
const transfer = (given: Given) => aPayout({ ...payout(given), type: "TRANSFER" })

const SIDES: readonly Side[] = [
  {
    name: "a payout",
    decide: decidePayout,
    sent: payout,
    all: [payout, transfer],
    late: "late_payout",
    safety: "is never sent again, and ends only by FAILED twice, or once nothing can land any more",
    isSentAgain: false,
    isEndedBy404: ({ lastSending }) => lastSending === "refused" || lastSending === "not_sent",
  },
  {
    name: "a refund",
    decide: decideRefund,
    sent: aRefund,
    all: [aRefund],
    late: "late_refund",
    safety: "is freed only by FAILED twice, or by 404 once nothing can land any more",
    isSentAgain: true,
    isEndedBy404: ({ lastSending, sendings }) => lastSending === "refused" && sendings === 1,
  },
]

type Row = readonly [string, Operation, ExecutionFinding | undefined, Partial<Decision>]

describe.each(SIDES)("$name", ({ decide, sent, late, ...side }) => {
  /** Read so long after noon, when it was sent; its session ends at 12:15. */
  const at = (ms: number, given: Given = {}, make = sent) =>
    make({ readAt: afterNoon(ms), lastSending: "in_doubt", ...given })

  const rows: readonly Row[] = [
    [
      "[B11] COMPLETED with another amount than was asked for is for a person",
      at(0, { state: "in_flight" }),
      other("COMPLETED"),
      { event: "doubt", reason: "amount_mismatch" },
    ],
    [
      "[B11] COMPLETED so at once is for a person, too",
      at(0),
      other("COMPLETED"),
      { event: "doubt", reason: "amount_mismatch" },
    ],
    [
      "[B11] on its way with another amount is followed, and not called on its way",
      at(0),
      other("PROCESSING"),
      QUIET,
    ],
    [
      "that moved another amount after its end is late first of all",
      at(HOUR, { state: "failed" }),
      other("COMPLETED"),
      { event: "complete", reason: late },
    ],
    ["that the gateway works on is in flight", at(0), seen("PENDING"), { event: "see" }],
    ["stays so", at(0, { state: "in_flight" }), seen("PROCESSING"), { event: undefined }],
    ["with a status that nobody knows is in flight", at(0), seen("QUEUED"), { event: "see" }],
    ["that is COMPLETED has gone", at(0), seen("COMPLETED"), { event: "complete" }],
    [
      "that is COMPLETED after it was in flight, too",
      at(0, { state: "in_flight" }),
      seen("COMPLETED"),
      { event: "complete" },
    ],
    [
      "[B21] FAILED once is looked at a second time",
      at(0, { state: "in_flight" }),
      FAILED,
      { event: undefined, reason: "insufficient_funds", marks: { failed: true, absent: false } },
    ],
    [
      "[B21] FAILED again too soon is not the second time",
      at(6 * SECOND, { failedAt: afterNoon(2 * SECOND) }),
      FAILED,
      { event: undefined, next: inMs(SECOND) },
    ],
    [
      "[B21] FAILED twice has failed, and is watched",
      at(8 * SECOND, { failedAt: afterNoon(2 * SECOND) }),
      FAILED,
      { event: "fail", reason: "insufficient_funds", next: { kind: "watch" } },
    ],
    [
      "FAILED and then PROCESSING has not failed",
      at(8 * SECOND, { state: "in_flight", failedAt: afterNoon(2 * SECOND) }),
      seen("PROCESSING"),
      { event: undefined, marks: { absent: false, failed: false } },
    ],
    ["without an answer stays as it is", at(0), UNKNOWN, QUIET],
    ["of which the gateway won't tell stays as it is", at(0), { kind: "refused" }, QUIET],
    ["is asked for later", at(0), { kind: "later", afterMs: 7_000 }, { next: inMs(7_000) }],
    [
      "whose first sending was refused, and 404, is asked for once more",
      at(2 * SECOND, { lastSending: "refused", reason: "wrong_pin" }),
      ABSENT,
      { ...QUIET, marks: { absent: true }, next: inMs(MINUTE) },
    ],
    [
      "refused, and 404 that has not lasted, stays reserved",
      at(50 * SECOND, { lastSending: "refused", absentAt: afterNoon(2 * SECOND) }),
      ABSENT,
      { ...QUIET, next: inMs(12 * SECOND) },
    ],
    [
      "refused, and 404 for a minute, ends",
      at(62 * SECOND, {
        lastSending: "refused",
        reason: "wrong_pin",
        absentAt: afterNoon(2 * SECOND),
      }),
      ABSENT,
      { event: "expire", reason: "wrong_pin" },
    ],
    [
      "404 after an hour, but first seen before the session was over, is looked at once more",
      at(HOUR, { absentAt: afterNoon(MINUTE) }),
      ABSENT,
      { ...QUIET, marks: { absent: "anew" }, next: inMs(5 * MINUTE) },
    ],
    [
      "404 within the five minutes after the session does not end",
      at(19 * MINUTE, { absentAt: afterNoon(15 * MINUTE) }),
      ABSENT,
      { ...QUIET, next: inMs(MINUTE) },
    ],
    [
      "404 for five minutes after its session was over has never landed",
      at(20 * MINUTE, { absentAt: afterNoon(15 * MINUTE) }),
      ABSENT,
      { event: "expire", reason: "never_landed" },
    ],
    [
      "accepted once is not ended by 404",
      at(HOUR, { state: "in_flight", absentAt: afterNoon(15 * MINUTE) }),
      ABSENT,
      QUIET,
    ],
    [
      "accepted by the answer alone is not ended by 404",
      at(HOUR, { lastSending: "accepted", absentAt: afterNoon(15 * MINUTE) }),
      ABSENT,
      QUIET,
    ],
    [
      "[I7] without an answer for three days is for a person",
      at(3 * DAY + 7 * HOUR),
      UNKNOWN,
      { event: "doubt", reason: "no_answer" },
    ],
    [
      "[B21] FAILED, later COMPLETED is for a person",
      at(HOUR, { state: "failed" }),
      seen("COMPLETED"),
      { event: "complete", reason: late },
    ],
    [
      "never landed, later COMPLETED, too",
      at(HOUR, { state: "expired" }),
      seen("COMPLETED"),
      { event: "complete", reason: late },
    ],
    ["FAILED is watched", at(HOUR, { state: "failed" }), FAILED, { next: { kind: "watch" } }],
    [
      "on its way after its end is asked about until its end",
      at(HOUR, { state: "expired" }),
      seen("PROCESSING"),
      { next: inMs(15 * MINUTE) },
    ],
    [
      "[I7] on its way a week after its end is for a person",
      at(7 * DAY, { state: "failed" }),
      seen("PROCESSING"),
      { event: "doubt", reason: late },
    ],
    [
      "uses no look of its watch up in an outage",
      at(HOUR, { state: "failed" }),
      UNKNOWN,
      { next: inMs(15 * MINUTE) },
    ],
    ["that is completed stays so", at(HOUR, { state: "completed" }), FAILED, QUIET],
    ["that was not asked for stays", at(0), undefined, QUIET],
  ]

  it.each(rows)("%s", (_name, operation, finding, expected) => {
    const decision = decide(operation, finding)
    expect({ event: undefined, action: undefined, ...decision }).toMatchObject(expected)
  })

  const moments = fc.option(fc.integer({ min: 0, max: 4 * DAY }), { nil: null })
  const operations = fc
    .record({
      make: fc.constantFrom(...side.all),
      state: fc.constantFrom("submitted", "in_flight", "failed", "expired", "completed"),
      lastSending: fc.constantFrom("sending", "accepted", "in_doubt", "not_sent", "refused"),
      sendings: fc.integer({ min: 1, max: 3 }),
      readMs: fc.integer({ min: 0, max: 4 * DAY }),
      failedMs: moments,
      absentMs: moments,
    } as const)
    .map(({ make, readMs, failedMs, absentMs, ...rest }) => {
      const failedAt = failedMs === null ? null : afterNoon(Math.min(failedMs, readMs))
      const absentAt = absentMs === null ? null : afterNoon(Math.min(absentMs, readMs))
      return at(readMs, { ...rest, failedAt, absentAt }, make)
    })
  const findings = fc.constantFrom<ExecutionFinding | undefined>(
    undefined,
    ABSENT,
    UNKNOWN,
    FAILED,
    { kind: "refused" },
    { kind: "later", afterMs: undefined },
    ...STATUSES.map(seen),
    ...STATUSES.map(other),
  )

  it(`[I4] ${side.safety}`, () => {
    fc.assert(
      fc.property(operations, findings, (operation, finding) => {
        const { event, action } = decide(operation, finding)
        if (event || !side.isSentAgain) expect(action).toBeUndefined()
        if (event) expect(stateAfter(operation.state, event)).toBeDefined()
        const hasEnded = operation.state === "failed" || operation.state === "expired"
        if (event === "complete") expect(finding).toMatchObject(seen("COMPLETED"))
        if (event === "complete" && !hasEnded) expect(finding).toEqual(seen("COMPLETED"))
        if (event === "fail") {
          expect(finding).toBe(FAILED)
          expect(operation.failedAt).not.toBeNull()
        }
        if (event !== "expire") return
        expect(finding).toBe(ABSENT)
        const readMs = operation.readAt.getTime()
        const isOver = readMs >= afterNoon(20 * MINUTE).getTime()
        const isLasting =
          operation.lastSending === "not_sent" ||
          readMs - (operation.absentAt?.getTime() ?? readMs) >= MINUTE
        expect((side.isEndedBy404(operation) && isLasting) || isOver).toBe(true)
        expect(operation.state).toBe("submitted")
      }),
      { numRuns: 3_000 },
    )
  })
})

/** 404, so long after noon, when it was sent; its session ends at 12:15. */
const at404 = (ms: number, lastSending: Operation["lastSending"]) =>
  decidePayout(payout({ readAt: afterNoon(ms), lastSending }), { kind: "absent" })

describe("a payout", () => {
  it("not known there is asked for again, not sent", () => {
    const { event, action } = at404(2 * MINUTE, "in_doubt")
    expect([event, action]).toEqual([undefined, undefined])
  })

  it("that never left, and 404, ends", () => {
    expect(at404(2 * SECOND, "not_sent")).toMatchObject({ event: "expire", reason: "never_landed" })
  })
})
