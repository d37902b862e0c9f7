/** Turns the command line into options. Every flag has its sentence in `HELP`. */
import { parseArgs } from "node:util"

import { isFaultEntry, type FaultEntry, type RandomFaults } from "./faults"
import type { SimulatorOptions } from "./options"
import { isHabit, TEMPERS, type Habit } from "./wire/habits"

export const HELP = `Usage: merchant-payments-simulator [options]

Plays the Merchant Payments API for development and tests. It moves no money.

  --port N             port to listen on (default 4102; 0 takes any free one)
  --host NAME          address to listen on (default localhost: this machine only)
  --public-url URL     origin of the hosted payment pages (default: its own address)
  --client-id ID       accepted client id (default simulator-client)
  --client-secret S    accepted client secret (default simulator-secret)
  --seed TEXT          same seed, same ids and tokens
  --speed N            divides every delay of a scenario or plan (default 1)
  --latency MS         holds back every answer of the API (default 0)
  --status-lag MS      an execution's status is 404 for so long after it was carried out (default 0)
  --new-token-ends-former
                       a client's new token ends its former ones, which then answer 401
  --token-valid-after MS
                       a token answers 401 for so long after it was issued (default 0)
  --session-life MS    how long a checkout session can be executed (default 900000)
  --fee-bearer WHO     PAYEE or PAYER (default PAYEE)
  --unverified         merchants start unverified: money out, payment links and hosted pages
                       answer 403 until the portal verifies them
  --prompted-source S  what a source reads while a prompt waits on the phone: PROCESSING or ACTIVE,
                       which can be canceled (default PROCESSING)
  --passcode CODE      passcode of payouts (default 246810)
  --hide-payment-intents
                       execution answers carry no payment_intent_id, as documented
  --refund-currency OF whose currency a refund's amount is in: SOURCE, PAYER or PAYEE
                       (default SOURCE)
  --partial-refunds H  CAPPED by what was paid, only ONCE, or UNCAPPED in their sum
                       (default CAPPED)
  --wire TEMPER        how answers are written: tidy, as the contract says; loose, with harmless
                       differences of form; odd, with all that an honest gateway may do
                       (default tidy)
  --habit NAME         one habit of the wire, beside those of the temper; may be given several times
  --book FILE          keeps the payments in a file between starts
  --fault OP=KINDS     faults of the next calls of an operation, as in
                       executeCollection=ok,500:after; may be given several times
  --faults-random RATE share of all calls that go wrong, 0 to 1 (default 0)
  --faults-seed TEXT   same seed, same faults (default: that of --seed)
  --requests-per-second N
                       calls a merchant may make; one more answers 429 (default 0: any number)
  --help               this text
`

