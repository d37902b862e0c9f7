/** What the contract says and what the client knows are the same, in both directions. */
import { z } from "zod"
import { OPERATIONS } from "../../src/gateway"
import type { OperationName } from "../../src/gateway"
import { ENUMS } from "../../packages/gateway/src/wire/enums"
import { readToken } from "../../packages/gateway/src/wire/token"
import { CONTRACT_ENUMS, CONTRACT_OPERATIONS, fieldsOf, UNNAMED_ENUMS } from "./support/contract"
import { endpointsOfTheClient } from "./support/endpoints"
import { contractOf } from "./support/match"

const names = Object.keys(OPERATIONS).filter((name): name is OperationName => name in OPERATIONS)

const FEES = ["platform_fee", "gateway_fee", "fx_fee"]
/** An order's receipt may use the names of an invoice's. */
const OF_AN_INVOICE = ["invoice_id", "invoice_number"]

/** Fields that no source documents and that are read where they are there. */
const UNDOCUMENTED: Partial<Record<OperationName, readonly string[]>> = {
  "executions.collection": FEES,
  "executions.payout": FEES,
  "executions.transfer": FEES,
  "executions.refund": FEES,
  "status.collection": FEES,
  "status.payout": FEES,
  "status.transfer": FEES,
  "status.refund": FEES,
  "status.source": ["payer_amount", "payer_currency", "owner_id"],
  "orders.receipt": OF_AN_INVOICE,
  "orders.receiptByNumber": OF_AN_INVOICE,
}

const place = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

it("the contract and the client have the same operations", () => {
  expect(names.map((name) => place(OPERATIONS[name])).sort()).toEqual(
    CONTRACT_OPERATIONS.map(place).sort(),
  )
})

it("the contract and the client have the same lists of values", () => {
  const sorted = (enums: Readonly<Record<string, readonly unknown[]>>) =>
    Object.fromEntries(Object.entries(enums).map(([name, values]) => [name, [...values].sort()]))
  expect(sorted(ENUMS)).toEqual(sorted(CONTRACT_ENUMS))
  expect(UNNAMED_ENUMS).toEqual([])
})

describe("the fields of the answer", () => {
  it.each(names)("to %s are those of the contract", async (name) => {
    const endpoints = await endpointsOfTheClient()
    const reader = name === "token.obtain" ? readToken : endpoints.get(name)?.read
    if (!reader) throw new Error(`No method of the client is ${name}`)
    const known = fieldsOf(z.toJSONSchema(reader.schema, { io: "input", unrepresentable: "any" }))
    const undocumented = UNDOCUMENTED[name] ?? []
    expect(known).toEqual([...contractOf(name).answerFields, ...undocumented].sort())
  })
})
