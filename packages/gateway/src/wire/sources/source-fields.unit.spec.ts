import { currency, DOCUMENT, money } from "../../../../../integration-tests/gateway/calls"
import {
  DRAFT_REQUEST,
  INVOICE,
  INVOICE_DETAIL,
  ORDER_DETAIL,
} from "../../../../../integration-tests/gateway/calls/documents"
import { ITEM } from "../../../../../integration-tests/gateway/calls/document-items"
import { COUNTERPARTY_WITH_PARTY } from "../../../../../integration-tests/gateway/calls/parties"
import { misread, read, refused, written } from "../../../../../integration-tests/gateway/reading"
import { targetOf } from "../../endpoint"
import { invoiceEndpoints } from "./invoices"
import { orderEndpoints } from "./orders"

const asked = { id: 301 }
const dueDate = new Date("2026-06-15T00:00:00Z")

describe("a draft", () => {
  it("is written in the words of the wire, an invoice with its due date", () => {
    const body = {
      counterparty_id: 15,
      currency: "USD",
      note: "Two shirts",
      fee_bearer: "PAYEE",
      as_payment_link: true,
      reference_id: "cart_0001",
    }
    expect(written(orderEndpoints.create, DRAFT_REQUEST)).toEqual({ body })
    expect(written(invoiceEndpoints.create, { ...DRAFT_REQUEST, dueDate })).toEqual({
      body: { ...body, due_date: "2026-06-15T00:00:00.000Z" },
    })
  })

  it("is changed by what is given alone", () => {
    expect(written(orderEndpoints.update, { id: 301, note: "" })).toEqual({
      params: { id: 301 },
      body: { note: "" },
    })
    const changes = { referenceId: null, dueDate: null, feeBearer: "PAYER" } as const
    expect(written(invoiceEndpoints.update, { id: 301, ...changes })).toEqual({
      params: { id: 301 },
      body: { reference_id: null, due_date: null, fee_bearer: "PAYER" },
    })
    expect(written(invoiceEndpoints.update, { id: 301, dueDate }).body).toMatchObject({
      due_date: "2026-06-15T00:00:00.000Z",
    })
  })

  it("without lines is worth nothing, or the gateway does not say", () => {
    const draft = { ...DOCUMENT, status: "IDLE", total_amount: 0 }
    expect(read(orderEndpoints.create, draft, DRAFT_REQUEST).total).toEqual(money("0"))
    const untold = { ...draft, total_amount: undefined }
    expect(read(orderEndpoints.create, untold, DRAFT_REQUEST).total).toBeUndefined()
  })

  it.each([
    ["counterparty_id", { counterparty_id: 16 }],
    ["currency", { currency: "LRD" }],
    ["reference_id", { reference_id: "cart_0002" }],
    ["counterparty_id", { counterparty_id: null }],
    ["order_number", { order_number: undefined }],
    ["currency", { currency: "US$" }],
    ["total_amount", { total_amount: 42.505 }],
    ["total_amount", { total_amount: -1 }],
    ["status", { status: undefined }],
    ["id", { id: undefined }],
  ])("[N13][N27] is not read when %s is wrong", (path, change) => {
    expect(misread(orderEndpoints.create, { ...DOCUMENT, ...change }, DRAFT_REQUEST)).toEqual([
      path,
    ])
  })

  it.each([
    ["counterpartyId", { counterpartyId: 0 }],
    ["counterpartyId", { counterpartyId: 1.5 }],
    ["currency", { currency: JSON.parse('"usd"') }],
    ["feeBearer", { feeBearer: JSON.parse('"NOBODY"') }],
    ["note", { note: JSON.parse("null") }],
    ["asPaymentLink", { asPaymentLink: JSON.parse('"yes"') }],
    ["referenceId", { referenceId: "" }],
  ])("is refused before sending when %s is wrong", (path, change) => {
    expect(refused(orderEndpoints.create, { ...DRAFT_REQUEST, ...change })).toEqual([path])
    expect(refused(invoiceEndpoints.create, { ...DRAFT_REQUEST, ...change })).toEqual([path])
  })

  it("is refused before sending with a date that is none", () => {
    const wrong = { dueDate: new Date("nonsense") }
    expect(refused(invoiceEndpoints.create, { ...DRAFT_REQUEST, ...wrong })).toEqual(["dueDate"])
    expect(refused(invoiceEndpoints.update, { id: 301, ...wrong })).toEqual(["dueDate"])
  })
})

