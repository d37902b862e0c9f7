import { ownContract } from "./contract"
import { Problem } from "../problem"

const contract = ownContract()

const refusalOf = (operation: string, body: unknown, query = {}): unknown => {
  try {
    contract.checkedInput(operation, { params: {}, query, body })
    return null
  } catch (error) {
    if (error instanceof Problem) return error.body.detail
    throw error
  }
}

test("all 59 operations of the contract are known", () => {
  expect(contract.routes).toHaveLength(59)
})

test("only the token operation needs no token", () => {
  const open = contract.routes.filter(({ isSecured }) => !isSecured)
  expect(open.map(({ operation }) => operation)).toEqual(["clientObtainToken"])
})

test("a missing field is refused under its path", () => {
  expect(refusalOf("createCheckoutSession", { source_type: "ORDER" })).toEqual([
    { loc: ["body", "source_id"], msg: "Field required", type: "value_error.missing" },
  ])
})

test.each([
  ["createCheckoutSession", { source_id: 1, source_type: "SUBSCRIPTION" }, "source_type"],
  ["createCheckoutSession", { source_id: "1", source_type: "ORDER" }, "source_id"],
  [
    "executeCollection",
    {
      session_id: "1",
      payment_account_id: "2",
      currency: "usd",
      reference_id: "550e8400-e29b-41d4-a716-446655440000",
    },
    "currency",
  ],
  [
    "executeCollection",
    {
      session_id: "1",
      payment_account_id: "2",
      currency: "USD",
      reference_id: "550e8400-e29b-11d4-a716-446655440000",
    },
    "reference_id",
  ],
  [
    "executeCollection",
    {
      session_id: 1,
      payment_account_id: "2",
      currency: "USD",
      reference_id: "550e8400-e29b-41d4-a716-446655440000",
    },
    "session_id",
  ],
])("%s with %p is refused at %s", (operation, body, field) => {
  expect(refusalOf(operation, body)).toEqual([
    expect.objectContaining({ loc: ["body", field] }),
  ])
})

test("no body at all is refused", () => {
  expect(refusalOf("createCheckoutSession", undefined)).not.toBeNull()
})

test("query parameters become the contract's types", () => {
  const input = contract.checkedInput("getPaymentSourceStatus", {
    params: {},
    query: { source_type: "ORDER", source_id: "301" },
    body: undefined,
  })
  expect(input.query).toEqual({ source_type: "ORDER", source_id: 301 })
})

test("an answer without a field, of a wrong type or of an unknown status is a violation", () => {
  const token = { access_token: "x", expires_in: 60 }
  expect(contract.violation("clientObtainToken", 200, token)).toBeNull()
  const answers: [number, unknown][] = [
    [200, { access_token: "x" }],
    [200, { ...token, expires_in: "60" }],
    [418, token],
  ]
  for (const [status, body] of answers) {
    expect(contract.violation("clientObtainToken", status, body)).toMatchObject({ status })
  }
})
