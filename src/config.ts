/**
 * `withMerchantPayments(config)` adds the plugin and its payment providers to a Medusa
 * configuration and touches nothing else. Both halves are needed (a plugin without providers offers
 * no way to pay), and this is the way not to forget one. The explicit form is in docs/install.md.
 */
import path from "node:path"
import { PROVIDER_ID } from "./core/providers"
import type { PluginOptions } from "./medusa/environment"
import { addMarketCurrencies } from "./medusa/market-currencies"

export type { PluginOptions } from "./medusa/environment"

const PACKAGE = "medusa-plugin-merchant-payments"
const PAYMENT_MODULE = "@medusajs/medusa/payment"
/** Both names by which a configuration may load Medusa's payment module. */
const PAYMENT_MODULES: readonly unknown[] = [PAYMENT_MODULE, "@medusajs/payment"]
const PAYMENT_KEY = "payment"

type Entry = { resolve?: unknown; key?: unknown; options?: unknown } & Record<string, unknown>

/** The parts of a Medusa configuration that are read here; before or after `defineConfig`. */
type Config = {
  plugins?: readonly unknown[]
  modules?: unknown
}

/**
 * @param config what is given to, or comes from, `defineConfig`
 * @param options settings of the account that environment variables define; see docs/install.md
 * @returns a new configuration; the given one is not changed
 */
export function withMerchantPayments<C extends object>(config: C, options: PluginOptions = {}): C {
  addMarketCurrencies()
  const parts: Config = config
  const resolve = pluginPath()
  const provider = {
    resolve: path.isAbsolute(resolve)
      ? path.join(resolve, ".medusa/server/src/providers/merchant-payments")
      : `${resolve}/providers/merchant-payments`,
    id: PROVIDER_ID,
    options,
  }
  return {
    ...config,
    plugins: [...(parts.plugins ?? []), { resolve, options }],
    modules: withProvider(parts.modules, provider),
  }
}

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
  const known = options["providers"]
  const providers: readonly unknown[] = Array.isArray(known) ? known : []
  return { ...entry, options: { ...options, providers: [...providers, provider] } }
}

function isPaymentModule(entry: unknown): entry is Entry {
  return isEntry(entry) && (entry.key === PAYMENT_KEY || PAYMENT_MODULES.includes(entry.resolve))
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value)
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
