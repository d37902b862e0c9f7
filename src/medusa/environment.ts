/**
 * The environment and the plugin's options, read once at boot. A wrong variable is reported and
 * ignored, so the shop still boots and sells with its other providers.
 */
import { z } from "zod"
import type { ClientFacts } from "../accounts/deps"
import { settingShapes } from "../core/schemas/settings"
import { changedPolicies } from "../core/account-policies"
import {
  NEW_SETTINGS,
  NO_POLICIES,
  POLICY_NAMES,
  withSettings,
  type Amounts,
  type SettingName,
} from "../core/account-settings"
import { errorText } from "../core/error-text"
import { MARKET_CURRENCIES } from "../core/markets"
import { parseCurrency } from "../core/money"
import { isTimeZone } from "../core/time-zone"
import { ownStateWords } from "../core/decide/state-words"
import { type AccountId, idFrom } from "../core/ids"
import { previewOriginIn } from "../core/preview-origin"
import type { SettingProblem } from "../accounts/rules/setting-problems"
import type { HealthCode } from "../core/messages"
import { InvalidConfiguration, isProduction, parseBaseUrl } from "../gateway"
import type { Account } from "../ledger/accounts/find-accounts"
import type { Settings } from "../engine/deps"
import { proxiesIn, type Proxies } from "./proxies"

/** The id of the environment's account in `mp_account`. */
export const ENVIRONMENT_ACCOUNT_ID = idFrom<AccountId>("mpacc_env")

const amount = z.number().nonnegative()
/** Amounts by currency code. A single number applies to every currency. */
const amounts = z
  .union([amount, z.record(z.string().regex(/^[A-Z]{3}$/), amount)])
  .transform((given): Amounts => (typeof given === "number" ? { "*": given } : given))

/** `options.account` of `withMerchantPayments`: settings of the environment's account. */
export const accountOptions = z.strictObject({
  ...settingShapes<Exclude<SettingName, "label" | "base_url">>({
    amounts,
    // Empty: no payment begins, and those that have begun go on.
    currencies: z.array(z.string().length(3)),
    names: z.record(z.string(), z.string()),
    address: z.string(),
  }),
})

const pluginOptions = z.object({ account: accountOptions.optional() })

export type PluginOptions = z.input<typeof pluginOptions>

export type Environment = {
  readonly settings: Settings
  readonly account: Account | undefined
  readonly credentials: ClientFacts | undefined
  /** Where each field of the account comes from: a variable, an option, or `default`. */
  readonly sources: Readonly<Record<string, string>>
  /** Each missing or wrong value, for the log and the setup check. */
  readonly problems: readonly SettingProblem[]
  /** Whether sums of money are metrics. */
  readonly measuresMoney: boolean
  readonly proxies: Proxies
}

type Problems = SettingProblem[]

const wrong =
  (status: SettingProblem["status"]) =>
  (
    problems: Problems,
    setting: string,
    code: HealthCode,
    facts: SettingProblem["facts"] = {},
  ): void =>
    void problems.push({ setting, status, code, facts })
const warn = wrong("warning")
const fail = wrong("failed")

const ORIGINS = "MERCHANT_PAYMENTS_STOREFRONT_ORIGINS"
const PUBLIC_URL = "MERCHANT_PAYMENTS_PUBLIC_URL"
const TIME_ZONE = "MERCHANT_PAYMENTS_TIME_ZONE"
const ENCRYPTION_KEY = "MERCHANT_PAYMENTS_ENCRYPTION_KEY"
const MONEY_METRICS = "MERCHANT_PAYMENTS_MONEY_METRICS"
const PROXIES = "MERCHANT_PAYMENTS_PROXIES"
const STAGING = "MERCHANT_PAYMENTS_STAGING_SIMULATOR"

