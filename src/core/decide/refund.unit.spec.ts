import {
  afterNoon,
  aRefund,
  DAY,
  MINUTE,
  SECOND,
} from "../../../integration-tests/support/an-operation"
import { decideRefund } from "./money-out"
import type { Decision, ExecutionFinding } from "./decision"
import type { MedusaOperation, Operation } from "../operation"
import { nextRefundCheckInMs } from "../schedule"

const ABSENT: ExecutionFinding = { kind: "absent" }
const inMs = (ms: number) => ({ kind: "in", ms }) as const
const QUIET = { event: undefined, action: undefined }

/** Read so long after noon, when it was sent; its session ends at 12:15. */
const at = (ms: number, given: Partial<MedusaOperation> = {}) =>
  aRefund({ readAt: afterNoon(ms), lastSending: "in_doubt", ...given })

type Row = readonly [string, Operation, ExecutionFinding | undefined, Partial<Decision>]

const ROWS: readonly Row[] = [
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
    "a refusal after a sending in doubt proves nothing",
    at(2 * SECOND, { lastSending: "refused", sendings: 2 }),
    ABSENT,
    QUIET,
  ],
]

describe("a refund", () => {
  it.each(ROWS)("%s", (_name, operation, finding, expected) => {
    const decision = decideRefund(operation, finding)
    expect({ event: undefined, action: undefined, ...decision }).toMatchObject(expected)
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
