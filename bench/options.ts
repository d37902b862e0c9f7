/** The command line of `npm run bench`. */
import { parseArgs } from "node:util"
import { StartFailure } from "../demo/run/failure.cjs"

export type BenchOptions = {
  /** Names of the figures to measure, in their own order. */
  readonly names: readonly string[]
  /** Where the figures are written as JSON, if anywhere. */
  readonly jsonFile: string | undefined
  /** How many reads `client_rss_growth_mb` makes, if not its own million. */
  readonly calls: number | undefined
}

/** @throws StartFailure, a sentence, for a figure that does not exist or a number that is none */
export function readBenchOptions(argv: readonly string[], known: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: { only: { type: "string" }, json: { type: "string" }, calls: { type: "string" } },
  })
  const asked = values.only?.split(",").map((name) => name.trim())
  const unknown = asked?.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new StartFailure(`There is no figure "${unknown}". There are: ${known.join(", ")}.`)
  }
  if (values.calls !== undefined && !/^[1-9]\d{0,8}$/.test(values.calls)) {
    throw new StartFailure(`--calls takes a whole number above 0, not "${values.calls}".`)
  }
  return {
    names: known.filter((name) => asked?.includes(name) ?? true),
    jsonFile: values.json,
    calls: values.calls === undefined ? undefined : Number(values.calls),
  }
}