/** @param production whether addresses have to be https; default: by `NODE_ENV` */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  options: unknown,
  production: boolean = isProduction(),
): Environment {
  const problems: Problems = []
  const parsedOptions = pluginOptions.safeParse(options ?? {})
  if (!parsedOptions.success) {
    fail(problems, "account", "options_invalid", { why: z.prettifyError(parsedOptions.error) })
  }
  if (production && !variables[ENCRYPTION_KEY]?.trim()) warn(problems, ENCRYPTION_KEY, "key_unset")
  sayStaging(variables[STAGING], problems)
  const credentials = readCredentials(variables, problems)
  return {
    credentials,
    account: credentials && accountOf(credentials, parsedOptions.data?.account ?? {}, problems),
    settings: {
      ...readOrigins(variables[ORIGINS], problems, production),
      publicUrl: readPublicUrl(variables[PUBLIC_URL], problems, production),
      timeZone: readTimeZone(variables[TIME_ZONE], problems),
    },
    sources: sourcesOf(parsedOptions.data?.account ?? {}),
    problems,
    measuresMoney: variables[MONEY_METRICS]?.trim() === "true",
    proxies: readProxies(variables[PROXIES], problems),
  }
}

function sourcesOf(options: z.infer<typeof accountOptions>): Record<string, string> {
  const from = (given: object, names: readonly string[], under = "") => {
    const values: Readonly<Record<string, unknown>> = { ...given }
    return names.map((name): [string, string] => [
      `${under}${name}`,
      values[name] === undefined ? "default" : `option account.${under}${name}`,
    ])
  }
  return {
    base_url: "MERCHANT_PAYMENTS_BASE_URL",
    client_id: "MERCHANT_PAYMENTS_CLIENT_ID",
    client_secret: "MERCHANT_PAYMENTS_CLIENT_SECRET",
    ...Object.fromEntries<string>([
      ...from(options, Object.keys(accountOptions.shape)),
      ...from(options.policies ?? {}, POLICY_NAMES, "policies."),
    ]),
  }
}

function readCredentials(
  variables: Readonly<Record<string, string | undefined>>,
  problems: Problems,
): ClientFacts | undefined {
  const names = ["BASE_URL", "CLIENT_ID", "CLIENT_SECRET"].map(
    (name) => `MERCHANT_PAYMENTS_${name}`,
  )
  const missing = names.filter((name) => !variables[name])
  if (missing.length > 0) {
    const setting = missing[0] ?? ""
    const facts = { names: missing.join(", ") }
    // None of them: accounts may be typed in the admin instead.
    if (missing.length === names.length) warn(problems, setting, "credentials_unset", facts)
    else fail(problems, setting, "credentials_missing", facts)
    return undefined
  }
  const [baseUrl = "", clientId = "", clientSecret = ""] = names.map((name) => variables[name])
  try {
    return { baseUrl: parseBaseUrl(baseUrl), clientId, clientSecret }
  } catch (error) {
    fail(problems, "MERCHANT_PAYMENTS_BASE_URL", "base_url_unusable", { why: whyUnusable(error) })
    return undefined
  }
}

/** Without the name of the client's option, which no setting has. */
export const whyUnusable = (error: unknown): string =>
  error instanceof InvalidConfiguration ? error.sentence : errorText(error)

function accountOf(
  credentials: ClientFacts,
  options: z.infer<typeof accountOptions>,
  problems: Problems,
): Account {
  const asked = options.currencies ?? MARKET_CURRENCIES
  const noCodes = asked.filter((code) => !parseCurrency(code)).join(", ")
  if (noCodes) warn(problems, "account.currencies", "currency_codes_wrong", { codes: noCodes })
  return {
    ...withSettings(NEW_SETTINGS, {
      ...options,
      label: "Environment",
      base_url: credentials.baseUrl,
      currencies: [...asked],
      wire_names: wireNamesIn(options.wire_names ?? {}, problems),
      realtime_url: realtimeUrlIn(options.realtime_url ?? null, problems),
    }),
    id: ENVIRONMENT_ACCOUNT_ID,
    policies: changedPolicies(NO_POLICIES, options.policies ?? {}),
    isDefault: true,
  }
}

