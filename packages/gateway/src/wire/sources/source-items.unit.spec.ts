import { money } from "../../../../../integration-tests/gateway/calls"
import { ITEM } from "../../../../../integration-tests/gateway/calls/document-items"
import { misread, read, refused, written } from "../../../../../integration-tests/gateway/reading"
import { itemEndpoints } from "./source-items"

const orders = itemEndpoints("orders", "order_id")
const invoices = itemEndpoints("invoices", "invoice_id")
const line = { sourceId: 301, name: "T-shirt", qty: 2, amount: money("21.25") }
const changed = { sourceId: 301, itemId: 901 }

describe("a line", () => {
  it("is written with the price of one and its currency", () => {
    expect(written(orders.add, line)).toEqual({
      params: { order_id: 301 },
      body: { name: "T-shirt", currency: "USD", qty: 2, amount: 21.25 },
    })
    expect(written(invoices.add, line).params).toEqual({ invoice_id: 301 })
  })

  it("is changed by what is given alone", () => {
    expect(written(invoices.update, { ...changed, amount: money("20") })).toEqual({
      params: { invoice_id: 301, id: 901 },
      body: { amount: 20 },
    })
    expect(written(orders.remove, changed)).toEqual({ params: { order_id: 301, id: 901 } })
  })

  it("is read, its price as a number or as text", () => {
    const item = {
      id: 901,
      name: "T-shirt",
      qty: 2,
      amount: money("21.25"),
      createdAt: ITEM.created_at,
      updatedAt: ITEM.updated_at,
    }
    expect(read(orders.add, ITEM, line)).toEqual({ ...item, wire: ITEM })
    expect(read(orders.add, { ...ITEM, amount: "21.250" }, line)).toMatchObject(item)
  })

  it("is read without its times", () => {
    const bare = { ...ITEM, created_at: null, updated_at: undefined }
    expect(read(orders.update, bare, changed).createdAt).toBeUndefined()
  })

  it.each([
    ["id", { id: null }],
    ["name", { name: "" }],
    ["qty", { qty: "two" }],
    ["amount", { amount: undefined }],
    ["amount", { amount: 21.255 }],
    ["currency", { currency: undefined }],
    ["qty", { qty: 3 }],
    ["amount", { amount: 42.5 }],
    ["amount", { currency: "LRD" }],
  ])("[N13][N27] is not read when %s is not what was added", (path, change) => {
    expect(misread(orders.add, { ...ITEM, ...change }, line)).toEqual([path])
  })

  it("[N27] is not read when another one was changed, or to another price", () => {
    expect(misread(orders.update, { ...ITEM, id: 902 }, changed)).toEqual(["id"])
    expect(misread(orders.update, ITEM, { ...changed, amount: money("21.25", "LRD") })).toEqual([
      "amount",
    ])
  })

  it("is gone when the gateway answers any object", () => {
    expect(read(orders.remove, {}, changed)).toEqual({ wire: {} })
    expect(misread(orders.remove, [], changed)).toEqual([""])
  })

  it.each([
    ["sourceId", { sourceId: 0 }],
    ["name", { name: "" }],
    ["qty", { qty: 0 }],
    ["qty", { qty: 1.5 }],
    ["amount", { amount: money("0") }],
    ["amount", { amount: { ...money("1"), minor: -1n } }],
    ["amount", { amount: JSON.parse("21.25") }],
  ])("is refused before sending when %s is wrong", (path, change) => {
    expect(refused(orders.add, { ...line, ...change })).toEqual([path])
    expect(refused(invoices.update, { ...changed, ...change })).toEqual([path])
  })

  it("is refused before sending when it is named by no id", () => {
    expect(refused(orders.remove, { ...changed, itemId: 0 })).toEqual(["itemId"])
    expect(refused(orders.update, { ...changed, itemId: -1 })).toEqual(["itemId"])
  })
})
