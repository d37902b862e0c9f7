import fc from "fast-check"
import {
  afterNoon,
  aRefund,
  DAY,
  HOUR,
  MINUTE,
  SECOND,
} from "../../integration-tests/support/an-operation"
import { decideRefund } from "./decide-refund"
import type { Decision, ExecutionLook } from "./decision"
import { stateAfter, type Operation } from "./operation"
import { nextRefundCheckInMs } from "./refund-schedule"

const seen = (status: string): ExecutionLook => ({ kind: "seen", status })
const other = (status: string): ExecutionLook => ({ kind: "seen", status, isOtherAmount: true })
const ABSENT: ExecutionLook = { kind: "absent" }
const UNKNOWN: ExecutionLook = { kind: "unknown" }
const FAILED: ExecutionLook = { kind: "seen", status: "FAILED", failure: "insufficient_funds" }
const inMs = (ms: number) => ({ kind: "in", ms }) as const
const QUIET = { event: undefined, action: undefined }

/** Read so long after noon, when it was sent; its session ends at 12:15. */
const at = (ms: number, given: Partial<Operation> = {}) =>
  aRefund({ readAt: afterNoon(ms), lastSending: "in_doubt", ...given })

type Row = readonly [string, Operation, ExecutionLook | undefined, Partial<Decision>]

