/** Green is shown only where every row and every sum is equal. */
import fc from "fast-check"
import { agreementOf } from "./agreement"
import type { PeriodTotals, Total } from "../schemas/reconciliation"

const NONE: Total = { count: 0, amount: "0.00" }
const medusa = (sum: Total) => ({ ...sum, exact: sum.amount })

function equal(paid: Total, refunded: Total): PeriodTotals {
  return {
    currency: "USD",
    bridge: {
      recorded: paid,
      under_review: NONE,
      given_back: NONE,
      dismissed: NONE,
      under_way: NONE,
      remainder: NONE,
    },
    gateway: { paid, elsewhere: NONE },
    ledger: { completed: paid, under_review: NONE, received: paid, recorded: paid },
    medusa: { captured: medusa(paid) },
    refunds: {
      gateway: refunded,
      ledger: refunded,
      under_way: NONE,
      under_review: NONE,
      recorded: refunded,
      medusa: medusa(refunded),
    },
  }
}

const account = (totals: PeriodTotals) => ({
  is_complete: true,
  differences: [],
  left_out: 0,
  totals: [totals],
})

const sums = fc
  .record({ count: fc.integer({ min: 1, max: 99 }), minor: fc.integer({ min: 1, max: 1e9 }) })
  .map(({ count, minor }): Total => ({ count, amount: (minor / 100).toFixed(2) }))

/** Each sum of a currency, with another one in its place. */
const disturb: Readonly<Record<string, (from: PeriodTotals, sum: Total) => PeriodTotals>> = {
  "gateway paid": (from, paid) => ({ ...from, gateway: { paid, elsewhere: NONE } }),
  received: (from, received) => ({ ...from, ledger: { ...from.ledger, received } }),
  recorded: (from, recorded) => ({ ...from, ledger: { ...from.ledger, recorded } }),
  "what nothing explains": (from, remainder) => ({
    ...from,
    bridge: from.bridge && { ...from.bridge, remainder },
  }),
  "under review": (from, under_review) => ({ ...from, ledger: { ...from.ledger, under_review } }),
  captured: (from, sum) => ({ ...from, medusa: { captured: medusa(sum) } }),
  "recorded refunds": (from, recorded) => ({ ...from, refunds: { ...from.refunds, recorded } }),
  "Medusa refunded": (from, sum) => ({
    ...from,
    refunds: { ...from.refunds, medusa: medusa(sum) },
  }),
  "refunds under review": (from, under_review) => ({
    ...from,
    refunds: { ...from.refunds, under_review },
  }),
  "refunds under way": (from, under_way) => ({ ...from, refunds: { ...from.refunds, under_way } }),
}

it("equal rows and equal sums are green", () => {
  fc.assert(
    fc.property(sums, sums, (paid, back) => agreementOf([account(equal(paid, back))]).is_green),
  )
})

it.each(Object.entries(disturb))("another sum of %s turns green off", (_name, change) => {
  fc.assert(
    fc.property(sums, sums, sums, (paid, back, other) => {
      const same = (sum: Total) => sum.count === other.count && sum.amount === other.amount
      fc.pre(!same(paid) && !same(back))
      return !agreementOf([account(change(equal(paid, back), other))]).is_green
    }),
  )
})

it("money that waits is named with its sum", () => {
  const sum = { count: 2, amount: "4584.00" }
  const totals = equal(NONE, NONE)
  const open = agreementOf([account({ ...totals, refunds: { ...totals.refunds, under_way: sum } })])
  expect(open).toEqual({
    is_green: false,
    open: [{ kind: "waits", what: "refunds_under_way", currency: "USD", sum, sums: null }],
  })
})

it("a difference that was left out, or an incomplete comparison, is not green", () => {
  const whole = account(equal(NONE, NONE))
  expect(agreementOf([{ ...whole, left_out: 1 }]).is_green).toBe(false)
  expect(agreementOf([whole, { ...whole, is_complete: false }]).is_green).toBe(false)
})

it("money of another program leaves a period green, and money that only the gateway knows does not", () => {
  const row = (code: string) => ({ ...account(equal(NONE, NONE)), differences: [{ code }] })
  expect(agreementOf([row("paid_elsewhere")]).is_green).toBe(true)
  expect(agreementOf([row("paid_unknown_to_ledger")]).is_green).toBe(false)
})
