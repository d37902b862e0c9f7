/** A payment whose execution never reads an end: in flight for ever, or in a word of its own. */
import fc from "fast-check"
import {
  afterNoon,
  anOperation,
  MINUTE,
  money,
  SECOND,
} from "../../../integration-tests/support/an-operation"
import {
  both,
  execution,
  quiet,
  source,
  table,
  unknown,
} from "../../../integration-tests/support/decide-table"
import { decide } from "./collection"
import { decidePayout, decideRefund } from "./money-out"

const early = anOperation({ state: "in_flight" })
const old = anOperation({ state: "in_flight", readAt: afterNoon(10 * MINUTE) })
const doubt = { event: "doubt", reason: "source_disagrees", action: undefined } as const
const ask = { event: undefined, action: "ask_source" } as const
const ahead = { ...old, contradictedAt: afterNoon(8 * MINUTE) }
const disagreed = { ...old, contradictedAt: afterNoon(-6 * MINUTE) }
const over = { ...disagreed, expiresAt: afterNoon(0) }

describe.each(["PROCESSING", "PENDING", "HALF_WAY", "Ausstehend"])("%s", (word) => {
  table([
    ["at first is enough", early, execution(word), quiet],
    ["after two minutes asks the source", old, execution(word), ask],
    ["asks again at each check", { ...old, checks: 7 }, execution(word), ask],
    ["beside an open source goes on", old, both(word, "ACTIVE"), quiet],
    [
      "is seen to be in flight",
      { ...old, state: "submitted" },
      both(word, "IDLE"),
      { event: "see" },
    ],
    ["beside a paid source waits", old, both(word, "PAID"), { marks: { contradicted: true } }],
    ["beside a paid source for two minutes is for a person", ahead, both(word, "PAID"), doubt],
    [
      "beside a paid source is for a person at once where one asks",
      old,
      { ...both(word, "PAID"), isForPerson: true },
      doubt,
    ],
    [
      "beside a source that another payment has paid goes on",
      disagreed,
      { ...both(word, "PAID"), sourceOwner: "another" },
      quiet,
    ],
    [
      "without an answer of the source goes on",
      old,
      { ...execution(word), source: unknown },
      quiet,
    ],
    [
      "beside a closed source waits",
      old,
      both(word, "CANCELED"),
      { marks: { contradicted: true } },
    ],
    ["beside one long closed has time to pay", disagreed, both(word, "CANCELED"), quiet],
    [
      "beside one long closed ends with the time to pay",
      over,
      both(word, "CANCELED"),
      { event: "expire", reason: "canceled" },
    ],
  ])
})

describe("REVERSED", () => {
  const failedOnce = { ...early, failedAt: afterNoon(4 * SECOND) }
  const completed = anOperation({ state: "completed", collected: money(1_999) })
  const contradicted = { ...quiet, marks: { contradicted: true } }
  table([
    [
      "counts twice, as FAILED does",
      early,
      execution("REVERSED"),
      { marks: { failed: true, absent: false } },
    ],
    ["twice ends it", failedOnce, both("REVERSED", "ACTIVE"), { event: "fail" }],
    ["beside a paid source ends nothing", failedOnce, both("REVERSED", "PAID"), contradicted],
    ["after COMPLETED contradicts", completed, both("REVERSED", "PAID"), contradicted],
    [
      "after a refund of ours is no news",
      { ...completed, reservedRefundMinor: 1_999n, refundedMinor: 1_999n },
      both("REVERSED", "PAID"),
      { ...quiet, marks: undefined },
    ],
  ])

  it.each([decideRefund, decidePayout])(
    "contradicts money that went (%p), and ends none",
    (decideOut) => {
      const seen = { kind: "seen", status: "REVERSED" } as const
      const went = anOperation({ type: "REFUND", state: "completed" })
      expect(decideOut(went, seen)).toMatchObject({ marks: { contradicted: true } })
      const open = anOperation({ type: "REFUND", state: "in_flight", failedAt: afterNoon(-MINUTE) })
      expect(decideOut(open, seen).event).toBeUndefined()
    },
  )
})

it("only COMPLETED confirms a completed payment again, whatever else the execution reads", () => {
  const completed = anOperation({ state: "completed", collected: money(1_999) })
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.boolean(), (status, isAsked) => {
      fc.pre(status !== "COMPLETED")
      const findings = { ...execution(status), ...(isAsked && { source: source("PAID") }) }
      expect(decide(completed, findings).marks?.contradicted).not.toBe(false)
    }),
  )
})

it("a word that is not known completes nothing and fails nothing, whatever the source reads", () => {
  const words = fc
    .string({ minLength: 1 })
    .filter((word) => !/^(COMPLETED|FAILED|REVERSED)$/.test(word))
  const states = fc.constantFrom("IDLE", "ACTIVE", "PROCESSING", "PAID", "CANCELED", "ODD")
  const operations = fc.constantFrom(early, old, disagreed, over)
  fc.assert(
    fc.property(operations, words, states, fc.boolean(), (one, word, state, isForPerson) => {
      const { event } = decide(one, { ...both(word, state), isForPerson })
      expect(["complete", "fail"]).not.toContain(event)
    }),
  )
})
