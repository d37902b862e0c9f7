import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { defaultCurrencies, defineConfig, getConfigFile } from "@medusajs/framework/utils"
import { transformSync } from "@swc/core"
import { withMerchantPayments } from "./config"
import { configurationProblems } from "./medusa/check-configuration"
import { isOurPlugin, isOurProvider } from "./medusa/configured-parts"

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

const PLUGIN = "medusa-plugin-merchant-payments"
const PROVIDERS = `${PLUGIN}/providers/merchant-payments`
const OPTIONS = { account: { order_placement: "order_first" } } as const

/** Each half as documented, by hand. */
const plugin = (options?: object) => ({ resolve: PLUGIN, ...(options && { options }) })
const providers = (options?: object, id = "merchant") => ({
  resolve: PAYMENT,
  options: { providers: [other, { resolve: PROVIDERS, id, ...(options && { options }) }] },
})

/** How often each half is in a configuration, and the options of both. */
const halvesOf = (config: { plugins?: unknown; modules?: unknown }) => {
  const named: readonly unknown[] = Array.isArray(config.plugins) ? config.plugins : []
  const plugins = named.filter((one): one is Entry => isOurPlugin(one))
  const ours = providersIn(config.modules).filter((one): one is Entry => isOurProvider(one))
  return {
    plugins: plugins.length,
    providers: ours.length,
    options: [...plugins, ...ours].map(({ options }) => options),
  }
}

/** Of this realm, unlike what `structuredClone` answers in a test. */
const copyOf = (config: object) => JSON.parse(JSON.stringify(config)) as object

const WHOLE = { plugins: 1, providers: 1 }

describe.each([
  ["as it is written", (config: object) => config],
  ["as defineConfig answers it", (config: object) => defineConfig(config)],
  ["as withMerchantPayments answered it before", (config: object) => withMerchantPayments(config)],
])("a configuration with a half by hand, %s,", (_form, made) => {
  it.each([
    ["both halves", { plugins: [plugin(OPTIONS)], modules: [providers(OPTIONS)] }],
    ["the plugin by its name alone", { plugins: [PLUGIN] }],
    ["the plugin alone, with options", { plugins: [plugin(OPTIONS)] }],
    ["the providers alone", { modules: [providers()] }],
    ["the providers alone, with options", { modules: [providers(OPTIONS)] }],
    ["the plugin twice", { plugins: [plugin(), PLUGIN] }],
  ])("gets each half once, with the same options, where it has %s", (_name, config) => {
    const hasOptions = JSON.stringify(config).includes("order_first")
    const options = hasOptions ? OPTIONS : {}
    const result = withMerchantPayments(made(copyOf(config)))
    expect(halvesOf(result)).toEqual({ ...WHOLE, options: [options, options] })
    expect(halvesOf(withMerchantPayments(made(copyOf(config)), OPTIONS))).toEqual({
      ...WHOLE,
      options: [OPTIONS, OPTIONS],
    })
  })

  it("is refused with a sentence where it contradicts the options, or names the providers otherwise", () => {
    const contradicting = made({ plugins: [plugin({ account: {} })], modules: [providers()] })
    expect(() => withMerchantPayments(contradicting, OPTIONS)).toThrow("more than once")
    const renamed = { modules: [providers({}, "momo")] }
    expect(() => withMerchantPayments(made(renamed))).toThrow(
      '"momo". Their id has to be "merchant"',
    )
  })
})

