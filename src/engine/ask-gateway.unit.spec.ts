import { LIMITS } from "../core/limits"
import { majorText } from "../core/money"
import type { Figure } from "../gateway"
import {
  Forbidden,
  Indeterminate,
  Invalid,
  NotFound,
  RateLimited,
  Unauthenticated,
  Unavailable,
  Unreachable,
  type Execution,
  type Failure,
  type Gateway,
} from "../gateway"
import { money } from "../../integration-tests/support/an-operation"
import { askExecution, executionAsked, unanswered } from "./ask-gateway"
import { said } from "../../integration-tests/support/said"

type ErrorFacts = ConstructorParameters<typeof NotFound>[1]

const facts: ErrorFacts = { operation: "status.collection", reason: "status" }
const later: ErrorFacts = { ...facts, retryAfterMs: 9_000 }
const tomorrow: ErrorFacts = { ...facts, retryAfterMs: 86_400_000 }

describe("422 for a reference", () => {
  const asked = (said: Partial<ErrorFacts>) => {
    const error = new Invalid("", { ...facts, status: 422, ...said })
    const collection = () => Promise.resolve({ kind: "refused" as const, error })
    return askExecution({ status: { collection } } as unknown as Gateway, "a reference")
  }

  it("[N19] means that it is not known there", async () => {
    expect(await asked({ detail: "not found" })).toEqual({ finding: { kind: "absent" } })
    const fields = [{ path: "reference_id", message: "unknown" }]
    expect(await asked({ fields })).toEqual({ finding: { kind: "absent" } })
  })

  it("[N20] without the API's own words it means nothing", async () => {
    expect(await asked({})).toEqual({ finding: { kind: "refused" } })
    const proxys = { detail: "Request blocked", isOtherForm: true }
    expect(await asked(proxys)).toEqual({ finding: { kind: "refused" } })
  })

  it("[N20] a 400 means nothing there, whatever it says", async () => {
    const refused = { finding: { kind: "refused" } }
    expect(await asked({ status: 400, detail: "not found" })).toEqual(refused)
  })
})

describe("an outcome without a value", () => {
  it.each<[string, Failure, object]>([
    ["[N19] 404", { kind: "refused", error: new NotFound("", facts) }, { kind: "absent" }],
    ["[N17] 401", { kind: "refused", error: new Unauthenticated("", facts) }, { kind: "refused" }],
    ["[N18] 403", { kind: "refused", error: new Forbidden("", facts) }, { kind: "refused" }],
    ["[N20] 422", { kind: "refused", error: new Invalid("", facts) }, { kind: "refused" }],
    [
      "[N21] 429 with a time",
      { kind: "refused", error: new RateLimited("", later) },
      { kind: "later", afterMs: 9_000 },
    ],
    [
      "[N22] 429 without",
      { kind: "refused", error: new RateLimited("", facts) },
      { kind: "later", afterMs: undefined },
    ],
    [
      "[N31] 429 until tomorrow",
      { kind: "refused", error: new RateLimited("", tomorrow) },
      { kind: "later", afterMs: LIMITS.retryAfterCapMs },
    ],
    [
      "[N31] 503 until tomorrow",
      { kind: "unknown", error: new Unavailable("", tomorrow) },
      { kind: "later", afterMs: LIMITS.retryAfterCapMs },
    ],
    ["[N01] no way", { kind: "not_sent", error: new Unreachable("", facts) }, { kind: "unknown" }],
    ["[N06] a cut", { kind: "unknown", error: new Indeterminate("", facts) }, { kind: "unknown" }],
    ["[N24] 500", { kind: "unknown", error: new Unavailable("", facts) }, { kind: "unknown" }],
    [
      "[N25] 503 with a time",
      { kind: "unknown", error: new Unavailable("", later) },
      { kind: "later", afterMs: 9_000 },
    ],
  ])("%s is a look, and never an end", (_name, failure, finding) => {
    expect(unanswered(failure)).toEqual(finding)
    expect(executionAsked(failure)).toEqual({ finding })
  })
})

describe("an execution that was answered", () => {
  const value: Execution = {
    referenceId: "r",
    status: "COMPLETED",
    payerAmount: figure(1_999),
    fees: {},
    wire: {},
  }

  it("is seen with its status, whatever it is", () => {
    for (const status of ["PENDING", "COMPLETED", "NEVER_HEARD_OF"]) {
      const { finding } = executionAsked({
        kind: "done",
        value: { ...value, status: said(status) },
      })
      expect(finding).toEqual({ kind: "seen", status })
    }
  })

  it("that FAILED has a reason, from what either message says", () => {
    const failed: Execution = {
      ...value,
      status: "FAILED",
      walletMessage: said("insufficient funds"),
    }
    expect(executionAsked({ kind: "done", value: failed }).finding).toEqual({
      kind: "seen",
      status: "FAILED",
      failure: "insufficient_funds",
    })
  })
})

function figure(minor: number, code?: string): Figure {
  const amount = money(minor, code)
  return { ...amount, exact: majorText(amount) }
}
