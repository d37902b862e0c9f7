/**
 * `withMerchantPayments(config)` adds the plugin and its payment providers to a Medusa
 * configuration and touches nothing else. Both halves are needed (a plugin without providers offers
 * no way to pay), and this is the way not to forget one. The explicit form is in docs/install.md; a
 * half that is already there is kept.
 */
import path from "node:path"
import { isDeepStrictEqual } from "node:util"
import { PROVIDER_ID } from "./core/flows"
import {
  isEntry,
  isOurPlugin,
  isOurProvider,
  isPaymentModule,
  PACKAGE,
  paymentProvidersIn,
  providersOf,
  type Entry,
} from "./medusa/configured-parts"
import type { PluginOptions } from "./medusa/environment"
import { addMarketCurrencies } from "./medusa/market-currencies"

export type { PluginOptions } from "./medusa/environment"

const PAYMENT_MODULE = "@medusajs/medusa/payment"
const PAYMENT_KEY = "payment"

/** The parts of a Medusa configuration that are read here; before or after `defineConfig`. */
type Config = {
  plugins?: readonly unknown[]
  modules?: unknown
}

/**
 * @param config what is given to, or comes from, `defineConfig`, or a function that answers it
 * @param options settings of the account that environment variables define; see docs/install.md
 * @returns a new configuration; the given one is not changed
 * @throws Error if Medusa could not read the configuration, or if it contradicts `options`
 */
export function withMerchantPayments<C extends object>(
  config: C | (() => C),
  options: PluginOptions = {},
): C {
  addMarketCurrencies()
  const given = readable(config)
  const parts: Config = given
  const resolve = pluginPath()
  const settings = optionsIn(given, options)
  const provider = {
    resolve: path.isAbsolute(resolve)
      ? path.join(resolve, ".medusa/server/src/providers/merchant-payments")
      : `${resolve}/providers/merchant-payments`,
    id: PROVIDER_ID,
    options: settings,
  }
  const plugin = { resolve, options: settings }
  return {
    ...given,
    plugins: [...(parts.plugins ?? []).filter((entry) => !isOurPlugin(entry)), plugin],
    modules: withProvider(parts.modules, provider),
  } as C
}

/**
 * The configuration itself. Medusa 2.21 waits for no promise and calls no function, and would start
 * with defaults in the place of both. The exports of a file with `export default` have it inside.
 */
function readable(given: unknown): object {
  if (typeof given === "function") return readable((given as () => unknown)())
  if (isEntry(given) && typeof given["then"] === "function") {
    throw new Error(
      "merchant payments: withMerchantPayments was given a promise in medusa-config. Medusa does " +
        "not wait for one and would start without these settings: give it the configuration itself.",
    )
  }
  if (!isEntry(given)) {
    throw new Error(
      "merchant payments: withMerchantPayments in medusa-config needs the store's configuration, " +
        `as defineConfig answers it, and was given ${given === null ? "null" : typeof given}.`,
    )
  }
  return given["default"] === undefined ? given : readable(given["default"])
}

/** The options of both halves: those that are given, else those that a half has by hand. */
function optionsIn(config: object, given: PluginOptions): unknown {
  const { plugins = [] }: Config = config
  const providers = paymentProvidersIn(config).filter(isOurProvider)
  const named = providers.find(({ id }) => id !== PROVIDER_ID)
  if (named) {
    throw new Error(
      `merchant payments: medusa-config names the payment providers "${String(named["id"])}". ` +
        `Their id has to be "${PROVIDER_ID}".`,
    )
  }
  const all: readonly unknown[] = [given, ...plugins.filter(isOurPlugin).map(ownOptions)]
  const [first = {}, ...others] = [...all, ...providers.map(ownOptions)].filter(hasAny)
  if (others.some((one) => !isDeepStrictEqual(one, first))) {
    throw new Error(
      "merchant payments: medusa-config has the plugin's options more than once, and they differ. " +
        "Keep them in withMerchantPayments alone.",
    )
  }
  return first
}

const ownOptions = (entry: unknown): unknown => (isEntry(entry) ? entry.options : undefined)
const hasAny = (options: unknown) => isEntry(options) && Object.keys(options).length > 0

function withProvider(modules: unknown, provider: object): unknown {
  if (modules === undefined || Array.isArray(modules)) {
    const list: unknown[] = modules ?? []
    return list.some(isPaymentModule)
      ? list.map((entry) => (isPaymentModule(entry) ? addedTo(entry, provider) : entry))
      : [...list, addedTo({ resolve: PAYMENT_MODULE }, provider)]
  }
  const record = { ...(modules as Record<string, unknown>) }
  const entry = record[PAYMENT_KEY]
  record[PAYMENT_KEY] = addedTo(isEntry(entry) ? entry : { resolve: PAYMENT_MODULE }, provider)
  return record
}

function addedTo(entry: Entry, provider: object): Entry {
  const options = isEntry(entry.options) ? entry.options : {}
  const others = providersOf(entry).filter((one) => !isOurProvider(one))
  return { ...entry, options: { ...options, providers: [...others, provider] } }
}

/**
 * The package's name where the shop has it installed; else this folder, for development of the
 * plugin.
 */
function pluginPath(): string {
  try {
    require.resolve(`${PACKAGE}/package.json`, { paths: [process.cwd()] })
    return PACKAGE
  } catch {
    return path.resolve(__dirname, "../../..")
  }
}
