import { Forbidden, Unavailable, type Failure } from "../gateway"
import { feesLine, verifiedLine } from "./test-lines"

const facts = { operation: "fees.gateway", reason: "status", status: 403 } as const

it("a firewall's 403 is no answer of the gateway, and says nothing about the account", () => {
  const away: Failure = { kind: "unknown", error: new Unavailable("", facts) }
  expect(verifiedLine(away)).toMatchObject({ code: "no_answer" })
  expect(feesLine(away)).toMatchObject({ code: "no_answer" })
})

it("the gateway's own 403 is about the account", () => {
  const forbidden: Failure = { kind: "refused", error: new Forbidden("", facts) }
  expect(verifiedLine(forbidden)).toMatchObject({ code: "not_verified" })
  expect(feesLine(forbidden)).toMatchObject({ code: "fees_hidden" })
})
