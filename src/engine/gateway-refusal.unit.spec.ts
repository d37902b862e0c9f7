/** What the words of a refused prompt mean. A FAILED execution has the same words, and one reader. */
import fc from "fast-check"
import { failureReason } from "../core/failure-reason"
import type { EndReason } from "../core/operation"
import { Invalid } from "../gateway"
import { refusedCollection } from "./gateway-refusal"

const refusedFor = (detail: string) =>
  refusedCollection({
    kind: "refused",
    error: new Invalid("", {
      operation: "executions.collection",
      reason: "status",
      status: 422,
      detail,
    }),
  }).reason

const TEXTS: readonly (readonly [string, EndReason])[] = [
  ["payer wallet daily limit exceeded", "limit"],
  ["not enough funds", "insufficient_funds"],
  ["wrong PIN entered", "wrong_pin"],
  ["PIN retries exceeded", "wrong_pin"],
  ["amount below the minimum", "limit"],
  ["amount out of bounds", "limit"],
  ["operator unavailable", "operator_unavailable"],
  ["the payer declined", "declined"],
]

const disturbances = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.replaceAll(" ", "_"),
  (text: string) => text.toUpperCase().replaceAll(" ", "_"),
  (text: string) => `${text.replaceAll(" ", "  ")}!`,
  (text: string) => `Refused: ${text}.`,
)

it("a refusal is read as a FAILED execution with the same words, however they are written", () => {
  fc.assert(
    fc.property(fc.constantFrom(...TEXTS), disturbances, ([text, reason], disturb) => {
      const said = disturb(text)
      const isRefused = said.startsWith("Refused")
      expect([refusedFor(said), isRefused ? reason : failureReason(said)]).toEqual([reason, reason])
    }),
  )
})

it("a refusal whose words say nothing has declined the payment", () => {
  expect(refusedFor("Something odd")).toBe("declined")
})