function wireNamesIn(
  names: Readonly<Record<string, string>>,
  problems: Problems,
): Readonly<Record<string, string>> {
  const { wrong: left } = ownStateWords(names)
  const facts = { names: left.join(", ") }
  if (left.length > 0) warn(problems, "account.wire_names", "wire_names_wrong", facts)
  return Object.fromEntries(Object.entries(names).filter(([name]) => !left.includes(name)))
}

function realtimeUrlIn(text: string | null, problems: Problems): string | null {
  try {
    return text === null ? null : parseBaseUrl(text)
  } catch (error) {
    warn(problems, "account.realtime_url", "realtime_url_unusable", { why: whyUnusable(error) })
    return null
  }
}

function readOrigins(
  text: string | undefined,
  problems: Problems,
  production: boolean,
): Pick<Settings, "storefrontOrigins" | "previewOrigins"> {
  const entries = (text ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean)
  const origins = entries.flatMap((entry) => originIn(entry) ?? [])
  const previews = entries.flatMap((entry) => previewOriginIn(entry) ?? [])
  const isKnown = (entry: string) => originIn(entry) ?? previewOriginIn(entry)
  const noOrigins = entries.filter((entry) => !isKnown(entry)).join(", ")
  if (noOrigins) fail(problems, ORIGINS, "origins_wrong", { entries: noOrigins })
  else if (entries.length === 0) warn(problems, ORIGINS, "origins_missing")
  else if (origins.length === 0) warn(problems, ORIGINS, "origins_only_previews")
  const unsafe = origins.filter((origin) => !isHttps(origin)).join(", ")
  if (production && unsafe) fail(problems, ORIGINS, "origins_http", { origins: unsafe })
  return { storefrontOrigins: origins, previewOrigins: previews }
}

function readPublicUrl(
  given: string | undefined,
  problems: Problems,
  production: boolean,
): string | undefined {
  const text = given?.trim()
  if (!text) {
    warn(problems, PUBLIC_URL, "public_url_missing")
    return undefined
  }
  const url = webAddressIn(text)
  if (!url) {
    fail(problems, PUBLIC_URL, "public_url_wrong")
    return undefined
  }
  const { origin } = url
  if (production && !isHttps(origin)) fail(problems, PUBLIC_URL, "public_url_http", { origin })
  return origin + url.pathname.replace(/\/+$/, "")
}

function readProxies(text: string | undefined, problems: Problems): Proxies {
  const { proxies, wrong: left } = proxiesIn(text)
  if (left.length > 0) fail(problems, PROXIES, "proxies_wrong", { entries: left.join(", ") })
  return proxies
}

/** The client itself reads the variable, wherever it checks an address. */
function sayStaging(given: string | undefined, problems: Problems): void {
  const text = given?.trim()
  if (!text) return
  const origin = originIn(text)
  if (origin && !isHttps(origin)) warn(problems, STAGING, "staging_store", { origin })
  else fail(problems, STAGING, "staging_wrong")
}

const isHttps = (origin: string) => origin.startsWith("https:")

function readTimeZone(text: string | undefined, problems: Problems): string | undefined {
  const name = text?.trim()
  if (!name) return undefined
  if (isTimeZone(name)) return name
  warn(problems, TIME_ZONE, "time_zone_wrong", { name })
  return undefined
}

/** A wildcard is none: a star is a character like others to the parser of addresses. */
function originIn(text: string): string | undefined {
  const url = webAddressIn(text)
  return url?.pathname === "/" && !url.hostname.includes("*") ? url.origin : undefined
}

function webAddressIn(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isWeb = url.protocol === "https:" || url.protocol === "http:"
  const isBare = url.search === "" && url.hash === "" && url.username === "" && url.password === ""
  return isWeb && isBare ? url : undefined
}
