import { money, PHONE } from "../../../../integration-tests/gateway/calls"
import {
  INVOICE_RECEIPT,
  ORDER_RECEIPT,
} from "../../../../integration-tests/gateway/calls/receipts"
import { misread, read, refused } from "../../../../integration-tests/gateway/reading"
import { invoiceReceipts, orderReceipts } from "./receipts"

const asked = { id: 301 }

describe("a receipt", () => {
  it("is read with all it says", () => {
    expect(read(invoiceReceipts.retrieve, INVOICE_RECEIPT, asked)).toEqual({
      id: 301,
      number: "INV-2026-00301",
      status: "PAID",
      total: money("42.50"),
      referenceId: "cart_0001",
      note: "Two shirts",
      dueDate: "2026-06-15T00:00:00Z",
      asPaymentLink: true,
      feeBearer: "PAYEE",
      paidAt: "2026-06-01T10:05:00Z",
      ownerId: 7,
      ownerType: "ORGANIZATION",
      createdAt: "2026-06-01T10:00:00Z",
      counterpartyId: 15,
      relationshipType: "CUSTOMER",
      counterpartyName: "Test Payer",
      counterpartyPhone: PHONE,
      counterpartyEmail: "payer@shop.example",
      payerAmount: { ...money("7666.46", "LRD"), exact: "7666.46" },
      payerCurrency: "LRD",
      payeeAmount: { ...money("41.20"), exact: "41.2" },
      payeeCurrency: "USD",
      platformFee: { ...money("0.85"), exact: "0.85" },
      platformCurrency: "USD",
      gatewayFee: { ...money("81.25", "LRD"), exact: "81.25" },
      gatewayCurrency: "LRD",
      fxFee: "0.45",
      fxRate: "180.387529411764705882",
      fxCurrencyFrom: "USD",
      fxCurrencyTo: "LRD",
      paymentProvider: "MOBILE_MONEY_GATEWAY",
      paymentMethod: "OPERATOR1_MOMO_LBR",
      accountName: "Test Payer",
      gatewayConfirmedAt: "2026-06-01T10:04:58Z",
      providerTransactionId: "MM-77120",
      items: [{ id: 901, name: "T-shirt", qty: 2, amount: money("21.25") }],
      wire: INVOICE_RECEIPT,
    })
  })

  it("is read with only what it can't do without", () => {
    const bare = {
      order_id: "301",
      order_number: "ORD-2026-00301",
      currency: "RWF",
      total_amount: "7666",
      status: "PAID",
      payer_amount: null,
      platform_fee: null,
      fx_fee: null,
      items: null,
    }
    expect(read(orderReceipts.retrieve, bare, asked)).toEqual({
      id: 301,
      number: "ORD-2026-00301",
      status: "PAID",
      total: money("7666", "RWF"),
      wire: bare,
    })
  })

  it("keeps every digit of what is shown and never compared", () => {
    const fine = { ...ORDER_RECEIPT, payer_amount: "7666.4567", platform_fee: 0.8512, fx_rate: 180 }
    expect(read(orderReceipts.retrieve, fine, asked)).toMatchObject({
      payerAmount: { ...money("7666.46", "LRD"), exact: "7666.4567" },
      platformFee: { ...money("0.85"), exact: "0.8512" },
      fxRate: "180",
    })
  })

  it("has no fee that its currency is missing from, but what was said", () => {
    const free = { ...ORDER_RECEIPT, platform_fee: 0, platform_currency: null }
    const receipt = read(orderReceipts.retrieve, free, asked)
    expect(receipt.platformFee).toBeUndefined()
    expect(receipt.wire).toMatchObject({ platform_fee: 0 })
  })

  it.each(["payer", "payee"] as const)("has no %s side without a currency", (side) => {
    const answer = { ...ORDER_RECEIPT, [`${side}_currency`]: null }
    const receipt = read(orderReceipts.retrieve, answer, asked)
    expect([receipt[`${side}Amount`], receipt[`${side}Currency`]]).toEqual([undefined, undefined])
    expect(receipt.wire).toEqual(answer)
  })

  it("of an order is read in the words of an invoice too", () => {
    expect(read(orderReceipts.retrieve, INVOICE_RECEIPT, asked)).toMatchObject({
      id: 301,
      number: "INV-2026-00301",
    })
    expect(misread(orderReceipts.retrieve, { ...INVOICE_RECEIPT, invoice_id: 302 }, asked)).toEqual(
      ["order_id"],
    )
  })

  it.each([
    ["order_id", { order_id: undefined }],
    ["order_id", { order_id: 302 }],
    ["order_number", { order_number: null }],
    ["status", { status: null }],
    ["currency", { currency: undefined }],
    ["total_amount", { total_amount: null }],
    ["total_amount", { total_amount: 42.505 }],
    ["total_amount", { currency: "US$" }],
  ])("[N13][N27] is not read when %s is wrong", (path, change) => {
    expect(misread(orderReceipts.retrieve, { ...ORDER_RECEIPT, ...change }, asked)).toEqual([path])
  })

  it("[N27] of an invoice is not read when it is another one's", () => {
    expect(misread(invoiceReceipts.retrieve, INVOICE_RECEIPT, { id: 302 })).toEqual(["invoice_id"])
    expect(
      misread(invoiceReceipts.retrieveByNumber, INVOICE_RECEIPT, { number: "INV-2026-00302" }),
    ).toEqual(["invoice_number"])
    expect(
      misread(orderReceipts.retrieveByNumber, ORDER_RECEIPT, { number: "ORD-2026-00302" }),
    ).toEqual(["order_number"])
    expect(misread(invoiceReceipts.retrieve, ORDER_RECEIPT, asked)).toEqual([
      "invoice_id",
      "invoice_number",
    ])
  })

  it("is refused before sending for what is no id and no number", () => {
    expect(refused(orderReceipts.retrieve, { id: 0 })).toEqual(["id"])
    expect(refused(invoiceReceipts.retrieveByNumber, { number: ".." })).toEqual(["number"])
  })
})