/** The options, or `"help"`. Throws a sentence for an unknown or invalid flag. */
export function optionsFrom(argv: readonly string[]): SimulatorOptions | "help" {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: "string" },
      host: { type: "string" },
      "public-url": { type: "string" },
      "client-id": { type: "string" },
      "client-secret": { type: "string" },
      seed: { type: "string" },
      speed: { type: "string" },
      latency: { type: "string" },
      "status-lag": { type: "string" },
      "new-token-ends-former": { type: "boolean" },
      "token-valid-after": { type: "string" },
      "session-life": { type: "string" },
      "fee-bearer": { type: "string" },
      unverified: { type: "boolean" },
      "prompted-source": { type: "string" },
      passcode: { type: "string" },
      "hide-payment-intents": { type: "boolean" },
      "refund-currency": { type: "string" },
      "partial-refunds": { type: "string" },
      wire: { type: "string" },
      habit: { type: "string", multiple: true },
      book: { type: "string" },
      fault: { type: "string", multiple: true },
      "faults-random": { type: "string" },
      "faults-seed": { type: "string" },
      "requests-per-second": { type: "string" },
      help: { type: "boolean" },
    },
  })
  if (values.help) return "help"
  return {
    ...given("port", numberOf("port", values.port)),
    ...given("host", values.host),
    ...given("publicUrl", values["public-url"]),
    ...given("clientId", values["client-id"]),
    ...given("clientSecret", values["client-secret"]),
    ...given("seed", values.seed),
    ...given("speed", numberOf("speed", values.speed)),
    ...given("latencyMs", numberOf("latency", values.latency)),
    ...given("statusLagMs", numberOf("status-lag", values["status-lag"])),
    ...(values["new-token-ends-former"] ? { newTokenEndsFormer: true } : {}),
    ...given("tokenValidAfterMs", numberOf("token-valid-after", values["token-valid-after"])),
    ...given("sessionLifeMs", numberOf("session-life", values["session-life"])),
    ...given("feeBearer", feeBearerOf(values["fee-bearer"])),
    ...(values.unverified ? { isVerified: false } : {}),
    ...given(
      "promptedSource",
      oneOf("prompted-source", ["PROCESSING", "ACTIVE"], values["prompted-source"]),
    ),
    ...given("passcode", values.passcode),
    ...(values["hide-payment-intents"] ? { showsPaymentIntent: false } : {}),
    ...given(
      "refundCurrency",
      oneOf("refund-currency", ["SOURCE", "PAYER", "PAYEE"], values["refund-currency"]),
    ),
    ...given(
      "partialRefunds",
      oneOf("partial-refunds", ["CAPPED", "ONCE", "UNCAPPED"], values["partial-refunds"]),
    ),
    ...given("wire", oneOf("wire", TEMPERS, values.wire)),
    ...given("habits", habitsFrom(values.habit)),
    ...given("bookFile", values.book),
    ...given("faults", scriptsOf(values.fault)),
    ...given("randomFaults", randomOf(values["faults-random"], values["faults-seed"], values.seed)),
    ...given("requestsPerSecond", numberOf("requests-per-second", values["requests-per-second"])),
  }
}

const given = <K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> => {
  const options: Partial<Record<K, V>> = {}
  if (value !== undefined) options[key] = value
  return options
}

function numberOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`--${flag} wants a number, not "${text}".`)
  return Number(text)
}

function feeBearerOf(text: string | undefined): "PAYER" | "PAYEE" | undefined {
  if (text === undefined || text === "PAYER" || text === "PAYEE") return text
  throw new Error(`--fee-bearer wants PAYER or PAYEE, not "${text}".`)
}

function habitsFrom(names: readonly string[] | undefined): readonly Habit[] | undefined {
  const unknown = names?.find((name) => !isHabit(name))
  if (unknown !== undefined) throw new Error(`--habit wants a habit of the wire, not "${unknown}".`)
  return names?.filter(isHabit)
}

function scriptsOf(texts: readonly string[] | undefined): SimulatorOptions["faults"] {
  if (texts === undefined) return undefined
  const scripts: Record<string, FaultEntry[]> = {}
  for (const text of texts) {
    const [, operation = "", list = ""] = /^(\w+)=(.+)$/.exec(text) ?? []
    const entries = list.split(",").filter(isFaultEntry)
    if (operation === "" || entries.length !== list.split(",").length) {
      throw new Error(`--fault wants OPERATION=KIND,KIND, not "${text}".`)
    }
    scripts[operation] = [...(scripts[operation] ?? []), ...entries]
  }
  return scripts
}

const DEFAULT_FAULTS_SEED = "1"

function randomOf(
  rate: string | undefined,
  seed: string | undefined,
  generalSeed: string | undefined,
): RandomFaults | undefined {
  const share = numberOf("faults-random", rate)
  if (share === undefined) return undefined
  if (share > 1) throw new Error(`--faults-random wants a share from 0 to 1, not "${share}".`)
  return { rate: share, seed: seed ?? generalSeed ?? DEFAULT_FAULTS_SEED }
}

function oneOf<const T extends string>(
  flag: string,
  allowed: readonly T[],
  text: string | undefined,
): T | undefined {
  const found = allowed.find((one) => one === text)
  if (text === undefined || found !== undefined) return found
  throw new Error(`--${flag} wants one of ${allowed.join(", ")}, not "${text}".`)
}