const ROWS: readonly Row[] = [
  ["a refund that the gateway works on is in flight", at(0), seen("PENDING"), { event: "see" }],
  ["and stays so", at(0, { state: "in_flight" }), seen("PROCESSING"), { event: undefined }],
  ["a status that nobody knows is in flight", at(0), seen("QUEUED"), { event: "see" }],
  ["COMPLETED is back", at(0, { state: "in_flight" }), seen("COMPLETED"), { event: "complete" }],
  [
    "[B11] COMPLETED with another amount than was asked for is for a person",
    at(0, { state: "in_flight" }),
    other("COMPLETED"),
    { event: "doubt", reason: "amount_mismatch" },
  ],
  ["[B11] at once, too", at(0), other("COMPLETED"), { event: "doubt", reason: "amount_mismatch" }],
  [
    "[B11] on its way with another amount it is followed, and not called on its way",
    at(0),
    other("PROCESSING"),
    QUIET,
  ],
  [
    "after its end it is late first of all",
    at(HOUR, { state: "failed" }),
    other("COMPLETED"),
    { event: "complete", reason: "late_refund" },
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
  ["no answer changes nothing", at(0), UNKNOWN, QUIET],
  ["a refusal to tell changes nothing", at(0), { kind: "refused" }, QUIET],
  ["asked to come back later", at(0), { kind: "later", afterMs: 7_000 }, { next: inMs(7_000) }],
  [
    "404 once after a sending in doubt is noted",
    at(2 * SECOND),
    ABSENT,
    { ...QUIET, marks: { absent: true }, next: inMs(MINUTE) },
  ],
  [
    "404 for a minute sends the same reference again",
    at(62 * SECOND, { absentAt: afterNoon(2 * SECOND) }),
    ABSENT,
    { action: "resend" },
  ],
  [
    "what surely never left goes out again at once",
    at(3 * SECOND, { lastSending: "not_sent" }),
    ABSENT,
    { action: "resend" },
  ],
  [
    "a first sending that was refused, and 404, ends it",
    at(2 * SECOND, { lastSending: "refused", reason: "insufficient_funds" }),
    ABSENT,
    { event: "expire", reason: "insufficient_funds" },
  ],
  [
    "a refusal after a sending in doubt proves nothing",
    at(2 * SECOND, { lastSending: "refused", sendings: 2 }),
    ABSENT,
    QUIET,
  ],
  [
    "404 after an hour, but first seen before the session was over, is looked at once more",
    at(HOUR, { absentAt: afterNoon(MINUTE) }),
    ABSENT,
    { ...QUIET, marks: { absent: true }, next: inMs(5 * MINUTE) },
  ],
  [
    "404 within the five minutes after the session is no end",
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
    "404 for what was accepted once ends nothing",
    at(HOUR, { state: "in_flight", absentAt: afterNoon(15 * MINUTE) }),
    ABSENT,
    QUIET,
  ],
  [
    "and nothing where only the answer of the sending said so",
    at(HOUR, { lastSending: "accepted", absentAt: afterNoon(15 * MINUTE) }),
    ABSENT,
    QUIET,
  ],
  [
    "[I7] without an answer for three days a person looks",
    at(3 * DAY + 7 * HOUR),
    UNKNOWN,
    { event: "doubt", reason: "no_answer" },
  ],
  [
    "[B21] FAILED, later COMPLETED is for a person",
    at(HOUR, { state: "failed" }),
    seen("COMPLETED"),
    { event: "complete", reason: "late_refund" },
  ],
  [
    "never landed, later COMPLETED, too",
    at(HOUR, { state: "expired" }),
    seen("COMPLETED"),
    { event: "complete", reason: "late_refund" },
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
    { event: "doubt", reason: "late_refund" },
  ],
  [
    "an outage uses no look of the watch up",
    at(HOUR, { state: "failed" }),
    UNKNOWN,
    { next: inMs(15 * MINUTE) },
  ],
  ["what is completed stays so", at(HOUR, { state: "completed" }), FAILED, QUIET],
  ["what was not asked for stays", at(0), undefined, QUIET],
]

describe("a refund", () => {
  it.each(ROWS)("%s", (_name, operation, look, expected) => {
    const decision = decideRefund(operation, look)
    expect({ event: undefined, action: undefined, ...decision }).toMatchObject(expected)
    expect(decision.why).not.toBe("")
  })

  const moments = fc.option(fc.integer({ min: 0, max: 4 * DAY }), { nil: null })
  const operations = fc
    .record({
      state: fc.constantFrom("submitted", "in_flight", "failed", "expired", "completed"),
      lastSending: fc.constantFrom("sending", "accepted", "in_doubt", "not_sent", "refused"),
      sendings: fc.integer({ min: 1, max: 3 }),
      readMs: fc.integer({ min: 0, max: 4 * DAY }),
      failedMs: moments,
      absentMs: moments,
    } as const)
    .map(({ readMs, failedMs, absentMs, ...rest }) =>
      at(readMs, {
        ...rest,
        failedAt: failedMs === null ? null : afterNoon(Math.min(failedMs, readMs)),
        absentAt: absentMs === null ? null : afterNoon(Math.min(absentMs, readMs)),
      }),
    )
  const looks = fc.constantFrom<ExecutionLook | undefined>(
    undefined,
    ABSENT,
    UNKNOWN,
    FAILED,
    { kind: "refused" },
    { kind: "later", afterMs: undefined },
    ...["PENDING", "PROCESSING", "COMPLETED", "ODD"].flatMap((status) => [
      seen(status),
      other(status),
    ]),
  )

  it("[I4] is freed only by FAILED twice, or by 404 once nothing can land any more", () => {
    fc.assert(
      fc.property(operations, looks, (operation, look) => {
        const { event, action } = decideRefund(operation, look)
        if (event) {
          expect(stateAfter(operation.state, event)).toBeDefined()
          expect(action).toBeUndefined()
        }
        const hasEnded = operation.state === "failed" || operation.state === "expired"
        if (event === "complete") expect(look).toMatchObject(seen("COMPLETED"))
        if (event === "complete" && !hasEnded) expect(look).toEqual(seen("COMPLETED"))
        if (event === "fail") {
          expect(look).toBe(FAILED)
          expect(operation.failedAt).not.toBeNull()
        }
        if (event !== "expire") return
        expect(look).toBe(ABSENT)
        const wasRefused = operation.lastSending === "refused" && operation.sendings === 1
        const isOver = operation.readAt.getTime() >= afterNoon(20 * MINUTE).getTime()
        expect(wasRefused || isOver).toBe(true)
        expect(operation.state).toBe("submitted")
      }),
      { numRuns: 3_000 },
    )
  })
})

describe("the looks at a refund", () => {
  it("come after 1 s and 3 s, and go on for three days", () => {
    const moments: number[] = []
    for (let ms = 0; ms < 3 * DAY;) {
      ms += nextRefundCheckInMs({ submittedAt: afterNoon(0), readAt: afterNoon(ms) }, 0.5)
      moments.push(ms)
    }
    expect(moments.slice(0, 5).map((ms) => ms / SECOND)).toEqual([1, 3, 6, 12, 20])
    expect(moments.length).toBeLessThan(15)
  })
})
