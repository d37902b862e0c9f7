import { anOperation, aRefund, currency, money } from "../../integration-tests/support/an-operation"
import { figuresOf } from "./figures"
import type { Fees } from "./operation"

const paid = { state: "completed", collected: money(1_999) } as const
const fees = (given: Partial<Fees> = {}): Fees => ({
  platform: "0.20",
  gateway: "0.30",
  fx: null,
  currency: "USD",
  ...given,
})
const inDollars = { payerCurrency: currency("USD"), payeeCurrency: currency("USD") }

describe("the figures of a payment", () => {
  it("are nothing but its currency before anything is collected", () => {
    const figures = figuresOf(anOperation({ payerCurrency: null }))
    const told = Object.entries(figures).filter(([, value]) => value !== null)
    expect(told).toEqual([["currency", "USD"]])
  })

  it("are gross, fee and net where the shop bears the fees", () => {
    const operation = anOperation({
      ...paid,
      ...inDollars,
      payerAmount: "19.99",
      payeeAmount: "19.49",
      fees: fees(),
      feeBearer: "PAYEE",
    })
    expect(figuresOf(operation)).toEqual({
      currency: "USD",
      gross: 19.99,
      fee: 0.5,
      net: 19.49,
      fee_bearer: "PAYEE",
      platform_fee: 0.2,
      gateway_fee: 0.3,
      fx_fee: null,
      payer_amount: 19.99,
      payer_currency: "USD",
      payee_amount: 19.49,
      payee_currency: "USD",
      exchange_rate: null,
      exchange_from: null,
      exchange_to: null,
      quoted_payer_amount: null,
      expected_payer_amount: null,
      expected_payee_amount: null,
    })
  })

  describe.each([
    ["a collection", anOperation],
    ["a refund", aRefund],
  ])("of %s whose amounts the gateway named before it moved", (_name, made) => {
    const named = {
      ...inDollars,
      payerAmount: "19.99",
      payeeAmount: "19.49",
      fees: fees(),
      collected: null,
    }
    const nothing = { gross: null, fee: null, net: null, platform_fee: null, gateway_fee: null }

    it.each(["drafted", "submitted", "in_flight"] as const)("are expected while %s", (state) => {
      expect(figuresOf(made({ ...named, state }))).toMatchObject({
        ...nothing,
        payer_amount: null,
        payee_amount: null,
        expected_payer_amount: 19.99,
        expected_payee_amount: 19.49,
      })
    })

    it.each(["failed", "expired", "review"] as const)("are nothing once %s", (state) => {
      expect(figuresOf(made({ ...named, state }))).toMatchObject({
        ...nothing,
        payer_amount: null,
        payee_amount: null,
        expected_payer_amount: null,
        expected_payee_amount: null,
      })
    })
  })

  it("show what was collected, which is not always what was asked for", () => {
    expect(figuresOf(anOperation({ ...paid, collected: money(1_500) }))).toMatchObject({
      gross: 15,
    })
  })

  it("have the fee between what was paid and what arrived, where no fee is named", () => {
    const operation = anOperation({
      ...paid,
      ...inDollars,
      payerAmount: "20.49",
      payeeAmount: "19.99",
    })
    expect(figuresOf(operation)).toMatchObject({ fee: 0.5, net: 19.99, platform_fee: null })
  })

  it("take no fee from two currencies, and no net from another one", () => {
    const operation = anOperation({
      ...paid,
      payerCurrency: currency("LRD"),
      payerAmount: "3900",
      payeeCurrency: currency("RWF"),
      payeeAmount: "27000",
      exchangeRate: "195.1",
      exchangeFrom: "USD",
      exchangeTo: "LRD",
    })
    expect(figuresOf(operation)).toMatchObject({
      fee: null,
      net: null,
      payer_amount: 3_900,
      payee_amount: 27_000,
      exchange_rate: 195.1,
      exchange_from: "USD",
      exchange_to: "LRD",
    })
  })

  it("add no fees that may count in another currency", () => {
    const exchanged = { ...paid, payerCurrency: currency("LRD"), payeeCurrency: currency("USD") }
    expect(figuresOf(anOperation({ ...exchanged, fees: fees({ currency: null }) })).fee).toBeNull()
    expect(figuresOf(anOperation({ ...exchanged, fees: fees() })).fee).toBe(0.5)
    expect(figuresOf(anOperation({ ...paid, fees: fees({ currency: "RWF" }) })).fee).toBeNull()
  })

  it("know a net that nobody told only where the payer bears the fees", () => {
    expect(figuresOf(anOperation({ ...paid, feeBearer: "PAYER" })).net).toBe(19.99)
    expect(figuresOf(anOperation({ ...paid, feeBearer: "PAYEE" })).net).toBeNull()
    expect(figuresOf(anOperation(paid)).net).toBeNull()
  })

  it("of a refund are its amount", () => {
    const refund = aRefund({ state: "completed" })
    expect(figuresOf(refund)).toMatchObject({ gross: 19.99, fee: null, net: null })
  })

  it("are null where the gateway wrote something that is no number", () => {
    const operation = anOperation({ ...paid, payerAmount: "NaN", fees: fees({ fx: "much" }) })
    expect(figuresOf(operation)).toMatchObject({ payer_amount: null, fx_fee: null })
  })
})
