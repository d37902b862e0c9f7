import {
  Forbidden,
  Indeterminate,
  Invalid,
  NotFound,
  RateLimited,
  Unauthenticated,
  Unavailable,
  Unreachable,
  type Failure,
} from "../gateway"
import { startRefusalOf } from "./start-refusal"

type ErrorFacts = ConstructorParameters<typeof NotFound>[1]

const facts: ErrorFacts = { operation: "checkouts.create", reason: "status" }
const phoneField = { ...facts, fields: [{ path: "party_phone", message: "too short" }] }
const account = { ...facts, fields: [{ path: "insensitive_account_number", message: "odd" }] }

describe("a call before the money call that did not work", () => {
  it.each<[string, Failure, string, boolean]>([
    [
      "[N17] 401",
      { kind: "refused", error: new Unauthenticated("", facts) },
      "not_configured",
      true,
    ],
    ["[N18] 403", { kind: "refused", error: new Forbidden("", facts) }, "not_configured", true],
    ["[N19] 404", { kind: "refused", error: new NotFound("", facts) }, "gateway_refused", true],
    ["[N20] 422", { kind: "refused", error: new Invalid("", facts) }, "gateway_refused", true],
    [
      "[N20] 422 about the phone",
      { kind: "refused", error: new Invalid("", phoneField) },
      "invalid_phone",
      true,
    ],
    [
      "[N20] 422 about the wallet's number",
      { kind: "refused", error: new Invalid("", account) },
      "invalid_phone",
      true,
    ],
    [
      "[N21] 429",
      { kind: "refused", error: new RateLimited("", facts) },
      "gateway_unavailable",
      false,
    ],
    [
      "[N01] no way there",
      { kind: "not_sent", error: new Unreachable("", facts) },
      "gateway_unavailable",
      false,
    ],
    [
      "[N06] a cut",
      { kind: "unknown", error: new Indeterminate("", facts) },
      "gateway_unavailable",
      false,
    ],
    [
      "[N24] 500",
      { kind: "unknown", error: new Unavailable("", facts) },
      "gateway_unavailable",
      false,
    ],
  ])("%s says what to do, and whether the draft is over", (_name, failure, code, isFinal) => {
    const refused = startRefusalOf(failure)
    expect(refused.refusal.code).toBe(code)
    expect(refused.isFinal).toBe(isFinal)
    expect(refused.refusal.message.length).toBeGreaterThan(20)
  })
})
