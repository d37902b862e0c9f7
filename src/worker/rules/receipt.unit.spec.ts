import {
  afterNoon,
  anOperation,
  currency,
  money,
  NOON,
} from "../../../integration-tests/support/an-operation"
import type { KeptReceipt } from "../schemas/stored-receipt"
import { adminReceipt, isoMoment, isReceiptOf, shopperReceipt } from "./receipt"
import { said } from "../../../integration-tests/support/said"

const kept: KeptReceipt = {
  number: said("ORD-2026-30001"),
  paidAt: said(NOON.toISOString()),
  total: said("19.99"),
  currency: currency("USD"),
  feeBearer: "PAYER",
  paymentMethod: said("CREDIT_CARD"),
  transactionId: said("tx-1"),
  lines: [{ name: said("T-shirt"), quantity: 3, unitAmount: said("6.33") }],
  link: said("https://gateway.example/receipt/1"),
}
const fetched = (given: Partial<KeptReceipt> = {}) => ({
  receipt: { ...kept, ...given },
  fetchedAt: afterNoon(5_000),
})
const paid = anOperation({
  state: "completed",
  collected: money(1_999),
  orderId: "order_1",
  payerAmount: "20.49",
  payerCurrency: currency("USD"),
  payeeAmount: "19.99",
  payeeCurrency: currency("USD"),
})

describe("a receipt", () => {
  it("says to the shopper what was paid, and nothing of the shop's own", () => {
    expect(shopperReceipt(paid, fetched(), () => "Our own name")).toEqual({
      method_label: "Our own name",
      number: said("ORD-2026-30001"),
      paid_at: NOON.toISOString(),
      order_id: "order_1",
      currency: "USD",
      total: 19.99,
      lines: [{ name: "T-shirt", quantity: 3, amount: 18.99 }],
      payer_fee: 0.5,
      beyond_amount: null,
      payer_amount: 20.49,
      payer_currency: "USD",
      exchange_rate: null,
      exchange_from: null,
      exchange_to: null,
      payment_method: "OPERATOR1_MOMO_LBR",
      carrier: "Operator 1",
      phone_hint: "456",
      transaction_id: "tx-1",
      link: said("https://gateway.example/receipt/1"),
    })
  })

  it("names no fee to a shopper who was charged the total alone", () => {
    const charged = { ...paid, payerAmount: "19.99", payeeAmount: "19.49" }
    for (const feeBearer of ["PAYEE", null] as const) {
      expect(shopperReceipt(charged, fetched({ feeBearer })).payer_fee).toBeNull()
    }
  })

  it("names what was accepted beyond the total, and calls that no fee", () => {
    const more = { payerAmount: "20.99", collected: money(2_099), feeBearer: null }
    const receipt = shopperReceipt(
      { ...paid, ...more, recordedAt: NOON },
      fetched({ feeBearer: null }),
    )
    expect(receipt).toMatchObject({ total: 19.99, beyond_amount: 1, payer_fee: null })
  })

  it("names what was charged above the total, whoever is said to bear the fee", () => {
    for (const feeBearer of ["PAYEE", null] as const) {
      expect(shopperReceipt(paid, fetched({ feeBearer })).payer_fee).toBe(0.5)
    }
  })

  it("takes the way to pay from the gateway where the page chose it, and the lines from us where it has none", () => {
    const hosted = { ...paid, flow: "hosted" as const, paymentMethod: null, carrier: null }
    expect(shopperReceipt(hosted, fetched({ lines: null }))).toMatchObject({
      payment_method: "CREDIT_CARD",
      phone_hint: null,
      carrier: null,
      lines: [{ name: "T-shirt", quantity: 1, amount: 19.99 }],
    })
  })

  it("shows the admin fee, net and who bears it", () => {
    expect(adminReceipt(paid, fetched(), (method) => `${method} by name`)).toMatchObject({
      operation_id: "mpop_1",
      method_label: `${paid.paymentMethod} by name`,
      fetched_at: afterNoon(5_000).toISOString(),
      figures: { gross: 19.99, fee: 0.5, net: 19.99, fee_bearer: "PAYER" },
    })
  })

  it("is of another payment where its total is not what was collected", () => {
    expect(isReceiptOf(paid, money(1_999))).toBe(true)
    expect(isReceiptOf(paid, money(1_998))).toBe(false)
    expect(isReceiptOf(paid, money(1_999, "LRD"))).toBe(false)
    expect(isReceiptOf({ ...paid, collected: money(1_500) }, money(1_500))).toBe(true)
  })

  it("has a date in UTC, or none", () => {
    expect(isoMoment("2026-11-20T13:00:00+01:00")).toBe(NOON.toISOString())
    expect(isoMoment("soon")).toBeNull()
    expect(isoMoment(undefined)).toBeNull()
  })
})
