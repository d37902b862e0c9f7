import { enteredAt } from "./operation-state"
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
