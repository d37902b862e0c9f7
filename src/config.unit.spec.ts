import { defaultCurrencies } from "@medusajs/framework/utils"
import { withMerchantPayments } from "./config"

type Entry = { resolve?: string; key?: string; id?: string; options?: { providers?: Entry[] } }

const PAYMENT = "@medusajs/medusa/payment"
const other = { resolve: "./other", id: "other", options: { a: 1 } }

/** The providers of the payment module in a list of modules. */
const providersIn = (modules: unknown): Entry[] => {
  const list = Array.isArray(modules) ? modules : Object.values(Object(modules))
  return list.flatMap((entry: Entry) =>
    entry.resolve === PAYMENT || entry.key === "payment" ? (entry.options?.providers ?? []) : [],
  )
}

describe("withMerchantPayments", () => {
  it("adds plugin and providers to a bare configuration", () => {
    const options = { account: { order_placement: "order_first" } } as const
    const config = withMerchantPayments({ projectConfig: {} }, options)
    expect(config).toMatchObject({
      projectConfig: {},
      plugins: [{ resolve: expect.any(String), options }],
      modules: [{ resolve: PAYMENT, options: { providers: [{ id: "merchant", options }] } }],
    })
  })

  it("keeps plugins, modules and other payment providers as they are", () => {
    const config = {
      plugins: ["some-plugin", { resolve: "another", options: {} }],
      modules: [
        { resolve: "./src/modules/brand" },
        { resolve: PAYMENT, options: { webhook_delay: 1, providers: [other] } },
      ],
    }
    const result = withMerchantPayments(config)
    expect(result.plugins.slice(0, 2)).toEqual(config.plugins)
    expect(result.plugins).toHaveLength(3)
    expect(result.modules[0]).toBe(config.modules[0])
    expect(result.modules[1]?.options).toMatchObject({ webhook_delay: 1 })
    expect(providersIn(result.modules).map(({ id }) => id)).toEqual(["other", "merchant"])
  })

  it("finds the payment module by its key", () => {
    const modules = [{ key: "payment", resolve: "./my-payment", options: { providers: [other] } }]
    const result = withMerchantPayments({ modules })
    expect(result.modules).toHaveLength(1)
    expect(providersIn(result.modules).map(({ id }) => id)).toEqual(["other", "merchant"])
  })

  it("takes what defineConfig answers, modules by their keys", () => {
    const cart = { resolve: "@medusajs/medusa/cart" }
    const payment = { resolve: PAYMENT, options: { providers: [other] } }
    const result = withMerchantPayments({ modules: { cart, payment } })
    expect(result.modules.cart).toBe(cart)
    expect(providersIn(result.modules).map(({ id }) => id)).toEqual(["other", "merchant"])
  })

  it.each([{}, { payment: true }, { payment: { resolve: PAYMENT } }])(
    "adds the payment module's providers to modules by keys: %j",
    (modules) => {
      const result: { modules: unknown } = withMerchantPayments({ modules })
      expect(providersIn(result.modules).map(({ id }) => id)).toEqual(["merchant"])
    },
  )

  it("does not change what it is given", () => {
    for (const modules of [
      [{ resolve: PAYMENT, options: { providers: [other] } }],
      { payment: { resolve: PAYMENT, options: { providers: [other] } } },
    ]) {
      const config = { plugins: ["one"], modules, projectConfig: { http: {} } }
      const before = structuredClone(config)
      withMerchantPayments(config, { account: { currencies: ["USD"] } })
      expect(config).toEqual(before)
    }
  })

  it("makes the Liberian dollar a currency like any other", () => {
    withMerchantPayments({})
    expect(Object(defaultCurrencies)["LRD"]).toMatchObject({ code: "LRD", decimal_digits: 2 })
  })
})
