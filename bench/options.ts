/** The command line of `npm run bench`. */
import { parseArgs } from "node:util"
import { StartFailure } from "../demo/run/failure.cjs"

export type BenchOptions = {
  /** Names of the figures to measure, in their own order. */
  readonly names: readonly string[]
  /** Where the figures are written as JSON, if anywhere. */
  readonly jsonFile: string | undefined
  /** The page of the documents whose table gets the measured rows, if any. */
  readonly pageFile: string | undefined
  /** How many reads `client_rss_growth_mb` makes, if not its own million. */
  readonly calls: number | undefined
}

/** The figures there are, in their order, and those that are measured when none is asked for. */
export type KnownFigures = { readonly all: readonly string[]; readonly usual: readonly string[] }

/** @throws StartFailure, a sentence, for a figure that does not exist or a number that is none */
export function readBenchOptions(
  argv: readonly string[],
  { all: known, usual }: KnownFigures,
): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: "string" },
      all: { type: "boolean" },
      json: { type: "string" },
      page: { type: "string" },
      calls: { type: "string" },
    },
  })
  if (values.all && values.only !== undefined) {
    throw new StartFailure("--all measures every figure, and --only some: name one of the two.")
  }
  const asked = values.only?.split(",").map((name) => name.trim())
  const unknown = asked?.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new StartFailure(`There is no figure "${unknown}". There are: ${known.join(", ")}.`)
  }
  if (values.calls !== undefined && !/^[1-9]\d{0,8}$/.test(values.calls)) {
    throw new StartFailure(`--calls takes a whole number above 0, not "${values.calls}".`)
  }
  return {
    names: known.filter((name) => values.all === true || (asked ?? usual).includes(name)),
    jsonFile: values.json,
    pageFile: values.page,
    calls: values.calls === undefined ? undefined : Number(values.calls),
  }
}
