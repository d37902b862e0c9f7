/** The command line of `npm run bench`. */
import { parseArgs } from "node:util"
import { StartFailure } from "../demo/run/failure.cjs"

export type BenchOptions = {
  /** Names of the figures to measure, in their own order. */
  readonly names: readonly string[]
  /** Where the figures are written as JSON, if anywhere. */
  readonly jsonFile: string | undefined
}

/** @throws StartFailure, a sentence, for a flag or a figure that does not exist */
export function readBenchOptions(argv: readonly string[], known: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: { only: { type: "string" }, json: { type: "string" } },
  })
  const asked = values.only?.split(",").map((name) => name.trim())
  const unknown = asked?.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new StartFailure(`There is no figure "${unknown}". There are: ${known.join(", ")}.`)
  }
  return {
    names: known.filter((name) => asked?.includes(name) ?? true),
    jsonFile: values.json,
  }
}
