/** What a run may do. Without each of these nothing begins: a default could spend money. */
import { moneyFromMajor, parseBaseUrl, parseCurrency, type Money } from "merchant-payments-gateway"

export type Settings = {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** The telephone of the person who runs the suite. */
  readonly phone: string
  /** The most that the whole run may spend in each currency. */
  readonly limits: readonly Money[]
  /** What one payment asks for: the smallest amount that the operators take. */
  readonly amounts: readonly Money[]
  readonly flags: ReadonlySet<string>
  readonly folder: string
}

const FLAGS = ["--yes", "--hosted", "--repeat", "--refund", "--rate"]

/** Why a run does not begin. */
export class NotBegun extends Error {
  constructor(
    readonly code: string,
    sentence: string,
  ) {
    super(sentence)
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** @throws {NotBegun} with what to do */
export function settingsFrom(env: Environment, args: readonly string[]): Settings {
  const unknown = args.find((one) => !FLAGS.includes(one))
  if (unknown !== undefined) {
    throw new NotBegun("live_flag_unknown", `Use only these flags: ${FLAGS.join(", ")}.`)
  }
  const needed = (name: string) => {
    const value = env[`MERCHANT_PAYMENTS_${name}`]?.trim()
    if (value) return value
    const why = "Set it to what the merchant portal shows."
    throw new NotBegun("live_credentials_missing", `MERCHANT_PAYMENTS_${name} is missing. ${why}`)
  }
  const baseUrl = needed("BASE_URL")
  const credentials = { clientId: needed("CLIENT_ID"), clientSecret: needed("CLIENT_SECRET") }
  try {
    parseBaseUrl(baseUrl)
  } catch {
    throw new NotBegun(
      "live_address_wrong",
      "MERCHANT_PAYMENTS_BASE_URL has to be an https origin.",
    )
  }
  const phone = env["MERCHANT_PAYMENTS_LIVE_PHONE"]?.trim() ?? ""
  if (!/^[1-9]\d{7,14}$/.test(phone)) {
    const how = "your own number, country code first, digits alone"
    throw new NotBegun("live_phone_missing", `Set MERCHANT_PAYMENTS_LIVE_PHONE to ${how}.`)
  }
  const limits = amountsIn(env, "MERCHANT_PAYMENTS_LIVE_MAX_AMOUNT")
  const isNamed = env["MERCHANT_PAYMENTS_LIVE_AMOUNT"]?.trim()
  const amounts = isNamed ? amountsIn(env, "MERCHANT_PAYMENTS_LIVE_AMOUNT") : limits.map(smallest)
  return {
    ...{ baseUrl, ...credentials, phone, flags: new Set(args) },
    ...{ limits, amounts },
    folder: env["MERCHANT_PAYMENTS_LIVE_REPORT"]?.trim() || "live-report",
  }
}

/** The least that the contract takes: 0.01, or 1 in a currency that has no cents. */
const smallest = ({ currency }: Money): Money => ({ minor: 1n, currency })

function amountsIn(
  env: Environment,
  variable: `MERCHANT_PAYMENTS_LIVE_${"AMOUNT" | "MAX_AMOUNT"}`,
): readonly Money[] {
  const wrong = () => {
    const sentence = `Set ${variable} to an amount in each currency, such as "USD=1.00,LRD=200".`
    const isLimit = variable === "MERCHANT_PAYMENTS_LIVE_MAX_AMOUNT"
    return new NotBegun(isLimit ? "live_limit_missing" : "live_amount_wrong", sentence)
  }
  const amounts = (env[variable] ?? "").split(",").map((one) => {
    const [code = "", amount = ""] = one.split("=").map((part) => part.trim())
    const currency = parseCurrency(code)
    const money = currency && /^\d+(\.\d+)?$/.test(amount) && moneyFromMajor(amount, currency)
    if (!money || money.minor <= 0n) throw wrong()
    return money
  })
  if (new Set(amounts.map(({ currency }) => currency)).size < amounts.length) throw wrong()
  return amounts
}
