import { MedusaRefusal } from "../engine/medusa-port"
import { workflowError } from "../medusa/adapters/workflows"
import { kindOfMedusaError, sameWords, type MedusaErrorKind } from "./medusa-error"

/** As Medusa's workflow engine stores an error and throws it. */
const stored = (message: string, rest: object = {}) => ({
  name: "Error",
  stack: "Error: at a step",
  message,
  ...rest,
})

describe("what Medusa's workflow threw", () => {
  it.each<[string, unknown, MedusaErrorKind]>([
    [
      "a promotion that is used up is a refusal",
      stored("Promotion usage exceeds the limit", { type: "not_allowed" }),
      "refused",
    ],
    ["a hook's no is a refusal", stored("Not to your town", { type: "invalid_data" }), "refused"],
    [
      "a rule's no that speaks of a time-out is one",
      stored("timed out", { type: "not_allowed" }),
      "refused",
    ],
    ["what is not known is unclear", stored("x is not a function"), "unclear"],
    ["text that was thrown is unclear", "no", "unclear"],
    ["nothing that was thrown is unclear", undefined, "unclear"],
    ["a broken line is a fault", stored("read", { code: "ECONNRESET" }), "fault"],
    ["a row that the database refuses is a fault", stored("disk", { code: "P0001" }), "fault"],
    ["a database that shuts down is a fault", stored("go away", { code: "57P01" }), "fault"],
    [
      "a pool without a connection is a fault",
      stored("Knex: Timeout acquiring a connection"),
      "fault",
    ],
    ["a lock that was not to be had is a fault", stored("Timed-out acquiring lock."), "fault"],
    ["Redis' lock is a fault", stored("busy", { type: "conflict" }), "fault"],
    ['a key that is "already locked" is a fault', stored('"cart_1" is already locked.'), "fault"],
    [
      "a step's time-out is a fault",
      stored("too long", { name: "TransactionStepTimeoutError" }),
      "fault",
    ],
    ["the database's own type is a fault", stored("oh", { type: "database_error" }), "fault"],
    [
      "a fault that stands behind another error is a fault",
      new Error("query failed", { cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }) }),
      "fault",
    ],
  ])("%s", (_, thrown, kind) => {
    expect(kindOfMedusaError(workflowError(thrown))).toBe(kind)
  })

  it("keeps its words and its fields, and is an error again", () => {
    const refused = workflowError(stored("no", { type: "not_allowed", code: "why" }))
    expect(refused).toBeInstanceOf(MedusaRefusal)
    expect(refused).toMatchObject({ message: "no", type: "not_allowed", code: "why" })
    expect(workflowError(stored("gone"))).toBeInstanceOf(Error)
    const own = new Error("ours")
    expect(workflowError(own)).toBe(own)
  })
})

it("the same words with other ids are the same", () => {
  const of = (id: string) => `Session: payses_${id} was not authorized`
  const one = of("01KB7T8YV3M3S0W2R5B1Q8ZC9D")
  expect(sameWords(one, of("01KB7T9999M3S0W2R5B1Q8ZC9D"))).toBe(true)
  expect(sameWords(one, "Session: none was authorized")).toBe(false)
})
