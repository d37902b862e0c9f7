import type { Endpoint } from "../endpoint"
import { EXECUTION, PHONE, REFERENCE } from "../../../../integration-tests/gateway/calls"
import { PASSCODE, PAYOUT_EXECUTION } from "../../../../integration-tests/gateway/calls/executions"
import { misread, read, refused, written } from "../../../../integration-tests/gateway/reading"
import type { Execution } from "./execution"
import {
  collectionStatus,
  executeCollection,
  executePayout,
  executeRefund,
  executeTransfer,
  payoutStatus,
  refundStatus,
  transferStatus,
} from "./executions"

const device = {
  name: "shop-1",
  type: "SERVER",
  platform: "NODE",
  userAgent: "shop/1.0",
  clientIp: "203.0.113.7",
}
const payout = {
  sessionId: 61,
  payoutAccountId: 21,
  referenceId: REFERENCE,
  passcode: { token: { code: PASSCODE, phone: PHONE }, device },
}

describe("executions/payout", () => {
  it("writes both ids as text, and the passcode in the words of the wire", () => {
    expect(written(executePayout, payout).body).toEqual({
      session_id: "61",
      payout_account_id: "21",
      reference_id: REFERENCE,
      passcode: {
        token: { code: PASSCODE, phone: PHONE },
        device: {
          name: "shop-1",
          type: "SERVER",
          platform: "NODE",
          user_agent: "shop/1.0",
          client_ip: "203.0.113.7",
        },
      },
    })
  })

  it("writes nothing of the passcode that it has no name for", () => {
    const more = {
      ...payout,
      passcode: { token: { code: "1", note: "x" }, device: { ...device, x: 1 } },
    }
    expect(JSON.stringify(written(executePayout, more).body)).not.toContain('"x"')
  })

  it("[S04] does not read the passcode out of a message of the gateway", () => {
    const said = { ...PAYOUT_EXECUTION, status: "FAILED", gateway_message: `no: ${PASSCODE}` }
    expect(read(executePayout, said, payout).gatewayMessage).toBe("no: •••")
    const digits = { ...payout, passcode: { token: { code: "12345678" }, device } }
    const wallet = { ...PAYOUT_EXECUTION, wallet_message: "code 12345678 of 231770000123" }
    expect(read(executePayout, wallet, digits).walletMessage).toBe("code ••• of •••123")
  })

  it("[S04] does not keep the passcode of any other field either", () => {
    const said = { ...PAYOUT_EXECUTION, echo: `got ${PASSCODE}`, request: { note: PASSCODE } }
    const { otherFields } = read(executePayout, said, payout)
    expect(otherFields).toEqual({ echo: "got •••", request: { note: "•••" } })
  })

  const token = (change: object) => ({ passcode: { token: { code: "1", ...change }, device } })
  it.each([
    ["sessionId", { sessionId: 0 }],
    ["payoutAccountId", { payoutAccountId: -1 }],
    ["referenceId", { referenceId: "550e8400-e29b-11d4-a716-446655440000" }],
    ["passcode.token.code", token({ code: "" })],
    ["passcode.token.code", token({ code: "\ud800" })],
    ["passcode.token.userId", token({ userId: "" })],
    ["passcode.token.phone", token({ phone: "+231770000001" })],
    ["passcode.device.name", { passcode: { ...payout.passcode, device: { ...device, name: "" } } }],
    [
      "passcode.device.clientIp",
      { passcode: { ...payout.passcode, device: { ...device, clientIp: "" } } },
    ],
  ])("is refused before sending when %s is wrong", (path, change) => {
    expect(refused(executePayout, { ...payout, ...change })).toEqual([path])
  })
})

describe.each([
  ["executions/transfer", executeTransfer],
  ["executions/refund", executeRefund],
])("%s", (_, endpoint) => {
  it("writes session and reference alone", () => {
    expect(written(endpoint, { sessionId: 91, referenceId: REFERENCE })).toEqual({
      body: { session_id: "91", reference_id: REFERENCE },
    })
  })

  it("is refused before sending when session or reference is wrong", () => {
    expect(refused(endpoint, { sessionId: 1.5, referenceId: "no" })).toEqual([
      "sessionId",
      "referenceId",
    ])
  })
})

type AnyEndpoint = Endpoint<never, Execution>
const request = { ...payout, paymentAccountId: 18, currency: "USD" }
const KINDS: readonly [string, string, AnyEndpoint][] = [
  ["executions.collection", "COLLECTION", executeCollection],
  ["executions.payout", "PAYOUT", executePayout],
  ["executions.transfer", "TRANSFER", executeTransfer],
  ["executions.refund", "REFUND", executeRefund],
  ["status.collection", "COLLECTION", collectionStatus],
  ["status.payout", "PAYOUT", payoutStatus],
  ["status.transfer", "TRANSFER", transferStatus],
  ["status.refund", "REFUND", refundStatus],
]

describe.each(KINDS)("%s", (operation, kind, endpoint) => {
  const answer = { ...EXECUTION, operation_type: kind }
  const readAny = (body: unknown) => endpoint.read(body, request as never)

  it("reads an execution of its own kind, or of none", () => {
    expect(endpoint.operation).toBe(operation)
    expect(readAny(answer)).toMatchObject({ ok: true, value: { operationType: kind } })
    expect(readAny({ ...answer, operation_type: null }).ok).toBe(true)
    expect(readAny({ ...answer, operation_type: undefined }).ok).toBe(true)
  })

  it.each(["COLLECTION", "PAYOUT", "TRANSFER", "REFUND", "SOMETHING"])(
    "[N27] reads %s only if it is its own kind",
    (other) => {
      const paths = misread(endpoint, { ...answer, operation_type: other }, request as never)
      expect(paths).toEqual(other === kind ? "read" : ["operation_type"])
    },
  )

  it("[N27] does not take another reference, and takes its own in capitals", () => {
    const another = "650e8400-e29b-41d4-a716-446655440000"
    expect(readAny({ ...answer, reference_id: another }).ok).toBe(false)
    expect(readAny({ ...answer, reference_id: REFERENCE.toUpperCase() }).ok).toBe(true)
  })

  it("reads amounts of any form and a status that it has never seen", () => {
    const odd = { ...answer, status: "PARKED", payer_amount: "43.1000", payee_amount: 42.505 }
    expect(readAny(odd)).toMatchObject({
      value: {
        status: "PARKED",
        payerAmount: { minor: 4310n, exact: "43.1000" },
        payeeAmount: { minor: 4251n, exact: "42.505" },
      },
    })
  })
})