/** What Medusa itself reads of a `medusa-config.ts` with these lines. */
async function readByMedusa(
  lines: string,
): Promise<{ error: Error | null; config: object | null }> {
  const folder = mkdtempSync(path.join(tmpdir(), "medusa-config-"))
  try {
    const helper = `import { withMerchantPayments } from ${JSON.stringify(path.join(__dirname, "config"))};\n`
    const { code } = transformSync(
      `${helper}const config = { projectConfig: { databaseUrl: "d" } };\n${lines}`,
      {
        jsc: { parser: { syntax: "typescript" }, target: "es2022" },
        module: { type: "commonjs" },
      },
    )
    writeFileSync(path.join(folder, "medusa-config.js"), code)
    const { configModule, error } = await getConfigFile<object>(folder, "medusa-config")
    return { error, config: configModule }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("Medusa's own reader of medusa-config", () => {
  it.each([
    "module.exports = withMerchantPayments(config)",
    "export default withMerchantPayments(config)",
    "module.exports = config; module.exports = withMerchantPayments(module.exports)",
    "export default config; module.exports = withMerchantPayments(module.exports)",
    "module.exports = withMerchantPayments(() => config)",
    "export default () => config; module.exports = withMerchantPayments(module.exports)",
    "module.exports = withMerchantPayments(withMerchantPayments(config))",
  ])("finds both halves and the store's settings in: %s", async (lines) => {
    const { error, config } = await readByMedusa(lines)
    expect(error).toBeNull()
    expect(config).toMatchObject({ projectConfig: { databaseUrl: "d" } })
    expect(halvesOf(config ?? {})).toMatchObject(WHOLE)
    expect(configurationProblems(config)).toEqual([])
  })

  it.each([
    ["export default withMerchantPayments(Promise.resolve(config))", "a promise"],
    ["module.exports = withMerchantPayments(async () => config)", "a promise"],
    [
      "export default Promise.resolve(config); module.exports = withMerchantPayments(module.exports)",
      "a promise",
    ],
    ["module.exports = withMerchantPayments(undefined)", "given undefined"],
    ["module.exports = withMerchantPayments(null)", "given null"],
    ["module.exports = withMerchantPayments([config])", "given object"],
    ["module.exports = withMerchantPayments('config')", "given string"],
  ])("stops with an error of the plugin that says what to do: %s", async (lines, sentence) => {
    const { error } = await readByMedusa(lines)
    expect(error?.message).toContain("merchant payments: ")
    expect(error?.message).toContain(sentence)
  })
})

describe("a configuration without withMerchantPayments", () => {
  /** With the modules of its plugins, as Medusa has merged them. */
  const merged = ({ plugins = [], modules = [] }: { plugins?: unknown[]; modules?: unknown[] }) => {
    const { modules: known, ...config } = defineConfig({ plugins, modules } as object)
    const added = plugins.length > 0 ? { merchantPayments: { resolve: PLUGIN } } : {}
    return { ...config, modules: { ...added, ...known } }
  }

  it.each([
    ["both halves", { plugins: [plugin()], modules: [providers()] }, []],
    ["the plugin alone", { plugins: [plugin()] }, ["providers_missing"]],
    ["the providers alone", { modules: [providers()] }, ["plugin_missing"]],
    ["neither half", {}, []],
    [
      "the plugin twice",
      { plugins: [plugin(), path.resolve(__dirname, "..")], modules: [providers()] },
      ["plugin_twice"],
    ],
    [
      "the providers twice",
      {
        plugins: [plugin()],
        modules: [
          {
            resolve: PAYMENT,
            options: {
              providers: [
                { resolve: PROVIDERS, id: "merchant" },
                { resolve: require.resolve("./providers/merchant-payments"), id: "merchant" },
              ],
            },
          },
        ],
      },
      ["providers_twice"],
    ],
  ])("has a problem that is named exactly where it can't work: %s", (_name, config, codes) => {
    expect(configurationProblems(merged(config)).map(({ code }) => code)).toEqual(codes)
  })

  it("takes no other provider for ours, however its file is called", () => {
    for (const resolve of [
      "../shop/src/providers/merchant-payments",
      "@other/providers/merchant-payments",
    ]) {
      expect(isOurProvider({ resolve, id: "merchant" })).toBe(false)
    }
    expect(isOurPlugin("medusa-plugin-other")).toBe(false)
    expect(isOurPlugin(path.resolve(__dirname, ".."))).toBe(true)
    expect(isOurProvider({ resolve: { services: [{ identifier: "card" }] } })).toBe(false)
  })
})
