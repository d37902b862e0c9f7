/**
 * The two parts of the plugin in a Medusa configuration, however they are written: the plugin, and
 * its providers in the Payment module. One without the other takes no money.
 */
import { realpathSync } from "node:fs"
import path from "node:path"
import { PROVIDER_FLOWS, providerOf } from "../core/flows"

export const PACKAGE = "medusa-plugin-merchant-payments"
const PAYMENT_KEY = "payment"
/** Both names by which a configuration may load Medusa's payment module. */
const PAYMENT_MODULES: readonly unknown[] = ["@medusajs/medusa/payment", "@medusajs/payment"]
/** The folder of the package: of the built files, or of the sources. */
const ROOT = path.resolve(__dirname, __dirname.includes(".medusa") ? "../../../.." : "../..")
const PROVIDERS_FILE = /\/providers\/merchant-payments(?:\/index(?:\.[cm]?[jt]s)?)?\/?$/
const IDENTIFIERS = PROVIDER_FLOWS.map((flow) => providerOf(flow).identifier)

export type Entry = { resolve?: unknown; key?: unknown; options?: unknown } & Record<
  string,
  unknown
>

export function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

export const isPaymentModule = (entry: unknown): entry is Entry =>
  isEntry(entry) && (entry.key === PAYMENT_KEY || PAYMENT_MODULES.includes(entry.resolve))

export function isOurPlugin(entry: unknown): boolean {
  const resolve = isEntry(entry) ? entry.resolve : entry
  if (typeof resolve !== "string") return false
  return resolve === PACKAGE || (isPath(resolve) && realPath(resolve) === ROOT_PATH)
}

/** A provider is named by a package, by a path, or given as what its file exports. */
export function isOurProvider(entry: unknown): entry is Entry {
  if (!isEntry(entry)) return false
  const { resolve } = entry
  if (typeof resolve !== "string") return isOurExport(resolve)
  const file = resolve.replaceAll("\\", "/")
  if (!PROVIDERS_FILE.test(file)) return false
  return file.includes(PACKAGE) || (isPath(file) && realPath(file).startsWith(INSIDE))
}

function isOurExport(given: unknown): boolean {
  const exported = isEntry(given) && isEntry(given["default"]) ? given["default"] : given
  const services: unknown = isEntry(exported) ? exported["services"] : undefined
  if (!Array.isArray(services)) return false
  const identifiers = services.map((one: unknown): unknown =>
    Reflect.get(Object(one), "identifier"),
  )
  return IDENTIFIERS.every((identifier) => identifiers.includes(identifier))
}

/** Where links lead, so that pnpm's folders and a path name the same package. */
function realPath(given: string): string {
  try {
    return realpathSync(path.resolve(given))
  } catch {
    return path.resolve(given)
  }
}

const isPath = (given: string) => path.isAbsolute(given) || given.startsWith(".")

const ROOT_PATH = realPath(ROOT)
const INSIDE = `${ROOT_PATH}${path.sep}`

/** The providers of the Payment module in a configuration, before or after `defineConfig`. */
export function paymentProvidersIn(config: unknown): readonly unknown[] {
  const modules: unknown = isEntry(config) ? config["modules"] : undefined
  const entries: readonly unknown[] = Array.isArray(modules)
    ? modules.filter(isPaymentModule)
    : isEntry(modules)
      ? [modules[PAYMENT_KEY]]
      : []
  return entries.flatMap(providersOf)
}

export function providersOf(entry: unknown): readonly unknown[] {
  const options: unknown = isEntry(entry) ? entry.options : undefined
  const known: unknown = isEntry(options) ? options["providers"] : undefined
  return Array.isArray(known) ? known : []
}
