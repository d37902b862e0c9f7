import fc from "fast-check"
import {
  anOperation,
  aPayout,
  aRefund,
  currency,
  money,
} from "../../../integration-tests/support/an-operation"
import { figuresOf } from "../../core/figures"
import type { FeeBearer, Operation, OperationType, State } from "../../core/operation"
import { signedFiguresOf, totalsFrom } from "./signed-figures"

const paid = { state: "completed", collected: money(1_999) } as const
const inDollars = { payerCurrency: currency("USD"), payeeCurrency: currency("USD") }
const fees = { platform: "0.20", gateway: "0.30", fx: null, currency: "USD" }
const minorOf = (text: string) => BigInt(text.replace(".", ""))

describe("what an operation adds to a sum", () => {
  it("is what came in, what the gateway took of it, and what it left", () => {
    const operation = anOperation({ ...paid, ...inDollars, payeeAmount: "19.49", fees })
    expect(signedFiguresOf(operation)).toMatchObject({
      asked: 1_999n,
      gross: 1_999n,
      fee: 50n,
      net: 1_949n,
      payerFee: null,
    })
  })

  it("is below zero where money went out, and nothing before it has", () => {
    expect(signedFiguresOf(aRefund({ state: "completed" }))).toMatchObject({
      asked: -1_999n,
      gross: -1_999n,
      net: -1_999n,
      fee: null,
    })
    expect(signedFiguresOf(aRefund({ state: "failed" }))).toMatchObject({
      asked: -1_999n,
      gross: null,
      net: null,
    })
    const payout = aPayout({ state: "completed" })
    expect(signedFiguresOf(payout)).toMatchObject({ gross: -1_999n, net: null })
  })

  it("falls by the whole payment where its operator took it back, and the fee stays", () => {
    const takenBackAt = new Date("2026-11-21T12:00:00Z")
    const given = { ...paid, ...inDollars, payeeAmount: "19.49", fees, takenBackAt }
    const operation = anOperation(given)
    const figures = signedFiguresOf(operation)
    expect(figures).toMatchObject({ gross: 1_999n, takenBack: -1_999n, fee: 50n, net: -50n })
    expect(figuresOf(operation).net).toBe(-0.5)
    expect(totalsFrom([figures])).toMatchObject([
      { payments: { net: "19.49" }, net_after_refunds: "-0.50" },
    ])
  })

  it("has no fee that the payer bore on top", () => {
    const given = { ...paid, ...inDollars, fees, feeBearer: "PAYER" } as const
    const figures = signedFiguresOf(anOperation(given))
    expect(figures).toMatchObject({ fee: 0n, net: 1_999n, payerFee: 50n })
    expect(totalsFrom([figures])).toMatchObject([
      { payments: { fees: "0.00", payer_fees: "0.50" }, net_after_refunds: "19.99" },
    ])
  })

  it.each([
    ["named, but not what it left", { fees }],
    ["contradicted by a net above what came in", { payeeAmount: "20.00" }],
    ["in another currency", { payeeAmount: "3900", payeeCurrency: currency("LRD") }],
  ])("has no fee where it is %s", (_name, given) => {
    const figures = signedFiguresOf(anOperation({ ...paid, ...inDollars, ...given }))
    expect(figures).toMatchObject({ gross: 1_999n, fee: null, net: null })
    expect(totalsFrom([figures])).toMatchObject([
      {
        payments: { without_fees: 1, amount_without_fees: "19.99", fees: "0.00", net: "0.00" },
        net_after_refunds: "19.99",
      },
    ])
  })
})

it("a net after refunds may be below zero, in every currency with its own digits", () => {
  const refunds = [aRefund({ state: "completed", amount: money(5) })]
  const francs = [aRefund({ state: "completed", amount: money(5, "RWF") })]
  expect(totalsFrom([...refunds, ...francs].map(signedFiguresOf))).toMatchObject([
    { currency: "RWF", refunds: { count: 1, amount: "5" }, net_after_refunds: "-5" },
    { currency: "USD", refunds: { count: 1, amount: "0.05" }, net_after_refunds: "-0.05" },
  ])
})

