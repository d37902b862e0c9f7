/** Turns the command line into options. Every flag has its sentence in `HELP`. */
import { parseArgs } from "node:util"

import type { SimulatorOptions } from "./options"

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
  --fee-bearer WHO     PAYEE or PAYER (default PAYEE)
  --book FILE          keeps the payments in a file between starts
  --help               this text
`

/** The options, or `"help"`. Throws a sentence for a flag that is unknown or makes no sense. */
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
      "fee-bearer": { type: "string" },
      book: { type: "string" },
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
    ...given("feeBearer", feeBearerOf(values["fee-bearer"])),
    ...given("bookFile", values.book),
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
