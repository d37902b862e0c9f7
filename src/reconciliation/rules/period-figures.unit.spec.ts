import { currency } from "../../../integration-tests/support/an-operation"
import { figuresOfPeriod, type Takings } from "./period-figures"

const takings = (given: Partial<Takings> = {}): Takings => ({
  day: "2026-11-20",
  paymentMethod: "OPERATOR1_MOMO_LBR",
  carrier: "Operator 1",
  currency: currency("USD"),
  count: 1,
  collectedMinor: 1_999n,
  completed: 1,
  failed: 0,
  expired: 0,
  ...given,
})

it("money is summed by currency, way to pay and day, exactly, and never across currencies", () => {
  const figures = figuresOfPeriod(
    [
      takings(),
      takings({ day: "2026-11-21", collectedMinor: 2n ** 60n, count: 2 }),
      takings({ currency: currency("LRD"), collectedMinor: 30n }),
      takings({ paymentMethod: null, carrier: null, collectedMinor: 1n }),
    ],
    [],
  )
  expect(figures.by_currency).toEqual([
    { currency: "USD", count: 4, amount: "11529215046068489.76" },
    { currency: "LRD", count: 1, amount: "0.30" },
  ])
  expect(
    figures.by_operator.map(({ payment_method, currency: code, amount }) => [
      payment_method,
      code,
      amount,
    ]),
  ).toEqual([
    ["OPERATOR1_MOMO_LBR", "USD", "11529215046068489.75"],
    ["OPERATOR1_MOMO_LBR", "LRD", "0.30"],
    [null, "USD", "0.01"],
  ])
  expect(figures.by_day.map(({ day, amount }) => [day, amount])).toEqual([
    ["2026-11-20", "19.99"],
    ["2026-11-21", "11529215046068469.76"],
    ["2026-11-20", "0.30"],
    ["2026-11-20", "0.01"],
  ])
})

it("the rate of success is of the tries that have ended, and of none it is not known", () => {
  const { success, by_operator } = figuresOfPeriod(
    [
      takings({ completed: 3, failed: 1 }),
      takings({ paymentMethod: "X", completed: 0, expired: 1 }),
    ],
    [],
  )
  expect(success).toEqual({ completed: 3, failed: 1, expired: 1, rate: 0.6 })
  expect(by_operator.map(({ success: { rate } }) => rate)).toEqual([0.75, 0])
  // Given back at once: it came in, and was no try.
  expect(figuresOfPeriod([takings({ completed: 0 })], []).success.rate).toBeNull()
})

it("tries without money are with their way to pay, and on no day", () => {
  const figures = figuresOfPeriod(
    [takings({ count: 0, collectedMinor: 0n, completed: 0, failed: 2 })],
    [],
  )
  expect(figures.by_currency).toEqual([])
  expect(figures.by_day).toEqual([])
  expect(figures.by_operator).toMatchObject([{ count: 0, amount: "0.00", success: { failed: 2 } }])
})

it("the time to confirm stands with its way to pay and currency, and once for all", () => {
  const confirmed = (given: object) => ({
    isAll: false,
    paymentMethod: "OPERATOR1_MOMO_LBR",
    carrier: "Operator 1",
    currency: "USD",
    count: 4,
    p50Seconds: 21.26,
    p90Seconds: 80,
    ...given,
  })
  const figures = figuresOfPeriod(
    [takings(), takings({ currency: currency("LRD") })],
    [confirmed({}), confirmed({ isAll: true, paymentMethod: null, currency: null, count: 9 })],
  )
  expect(figures.confirming).toEqual({ count: 9, p50_seconds: 21.3, p90_seconds: 80 })
  expect(figures.by_operator.map(({ confirming }) => confirming.count)).toEqual([4, 0])
})
