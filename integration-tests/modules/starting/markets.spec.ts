/**
 * What holds in each country of the table of markets, compared with the simulator's table.
 * `add-a-market.spec.ts` runs this file in a copy that has one more country.
 */
import { OPERATORS as PLAYED } from "../../../packages/simulator/src/rules/operators"
import { minorFromWire } from "../../../packages/simulator/src/money"
import { typedAmount } from "../../../src/admin/lib/typed-amount"
import { typedPhone } from "../../../src/admin/lib/typed-phone"
import { listPaymentMethods } from "../../../src/checkout/offer/payment-methods"
import { predictOperator } from "../../../src/checkout/offer/predict-operator"
import { startPayment } from "../../../src/checkout/start-payment"
import { COUNTRIES, countriesOf, MARKET_CURRENCIES, OPERATORS } from "../../../src/core/markets"
import { majorNumber, majorText, moneyFromMajor } from "../../../src/core/money"
import { maskNumbers } from "../../../src/core/said/masked-numbers"
import { readEnvironment } from "../../../src/medusa/environment"
import { checkNow } from "../../../src/worker/check-due-operations"
import { currency } from "../../support/an-operation"
import { PUSH } from "../../support/flows-harness"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()

/** A number that waits for the handset. */
const numberLike = (example: string) => `${example.replaceAll(" ", "").slice(0, -2)}42`

describe.each(COUNTRIES)("in %s", (country) => {
  const own = MARKET_CURRENCIES.find((code) => countriesOf(code).includes(country)) ?? ""
  const operators = OPERATORS.filter((operator) => operator.country === country)
  const played = PLAYED.filter(({ countryCode }) => countryCode === country)

  it("the operators are those that the gateway has, and all are offered for the country's money", async () => {
    const methods = operators.map(({ method }) => method)
    expect(played.map(({ method }) => method)).toEqual(methods)
    const cart = { currency: own.toLowerCase(), country: country.toLowerCase(), phone: null }
    const medusa = {
      ...harness.deps.medusa,
      payableCart: () => Promise.resolve({ ...cart, providerIds: [PUSH] }),
    }
    const [offered] = await listPaymentMethods({ ...harness.deps, medusa }, "cart_1")
    const here = offered?.operators.filter((operator) => operator.country === country)
    expect(here?.map(({ payment_method }) => payment_method)).toEqual(methods)
    expect(here?.map(({ label }) => label)).toEqual(operators.map(({ label }) => label))
  })

  it("an account from the environment takes its money", () => {
    const { account } = readEnvironment(
      {
        MERCHANT_PAYMENTS_BASE_URL: "https://gateway.example",
        MERCHANT_PAYMENTS_CLIENT_ID: "id",
        MERCHANT_PAYMENTS_CLIENT_SECRET: "secret",
      },
      {},
    )
    expect(account?.currencies).toContain(own)
  })

  it("an amount has the digits that the gateway counts", () => {
    const money = moneyFromMajor("1234.5", currency(own))
    if (!money) throw new Error("no amount")
    const taken = PLAYED.flatMap((operator) => operator.currencies).find((code) => code === own)
    expect(taken && minorFromWire(majorNumber(money), taken)).toBe(Number(money.minor))
    expect(typedAmount(majorText(money), own)).toEqual({ kind: "amount", text: majorText(money) })
  })

  it.each(played)("a number of $method is read, masked, and known", async ({ method, example }) => {
    const phone = example.replaceAll(" ", "")
    expect(typedPhone(example, own)).toMatchObject({ international: `+${phone}`, country })
    expect(maskNumbers(`payer ${example}`)).toBe(`payer •••${phone.slice(-3)}`)
    const operator = await predictOperator(harness.deps, { phone: example })
    expect(operator).toMatchObject({ payment_method: method, country })
  })

  it.each(played)("a payment through $method is asked for and recorded", async (operator) => {
    const { collectionId, sessionId } = harness.cart()
    const cart = harness.of(collectionId)
    const money = moneyFromMajor("1234.5", currency(own))
    if (!money) throw new Error("no amount")
    cart.total = majorText(money)
    const inOwn = { currency: own.toLowerCase(), amount: majorText(money) }
    cart.sessions = cart.sessions.map((session) => ({ ...session, ...inOwn }))
    await startPayment(harness.deps, { sessionId, phone: numberLike(operator.example) })
    const { id, reference } = await harness.shown(collectionId)
    harness.simulator.handset.approve(reference ?? "")
    await checkNow(harness.deps, id)
    expect(await harness.shown(collectionId)).toMatchObject({
      state: "completed",
      paymentMethod: operator.method,
      amount: money,
      collected: money,
    })
  })
})

it("the gateway was sent nothing that its contract does not know", () => {
  expect(harness.simulator.contractViolations).toEqual([])
})
