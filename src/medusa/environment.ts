/**
 * The environment and the plugin's options, read once at boot. A wrong variable is reported and
 * ignored, so the shop still boots and sells with its other providers.
 */
import { z } from "zod"
import type { ClientFacts } from "../accounts/deps"
import { changedPolicies, NO_POLICIES, type Amounts } from "../core/account-policies"
import { LIMITS } from "../core/limits"
import { parseCurrency } from "../core/money"
import { ownStateWords } from "../core/decide/state-words"
import { parseBaseUrl } from "../gateway"
import type { Account } from "../ledger/accounts/find-accounts"
import type { Settings } from "../engine/deps"

/** The id of the environment's account in `mp_account`. */
export const ENVIRONMENT_ACCOUNT_ID = "mpacc_env"

const amount = z.number().nonnegative()
/** Amounts by currency code. A single number applies to every currency. */
const amounts = z
  .union([amount, z.record(z.string().regex(/^[A-Z]{3}$/), amount)])
  .transform((given): Amounts => (typeof given === "number" ? { "*": given } : given))

const minutes = z.int().min(1).max(1_440)

/**
 * The account's fields that the plugin's options and an admin's request share; each is optional.
 */
export const accountFields = <T extends z.ZodType>(policyAmounts: T) => ({
  source_kind: z.enum(["ORDER", "INVOICE"]).optional(),
  fee_bearer: z.enum(["PAYER", "PAYEE"]).nullish(),
  order_placement: z.enum(["pay_first", "order_first"]).optional(),
  push_window_minutes: minutes.optional(),
  hosted_window_minutes: minutes.optional(),
  checks_per_second_max: z.int().min(1).max(1_000).optional(),
  policies: z
    .strictObject({
      place_late_money: z.boolean().optional(),
      refund_orphans: z.boolean().optional(),
      refund_currency: z.literal("SOURCE").nullish(),
      refund_second_admin_above: policyAmounts.nullish(),
      money_out: z.boolean().optional(),
      money_out_daily_cap: policyAmounts.nullish(),
      money_out_second_admin_above: policyAmounts.nullish(),
      money_out_by_api_key: z.boolean().optional(),
    })
    .optional(),
})

/** `options.account` of `withMerchantPayments`: settings of the environment's account. */
export const accountOptions = z.strictObject({
  ...accountFields(amounts),
  currencies: z.array(z.string().length(3)).min(1).optional(),
  wire_names: z.record(z.string(), z.string()).optional(),
  realtime_url: z.string().nullish(),
})

const pluginOptions = z.object({ account: accountOptions.optional() })

export type PluginOptions = z.input<typeof pluginOptions>

export type Environment = {
  readonly settings: Settings
  readonly account: Account | undefined
  readonly credentials: ClientFacts | undefined
  /** Where each field of the account comes from: a variable, an option, or `default`. */
  readonly sources: Readonly<Record<string, string>>
  /** A sentence for the log about each missing or wrong value. */
  readonly problems: readonly string[]
}

export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  options: unknown,
): Environment {
  const problems: string[] = []
  const parsedOptions = pluginOptions.safeParse(options ?? {})
  if (!parsedOptions.success) {
    problems.push(`The plugin's options are not valid: ${z.prettifyError(parsedOptions.error)}`)
  }
  const credentials = readCredentials(variables, problems)
  return {
    credentials,
    account: credentials && accountOf(credentials, parsedOptions.data?.account ?? {}, problems),
    settings: {
      storefrontOrigins: readOrigins(variables["MERCHANT_PAYMENTS_STOREFRONT_ORIGINS"], problems),
      publicUrl: readOrigin(variables, "MERCHANT_PAYMENTS_PUBLIC_URL", problems),
    },
    sources: sourcesOf(parsedOptions.data?.account ?? {}),
    problems,
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
      ...from(options.policies ?? {}, Object.keys(NO_POLICIES), "policies."),
    ]),
  }
}

