import fc from "fast-check"
import {
  aHostedOperation,
  afterNoon,
  anOperation,
  aPayout,
  aRefund,
  SECOND,
} from "../../integration-tests/support/an-operation"
import {
  hasRunningStart,
  isLive,
  isMoneyMoving,
  isOperation,
  isOwedToMedusa,
  isRecorded,
  ofMedusa,
  STATES,
  stateAfter,
  TRANSITIONS,
  type Event,
  type State,
} from "./operation"

const EVENTS: readonly Event[] = [
  "submit",
  "see",
  "complete",
  "fail",
  "expire",
  "doubt",
  "strand",
  "accept",
  "give_back",
  "dismiss",
]

/** The machine as the design has it, written down a second time. */
const ALLOWED = new Set([
  "drafted submit submitted",
  "drafted expire expired",
  "submitted see in_flight",
  "submitted complete completed",
  "submitted fail failed",
  "submitted expire expired",
  "submitted doubt review",
  "in_flight complete completed",
  "in_flight fail failed",
  "in_flight expire expired",
  "in_flight doubt review",
  "completed strand review",
  "failed complete review",
  "failed doubt review",
  "expired complete review",
  "expired doubt review",
  "review accept completed",
  "review give_back completed",
  "review dismiss failed",
])

const pairs = STATES.flatMap((state) => EVENTS.map((event) => [state, event] as const))
const walks = fc.array(fc.constantFrom(...EVENTS), { maxLength: 30 })

function walk(from: State, events: readonly Event[]): State[] {
  const seen: State[] = [from]
  let state = from
  for (const event of events) {
    state = stateAfter(state, event) ?? state
    seen.push(state)
  }
  return seen
}

describe("the machine", () => {
  it.each(pairs)("%s after %s is what the table says, or stays", (state, event) => {
    const next = stateAfter(state, event)
    const isAllowed = [...ALLOWED].some((row) => row.startsWith(`${state} ${event} `))
    expect(next !== undefined).toBe(isAllowed)
    if (next) expect(ALLOWED).toContain(`${state} ${event} ${next}`)
  })

  it("has no event that the tests do not know", () => {
    const named = new Set(Object.values(TRANSITIONS).flatMap((row) => Object.keys(row)))
    expect([...named].sort()).toEqual([...EVENTS].sort())
  })

  it("takes nothing from an object's prototype", () => {
    const names = ["constructor", "toString", "__proto__"]
    for (const state of STATES) {
      const row: object = TRANSITIONS[state]
      expect(names.filter((name) => Object.hasOwn(row, name))).toEqual([])
    }
  })

  it("on any walk, calls money completed only by proof or by a person", () => {
    fc.assert(
      fc.property(walks, (events) => {
        const states = walk("drafted", events)
        states.forEach((state, index) => {
          if (state !== "completed" || states[index - 1] === "completed" || index === 0) return
          const event = events[index - 1]
          expect(["complete", "accept", "give_back"]).toContain(event)
          // Late money never gets there by itself.
          if (event === "complete") expect(["submitted", "in_flight"]).toContain(states[index - 1])
        })
      }),
    )
  })

  it("on any walk, is never drafted again and never leaves an end but for a review", () => {
    fc.assert(
      fc.property(walks, (events) => {
        const states = walk("drafted", events)
        const left = states.findIndex((state) => state !== "drafted")
        if (left > 0) expect(states.slice(left)).not.toContain("drafted")
        states.slice(1).forEach((state, index) => {
          const before = states[index]
          if (before !== state && (before === "failed" || before === "expired")) {
            expect(state).toBe("review")
          }
        })
      }),
    )
  })

  it("can bring every state to an end", () => {
    const ends: readonly State[] = ["completed", "failed", "expired", "review"]
    for (const state of STATES) {
      const next = Object.values(TRANSITIONS[state])
      expect(ends.includes(state) || next.some((one) => ends.includes(one))).toBe(true)
    }
  })
})