describe("a document", () => {
  it("is read with its lines and whom it is for", () => {
    expect(read(orderEndpoints.retrieve, { ...ORDER_DETAIL, surprise: 1 }, asked)).toEqual({
      id: 301,
      status: "ACTIVE",
      number: "ORD-2026-00301",
      counterpartyId: 15,
      currency: "USD",
      total: money("42.50"),
      note: "Two shirts",
      feeBearer: "PAYEE",
      asPaymentLink: true,
      referenceId: "cart_0001",
      paidAt: undefined,
      ownerId: 7,
      ownerType: "ORGANIZATION",
      createdAt: ITEM.created_at,
      updatedAt: ITEM.updated_at,
      items: [
        {
          id: 901,
          name: "T-shirt",
          qty: 2,
          amount: money("21.25"),
          createdAt: ITEM.created_at,
          updatedAt: ITEM.updated_at,
        },
      ],
      counterparty: expect.objectContaining({
        id: 15,
        party: expect.objectContaining({ id: 42, fullname: "Test Payer" }),
      }),
      wire: { ...ORDER_DETAIL, surprise: 1 },
    })
  })

  it("is an invoice with a due date", () => {
    expect(read(invoiceEndpoints.retrieve, INVOICE_DETAIL, asked)).toMatchObject({
      number: "INV-2026-00301",
      dueDate: "2026-06-15T00:00:00Z",
      items: [{ id: 901 }],
    })
    expect(read(invoiceEndpoints.publish, INVOICE, asked).dueDate).toBe("2026-06-15T00:00:00Z")
  })

  it("takes amounts as text, and RWF without digits", () => {
    const text = { ...ORDER_DETAIL, total_amount: "42.50" }
    expect(read(orderEndpoints.retrieve, text, asked).total).toEqual(money("42.50"))
    const rwf = { ...ORDER_DETAIL, currency: "RWF", total_amount: 7666 }
    expect(read(orderEndpoints.retrieve, rwf, asked).total).toEqual(money("7666", "RWF"))
    expect(misread(orderEndpoints.retrieve, { ...rwf, total_amount: 7666.5 }, asked)).toEqual([
      "total_amount",
    ])
  })

  it("is read when lines and counterparty are null, which is not the same as no lines", () => {
    const bare = { ...ORDER_DETAIL, order_items: null, counterparty: null }
    const source = read(orderEndpoints.retrieve, bare, asked)
    expect(source.items).toBeUndefined()
    expect(source.counterparty).toBeUndefined()
    expect(read(orderEndpoints.retrieve, { ...bare, order_items: [] }, asked).items).toEqual([])
  })

  it("is read when only whom it is for can't be", () => {
    const odd = { ...ORDER_DETAIL, counterparty: { ...COUNTERPARTY_WITH_PARTY, id: "many" } }
    expect(read(orderEndpoints.retrieve, odd, asked).counterparty).toBeUndefined()
  })

  it("keeps a state and a fee bearer that it has never seen", () => {
    const odd = { ...ORDER_DETAIL, status: "PARKED", fee_bearer: "BOTH" }
    expect(read(orderEndpoints.retrieve, odd, asked)).toMatchObject({
      status: "PARKED",
      feeBearer: "BOTH",
    })
  })

  it.each([
    ["id", { id: 302 }],
    ["total_amount", { total_amount: undefined }],
    ["total_amount", { total_amount: null }],
    ["total_amount", { total_amount: "a lot" }],
    ["order_items.0.amount", { order_items: [{ ...ITEM, amount: 21.255 }] }],
    ["order_items.0.amount", { order_items: [{ ...ITEM, currency: "dollars" }] }],
    ["order_items.1.qty", { order_items: [ITEM, { ...ITEM, qty: 0 }] }],
    ["order_items.0.name", { order_items: [{ ...ITEM, name: undefined }] }],
    ["order_items", { order_items: "none" }],
  ])("[N13][N27] is not read when %s is wrong", (path, change) => {
    expect(misread(orderEndpoints.retrieve, { ...ORDER_DETAIL, ...change }, asked)).toEqual([path])
  })

  it("[N27] is not read by number when it is another one", () => {
    const { retrieveByNumber } = invoiceEndpoints
    expect(read(retrieveByNumber, INVOICE_DETAIL, { number: "INV-2026-00301" }).id).toBe(301)
    expect(misread(retrieveByNumber, INVOICE_DETAIL, { number: "INV-2026-00302" })).toEqual([
      "invoice_number",
    ])
  })

  it("[N27] is not taken from another one's change", () => {
    expect(misread(invoiceEndpoints.update, { ...INVOICE, id: 302 }, asked)).toEqual(["id"])
  })
})

