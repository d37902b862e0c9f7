/** What the compiler refuses, and what the client refuses where no compiler ran. */
import { bench, closeBenches } from "../../../../../integration-tests/gateway/bench"
import { currency, DOCUMENT, money } from "../../../../../integration-tests/gateway/calls"
import { DRAFT_REQUEST } from "../../../../../integration-tests/gateway/calls/documents"
import { read, written } from "../../../../../integration-tests/gateway/reading"
import type { Gateway } from "../../create-gateway"
import type { Outcome } from "../../outcome"
import { orderEndpoints } from "./orders"

afterEach(closeBenches)

type Wrong = (gateway: Gateway) => Promise<Outcome<unknown>>

const WRONG: Readonly<Record<string, Wrong>> = {
  // @ts-expect-error a party has a phone
  "a party without phone": ({ parties }) => parties.create({ fullname: "Ada" }),
  "a relationship that is none": ({ counterparties }) =>
    // @ts-expect-error one of the contract's
    counterparties.create({ relationshipType: "OTHER", partyId: 42 }),
  // @ts-expect-error an id is a number
  "an id as text": ({ counterparties }) => counterparties.retrieve("15"),
  "nobody who bears the fees": ({ orders }) =>
    // @ts-expect-error never left to chance
    orders.create({ ...DRAFT_REQUEST, feeBearer: undefined }),
  "nobody who is billed": ({ invoices }) =>
    // @ts-expect-error a document is for a counterparty
    invoices.create({ ...DRAFT_REQUEST, counterpartyId: undefined }),
  // @ts-expect-error a currency is made by parseCurrency
  "a currency in lower case": ({ orders }) => orders.list({ currency: "usd" }),
  // @ts-expect-error a state of the contract
  "a state that is none": ({ invoices }) => invoices.list({ status: "DONE" }),
  "an amount without currency": ({ orders }) =>
    // @ts-expect-error amounts are Money
    orders.items.add(301, { name: "T-shirt", qty: 2, amount: 21.25 }),
  "a line without quantity": ({ orders }) =>
    // @ts-expect-error a quantity is not assumed
    orders.items.add(301, { name: "T-shirt", amount: money("21.25") }),
  // @ts-expect-error a line belongs to a document
  "a line of no document": ({ orders }) => orders.items.remove(901),
  "a kind of source that is none": ({ links }) =>
    // @ts-expect-error one of two
    links.pay({ sourceType: "SUBSCRIPTION", sourceNumber: "SUB-1" }),
}

describe("refused by the compiler, and before sending without one", () => {
  it.each(Object.entries(WRONG))("%s", async (_, call) => {
    const { server, gateway } = await bench({})
    expect(await call(gateway)).toMatchObject({
      kind: "not_sent",
      error: { code: "GATEWAY_INVALID", reason: "request" },
    })
    expect([...server.calls, ...server.tokenCalls]).toEqual([])
  })
})

describe("refused by the compiler, and left out without one", () => {
  it("an order's due date", () => {
    const dueDate = new Date("2026-06-15T00:00:00Z")
    // @ts-expect-error only invoices have one
    const created = written(orderEndpoints.create, { ...DRAFT_REQUEST, dueDate })
    // @ts-expect-error only invoices have one
    const updated = written(orderEndpoints.update, { id: 301, dueDate })
    expect(JSON.stringify([created, updated])).not.toContain("2026")
    const order = read(orderEndpoints.publish, { ...DOCUMENT, due_date: "2026-06-15" }, { id: 301 })
    // @ts-expect-error only invoices have one
    expect(order.dueDate).toBeUndefined()
  })

  it("another currency for a document that is there", () => {
    // @ts-expect-error it is set once
    const { body } = written(orderEndpoints.update, { id: 301, currency: currency("LRD") })
    expect(JSON.stringify(body)).toBe("{}")
  })
})
