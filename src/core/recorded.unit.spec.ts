import { afterNoon, anOperation, SECOND } from "../../integration-tests/support/an-operation"
import { STATES } from "./operation"
import { standingReason } from "./recorded"

const reason = "declined"

it.each(STATES)("a reason holds in the state %s unless its money has come in", (state) => {
  const operation = anOperation({ state, reason })
  expect(standingReason(operation)).toBe(state === "completed" ? null : reason)
})

it("of money that was given back, the reason says why", () => {
  const returnedAt = afterNoon(SECOND)
  expect(standingReason(anOperation({ state: "completed", reason, returnedAt }))).toBe(reason)
})