describe("an operation", () => {
  it("is live in five states, unless it is a duplicate payment or returned", () => {
    const live = STATES.filter((state) => isLive(anOperation({ state })))
    expect(live).toEqual(["drafted", "submitted", "in_flight", "completed", "review"])
    for (const state of STATES) {
      expect(isLive(anOperation({ state, isDuplicate: true }))).toBe(false)
      expect(isLive(anOperation({ state, returnedAt: afterNoon(0) }))).toBe(false)
    }
  })

  it("has a running start only as a draft and until its lease is over", () => {
    const lease = (ms: number) => ({ leaseUntil: afterNoon(ms), readAt: afterNoon(0) })
    expect(hasRunningStart(anOperation({ state: "drafted", ...lease(SECOND) }))).toBe(true)
    expect(hasRunningStart(anOperation({ state: "drafted", ...lease(0) }))).toBe(false)
    expect(hasRunningStart(anOperation({ state: "drafted", leaseUntil: null }))).toBe(false)
    expect(hasRunningStart(anOperation({ state: "submitted", ...lease(SECOND) }))).toBe(false)
  })

  it("is owed while completed, not recorded, not returned, nothing of it on its way back", () => {
    const paid = { state: "completed" } as const
    expect(isOwedToMedusa(anOperation(paid))).toBe(true)
    expect(isOwedToMedusa(anOperation({ ...paid, recordedAt: afterNoon(0) }))).toBe(false)
    expect(isOwedToMedusa(anOperation({ ...paid, returnedAt: afterNoon(0) }))).toBe(false)
    expect(isOwedToMedusa(anOperation({ ...paid, reservedRefundMinor: 1n }))).toBe(false)
    expect(isOwedToMedusa(anOperation({ state: "review" }))).toBe(false)
  })

  it("is recorded only while nobody gave it back", () => {
    const recorded = { state: "completed", recordedAt: afterNoon(0) } as const
    expect(isRecorded(anOperation(recorded))).toBe(true)
    expect(isRecorded(anOperation({ ...recorded, returnedAt: afterNoon(1) }))).toBe(false)
    expect(isRecorded(anOperation({ state: "completed" }))).toBe(false)
  })

  it.each([
    ["a push that went out", anOperation({ state: "submitted" }), true],
    ["a push in flight", anOperation({ state: "in_flight" }), true],
    ["a payment page nobody pays on", aHostedOperation({ sourceStatus: "ACTIVE" }), false],
    ["a payment page being paid on", aHostedOperation({ sourceStatus: "PROCESSING" }), true],
    ["completed, not recorded", anOperation({ state: "completed" }), true],
    ["recorded", anOperation({ state: "completed", recordedAt: afterNoon(0) }), false],
    ["in review", anOperation({ state: "review" }), true],
    ["a duplicate payment in review", anOperation({ state: "review", isDuplicate: true }), false],
    ["returned", anOperation({ state: "completed", returnedAt: afterNoon(0) }), false],
    ["an idle draft", anOperation({ state: "drafted" }), false],
    [
      "a draft at work",
      anOperation({ state: "drafted", leaseUntil: afterNoon(SECOND), readAt: afterNoon(0) }),
      true,
    ],
    ["failed", anOperation({ state: "failed" }), false],
    [
      "failed, and its source is being paid",
      anOperation({ state: "failed", sourceStatus: "PROCESSING", nextCheckAt: afterNoon(SECOND) }),
      true,
    ],
    [
      "expired, its source last seen being paid, and nobody looks any more",
      anOperation({ state: "expired", sourceStatus: "PROCESSING", nextCheckAt: null }),
      false,
    ],
  ])("%s moves money: %s", (_name, operation, expected) => {
    expect(isMoneyMoving(operation)).toBe(expected)
  })
})

describe("what Medusa has a part in", () => {
  it("is a payment or a refund, and neither a payout nor a transfer", () => {
    for (const one of [anOperation(), aRefund()]) expect(ofMedusa(one)).toBe(one)
    for (const type of ["PAYOUT", "TRANSFER"] as const)
      expect(() => ofMedusa(aPayout({ type }))).toThrow("Medusa has no part in mpop_1")
  })

  it.each(["providerId", "paymentCollectionId", "paymentSessionId"])(
    "is no operation without its %s, which a payout has not",
    (field) => {
      const absent = { [field]: null }
      expect(isOperation({ ...anOperation(), ...absent })).toBe(false)
      expect(isOperation({ ...aRefund(), ...absent })).toBe(false)
      expect(isOperation({ ...aPayout(), [field]: "" })).toBe(true)
      expect(isOperation(aPayout())).toBe(true)
    },
  )
})