function readCredentials(
  variables: Readonly<Record<string, string | undefined>>,
  problems: string[],
): ClientFacts | undefined {
  const names = ["BASE_URL", "CLIENT_ID", "CLIENT_SECRET"].map(
    (name) => `MERCHANT_PAYMENTS_${name}`,
  )
  const missing = names.filter((name) => !variables[name])
  if (missing.length > 0) {
    problems.push(
      `No payments are offered: set ${missing.join(", ")} ` +
        "(from the API keys section of the merchant portal).",
    )
    return undefined
  }
  const [baseUrl = "", clientId = "", clientSecret = ""] = names.map((name) => variables[name])
  try {
    return { baseUrl: parseBaseUrl(baseUrl), clientId, clientSecret }
  } catch (error) {
    problems.push(
      `No payments are offered: MERCHANT_PAYMENTS_BASE_URL is not usable. ${String(error)}`,
    )
    return undefined
  }
}

function accountOf(
  credentials: ClientFacts,
  options: z.infer<typeof accountOptions>,
  problems: string[],
): Account {
  const asked = options.currencies ?? ["USD", "LRD", "RWF"]
  const currencies = asked.flatMap((code) => {
    const currency = parseCurrency(code)
    if (!currency) problems.push(`account.currencies: ${code} is no currency code; left out.`)
    return currency ?? []
  })
  const windowMs = (given: number | undefined, fallback: number) =>
    given === undefined ? fallback : given * 60_000
  return {
    id: ENVIRONMENT_ACCOUNT_ID,
    label: "Environment",
    baseUrl: credentials.baseUrl,
    sourceType: options.source_kind ?? "ORDER",
    feeBearer: options.fee_bearer ?? null,
    orderPlacement: options.order_placement ?? "pay_first",
    currencies,
    wireNames: wireNamesIn(options.wire_names ?? {}, problems),
    pushWindowMs: windowMs(options.push_window_minutes, LIMITS.pushWindowMs),
    hostedWindowMs: windowMs(options.hosted_window_minutes, LIMITS.hostedWindowMs),
    checksPerSecondMax: options.checks_per_second_max,
    policies: changedPolicies(NO_POLICIES, options.policies ?? {}),
    realtimeUrl: realtimeUrlIn(options.realtime_url ?? null, problems),
    isDefault: true,
  }
}

function wireNamesIn(
  names: Readonly<Record<string, string>>,
  problems: string[],
): Readonly<Record<string, string>> {
  const { wrong } = ownStateWords(names)
  for (const name of wrong) {
    problems.push(`account.wire_names: ${name} names no state, or words of another; left out.`)
  }
  return Object.fromEntries(Object.entries(names).filter(([name]) => !wrong.includes(name)))
}

function realtimeUrlIn(text: string | null, problems: string[]): string | null {
  try {
    return text === null ? null : parseBaseUrl(text)
  } catch (error) {
    problems.push(`account.realtime_url is not usable; left out. ${String(error)}`)
    return null
  }
}

function readOrigins(text: string | undefined, problems: string[]): string[] {
  const origins = (text ?? "").split(",").map((entry) => entry.trim())
  return origins.filter(Boolean).flatMap((entry) => {
    const origin = originIn(entry)
    if (!origin) {
      problems.push(`MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: ${entry} is no origin; left out.`)
    }
    return origin ?? []
  })
}

function readOrigin(
  variables: Readonly<Record<string, string | undefined>>,
  name: string,
  problems: string[],
): string | undefined {
  const text = variables[name]?.trim()
  if (!text) {
    problems.push(`${name} is not set: the hosted payment page is not offered.`)
    return undefined
  }
  const origin = originIn(text)
  if (!origin) problems.push(`${name} has to be an origin, for example https://api.shop.example.`)
  return origin
}

function originIn(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isWeb = url.protocol === "https:" || url.protocol === "http:"
  const isBare = url.pathname === "/" && url.search === "" && url.username === ""
  return isWeb && isBare ? url.origin : undefined
}