const CODES = ["USD", "LRD", "RWF"]
const minors = fc.oneof(
  fc.bigInt({ min: 1n, max: 10n ** 6n }),
  fc.bigInt({ min: 1n, max: 10n ** 18n }),
)
const majors = fc.option(
  fc.oneof(
    fc.integer({ min: 0, max: 10 ** 7 }).map((cents) => (cents / 100).toFixed(2)),
    fc.constantFrom("0", "0.005", "NaN", "", "1e3", "99999999999999999999"),
  ),
)
const codes = fc.constantFrom(...CODES).map(currency)

/** Whatever the ledger may hold of an operation's money, sense or not. */
const operations: fc.Arbitrary<Operation> = fc
  .record({
    type: fc.constantFrom<OperationType>("COLLECTION", "REFUND", "PAYOUT", "TRANSFER"),
    state: fc.constantFrom<State>("in_flight", "completed", "failed", "expired", "review"),
    amount: fc.record({ minor: minors, currency: codes }),
    taken: fc.option(minors),
    takenBackAt: fc.option(fc.constant(new Date("2026-11-21T12:00:00Z"))),
    feeBearer: fc.constantFrom<FeeBearer | null>("PAYER", "PAYEE", null),
    payerAmount: majors,
    payeeAmount: majors,
    payerCurrency: fc.option(codes),
    payeeCurrency: fc.option(codes),
    fees: fc.option(
      fc.record({
        platform: majors,
        gateway: majors,
        fx: majors,
        currency: fc.option(fc.constantFrom(...CODES)),
      }),
    ),
  })
  .map(({ taken, type, ...given }) => {
    if (type === "PAYOUT" || type === "TRANSFER") return aPayout({ ...given, type })
    const isTaken = type === "COLLECTION" && taken !== null
    return anOperation({
      ...given,
      type,
      collected: isTaken ? { ...given.amount, minor: taken } : null,
    })
  })

it("of any operations, paid less fees, refunds and what was taken back is the net, to the smallest unit", () => {
  fc.assert(
    fc.property(fc.array(operations, { maxLength: 40 }), (all) => {
      const figures = all.map(signedFiguresOf)
      for (const total of totalsFrom(figures)) {
        const { payments, refunds, sent, net_after_refunds: net } = total
        const own = figures.filter((one) => one.currency === total.currency && one.gross !== null)
        const shown = own.reduce((sum, { gross }) => sum + (gross ?? 0n), 0n)
        const paidMinor = minorOf(payments.amount)
        const afterFees = paidMinor - minorOf(payments.fees)
        const back = minorOf(refunds.amount) + minorOf(total.taken_back.amount)
        expect(minorOf(net)).toBe(afterFees - back)
        const known = figures.filter((one) => one.currency === total.currency)
        const unknown = known.filter(({ type, net: own }) => type === "COLLECTION" && own === null)
        const column = known.reduce((sum, one) => sum + (one.net ?? 0n), 0n)
        const rest = unknown.reduce(
          (sum, one) => sum + (one.gross ?? 0n) + (one.takenBack ?? 0n),
          0n,
        )
        expect(minorOf(net)).toBe(column + rest)
        expect(afterFees).toBe(minorOf(payments.net) + minorOf(payments.amount_without_fees))
        expect(shown).toBe(paidMinor - minorOf(refunds.amount) - minorOf(sent.amount))
        expect(payments.count + refunds.count + sent.count).toBe(own.length)
      }
    }),
  )
})

it("of any operation the fee and what is left are both known or both not, and its parts add up", () => {
  fc.assert(
    fc.property(operations, (operation) => {
      const { type, gross, fee, net, asked, takenBack } = signedFiguresOf(operation)
      expect(asked > 0n).toBe(type === "COLLECTION")
      if (type !== "COLLECTION")
        expect([fee, net]).toEqual([null, type === "REFUND" ? gross : null])
      else if (gross === null || fee === null) expect([fee, net]).toEqual([null, null])
      else expect([net, fee >= 0n && fee <= gross]).toEqual([gross - fee + (takenBack ?? 0n), true])
    }),
  )
})