describe("publish and cancel", () => {
  it("are read by id and state alone", () => {
    const odd = { id: 301, status: "ACTIVE", total_amount: "a lot", currency: 7 }
    expect(read(orderEndpoints.publish, odd, asked)).toEqual({
      id: 301,
      status: "ACTIVE",
      wire: odd,
    })
    expect(misread(orderEndpoints.cancel, { id: 301 }, asked)).toEqual(["status"])
    expect(misread(invoiceEndpoints.cancel, { status: "CANCELED" }, asked)).toEqual(["id"])
  })

  it.each([0, -301, 30.1, Number.NaN])("are refused before sending for the id %d", (id) => {
    expect(refused(orderEndpoints.publish, { id })).toEqual(["id"])
    expect(refused(invoiceEndpoints.cancel, { id })).toEqual(["id"])
  })
})

describe("a list of documents", () => {
  it("is narrowed by what is given", () => {
    const filter = { currency: currency("USD"), status: "PAID" } as const
    expect(targetOf("orders.list", written(orderEndpoints.list, filter)).path).toBe(
      "/v1/orders/list?currency=USD&status=PAID",
    )
    expect(targetOf("invoices.list", written(invoiceEndpoints.list, {})).path).toBe(
      "/v1/invoices/list",
    )
  })

  it("finds a document by the merchant's own reference", () => {
    const others = [{ ...DOCUMENT, id: 302, reference_id: null }, DOCUMENT]
    const found = read(orderEndpoints.list, others, {}).filter(
      ({ referenceId }) => referenceId === "cart_0001",
    )
    expect(found).toMatchObject([{ id: 301, total: money("42.50") }])
  })

  it("gives what does not fit its filter as well: each document says what it is", () => {
    const lrd = { ...DOCUMENT, currency: "LRD" }
    expect(read(orderEndpoints.list, [lrd], { currency: currency("USD") })).toMatchObject([
      { currency: "LRD" },
    ])
  })

  it("[N13] is not read with a hole in it, which is named", () => {
    const list = [INVOICE, { ...INVOICE, total_amount: 0.001 }]
    expect(misread(invoiceEndpoints.list, list, {})).toEqual(["1.total_amount"])
  })

  it("is refused before sending for a state that the contract does not have", () => {
    expect(refused(orderEndpoints.list, JSON.parse('{"status":"DONE"}'))).toEqual(["status"])
    expect(refused(orderEndpoints.list, JSON.parse('{"currency":"usd"}'))).toEqual(["currency"])
  })
})

describe("a document's number", () => {
  it("stays one step of the path", () => {
    const { path } = targetOf(
      "orders.retrieveByNumber",
      written(orderEndpoints.retrieveByNumber, { number: "../cancel/5?a=b#c" }),
    )
    expect(path).toBe("/v1/orders/retrieve/number/..%2Fcancel%2F5%3Fa%3Db%23c")
  })

  it.each(["", ".", "..", "ORD\r\n1", "\u0000", "half \ud83d"])(
    "is refused before sending when it is %j",
    (number) => {
      expect(refused(orderEndpoints.retrieveByNumber, { number })).toEqual(["number"])
      expect(refused(invoiceEndpoints.retrieveByNumber, { number })).toEqual(["number"])
    },
  )
})
