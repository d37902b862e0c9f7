import { enteredAt, labelOf } from "./operation-state"
import { stepsOf } from "./progress"
import type { OperationDetail } from "./responses"

const eventsIn = (...states: string[]): OperationDetail["events"] =>
  states.map((state, index) => ({
    seq: index + 1,
    name: "seen",
    state,
    code: "still_ended",
    why: "",
    by: null,
    facts: {},
    at: `2026-11-28T03:00:0${index}.000Z`,
  }))

it.each([
  ["paid after it had failed, and checked since", ["in_flight", "failed", "review", "review"], 2],
  ["in it, out of it and in it again", ["review", "completed", "review"], 2],
  ["in it from its first event on", ["review", "review"], 0],
])("a review begins where the operation came into it: %s", (_name, states, second) => {
  const at = enteredAt({ state: "review", events: eventsIn(...states) })
  expect(at).toBe(`2026-11-28T03:00:0${second}.000Z`)
})

it("without an event of the state nothing says when it began", () => {
  expect(enteredAt({ state: "review", events: eventsIn("in_flight") })).toBeNull()
  expect(enteredAt({ state: "review", events: [] })).toBeNull()
})

const paid = {
  type: "COLLECTION",
  state: "completed",
  recorded_at: "2026-11-28T05:00:00.000Z",
  returned_at: null,
  taken_back_at: null,
  dismissed_at: null,
  refunded_amount: 0,
  refund_pending_amount: 0,
} as const

it.each([
  ["recorded", {}, "state.paid"],
  ["refunded in part", { refunded_amount: 5 }, "state.partlyReturned"],
  ["refunded in full", { refunded_amount: 19.99, returned_at: paid.recorded_at }, "state.returned"],
] as const)("a payment that is %s says so", (_name, given, word) => {
  expect(labelOf({ ...paid, ...given }).word).toBe(word)
})

it.each([
  ["COLLECTION", "progress.approved"],
  ["PAYOUT", "state.arrived"],
] as const)("of a %s that an admin accepted, the money keeps its time", (type, text) => {
  const operation = {
    ...paid,
    type,
    created_at: "2026-11-28T02:59:00.000Z",
    submitted_at: "2026-11-28T02:59:01.000Z",
    checked_at: "2026-11-28T05:00:00.000Z",
    money_at: "2026-11-28T03:00:00.000Z",
    events: [
      { ...eventsIn("review")[0], name: "complete" },
      { ...eventsIn("completed")[0], name: "accept", at: "2026-11-28T04:59:00.000Z" },
    ],
  } as unknown as OperationDetail
  const steps = stepsOf(String as never, operation)
  expect(steps.find((step) => step.text === text)?.at).toBe("2026-11-28T03:00:00.000Z")
})
