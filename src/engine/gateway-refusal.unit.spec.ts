/** What the words of a refusal mean. A FAILED execution has the same words, and one reader. */
import fc from "fast-check"
import { failureReason } from "../core/failure-reason"
import { END } from "../core/messages/reason.en"
import type { EndReason, OperationType } from "../core/operation"
import { anOperation } from "../../integration-tests/support/an-operation"
import { Invalid, type Failure } from "../gateway"
import { executionAsked } from "./ask-gateway"
import { refundNotOpened, refusalOfRefund } from "./gateway-refusal"
import { KINDS } from "./kinds"

const TYPES = Object.keys(KINDS) as OperationType[]

const refused = (detail: string): Failure => ({
  kind: "refused",
  error: new Invalid("", {
    operation: "executions.collection",
    reason: "status",
    status: 422,
    detail,
  }),
})

const refusedFor = (type: OperationType, detail: string) => KINDS[type].refused(refused(detail))

function failedFor(detail: string): EndReason | undefined {
  const { finding } = executionAsked({
    kind: "done",
    value: { status: "FAILED", gatewayMessage: detail } as never,
  })
  return finding.kind === "seen" ? finding.failure : undefined
}

const TEXTS: readonly (readonly [string, EndReason])[] = [
  ["payer wallet daily limit exceeded", "limit"],
  ["receiver limit", "limit"],
  ["not enough funds", "insufficient_funds"],
  ["wrong PIN entered", "wrong_pin"],
  ["PIN retries exceeded", "wrong_pin"],
  ["amount below the minimum", "limit"],
  ["below the minimum", "limit"],
  ["amount out of bounds", "limit"],
  ["operator unavailable", "operator_unavailable"],
  ["the payer declined", "declined"],
  ["recipient not registered", "no_wallet"],
  ["no such payer", "no_wallet"],
  ["subscriber not found", "no_wallet"],
  ["unregistered", "no_wallet"],
  ["another transaction in progress", "other_payment_waits"],
  ["another transaction waits and the balance is too low", "insufficient_funds"],
]

const disturbances = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => [...text].map((one, n) => (n % 2 ? one.toUpperCase() : one)).join(""),
  (text: string) => text.replaceAll(" ", "_"),
  (text: string) => text.toUpperCase().replaceAll(" ", "_"),
  (text: string) => text.toUpperCase().replaceAll(" ", "-"),
  (text: string) => `${text.replaceAll(" ", "  ")}!`,
  (text: string) => `"${text}".`,
)

it("one text has one reason in a refusal and in FAILED, of any money and however it is written", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TEXTS),
      disturbances,
      fc.constantFrom(...TYPES),
      ([text, reason], disturb, type) => {
        const said = disturb(text)
        const read = [refusedFor(type, said).reason, refundNotOpened(refused(said)).reason]
        expect([...read, failedFor(said), failureReason(said)]).toEqual(Array(4).fill(reason))
      },
    ),
    { numRuns: 1_000 },
  )
})

it.each(TYPES)("words that no reader knows are no reason of a %s, refused or FAILED", (type) => {
  for (const said of ["Something odd", ""]) {
    expect([refusedFor(type, said).reason, failedFor(said)]).toEqual(["unknown", "unknown"])
  }
})

describe("an admin reads a whole sentence", () => {
  const isCode = /: [a-z_]+[.)]|\(unknown\)|\bunknown\b/

  it.each([null, ...(Object.keys(END) as EndReason[])])("where a refund ends for %s", (reason) => {
    for (const state of ["in_flight", "failed"] as const) {
      const { message } = refusalOfRefund(anOperation({ type: "REFUND", state, reason }))
      expect(message).not.toMatch(isCode)
      expect(message).toMatch(/^[A-Z].*\.$/)
    }
  })

  it("where the gateway refuses a payout: with what it wrote", () => {
    const { refusal } = refusedFor("PAYOUT", "Recipient not registered")
    expect(refusal?.message).toContain(
      "The gateway says that this failed: Recipient not registered.",
    )
    const silent = KINDS.PAYOUT.refused({
      kind: "refused",
      error: new Invalid("", { operation: "executions.payout", reason: "status", status: 422 }),
    })
    expect(silent.refusal?.message).toMatch(/^The gateway says that this failed\. /)
  })
})
