import { failureReason } from "./failure-reason"
import { END_REASONS } from "./operation"

describe("the reason of a FAILED payment", () => {
  it.each([
    ["Payer has insufficient funds", "insufficient_funds"],
    ["NOT_ENOUGH_FUNDS: not enough balance", "insufficient_funds"],
    ["Low balance on wallet", "insufficient_funds"],
    ["Wrong PIN entered", "wrong_pin"],
    ["PIN blocked after 3 tries", "wrong_pin"],
    ["Daily limit reached", "limit"],
    ["Amount too low", "limit"],
    ["Transaction cancelled by payer", "canceled"],
    ["CANCELED", "canceled"],
    ["The payer declined the payment", "declined"],
    ["Rejected", "declined"],
    ["Payer did not approve: not approved in time", "declined"],
    ["Operator unavailable", "operator_unavailable"],
    ["Request timed out", "operator_unavailable"],
    ["time-out", "operator_unavailable"],
    ["Something odd", "unknown"],
    ["", "unknown"],
  ])("%p is read as %s", (text, reason) => {
    expect(failureReason(text)).toBe(reason)
    expect(END_REASONS).toContain(reason)
  })

  it("is taken from the first text that says something", () => {
    expect(failureReason(undefined, null, "ok", "declined", "wrong pin")).toBe("declined")
    expect(failureReason()).toBe("unknown")
  })
})
