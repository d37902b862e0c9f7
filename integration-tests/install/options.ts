/** The command line of `npm run test:install`. */
import { parseArgs } from "node:util"
import { StartFailure } from "../../demo/run/failure.cjs"
import { GROUND_NAMES } from "./grounds"

export type InstallOptions = {
  /** Names of grounds: package managers and starters. */
  readonly grounds: readonly string[]
  /** A folder with the older version's two tarballs; undefined: those of its tag. */
  readonly oldPlugin: string | undefined
  /** Where what was seen is written as JSON, if anywhere. */
  readonly jsonFile: string | undefined
}

/** @throws StartFailure, a sentence, for a package manager that is not known */
export function readInstallOptions(argv: readonly string[]): InstallOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: "string" },
      old: { type: "string" },
      json: { type: "string" },
    },
  })
  const asked = values.only?.split(",").map((name) => name.trim())
  const unknown = asked?.find((name) => !GROUND_NAMES.includes(name))
  if (unknown !== undefined) {
    throw new StartFailure(
      `There is no "${unknown}" to install with. There are: ${GROUND_NAMES.join(", ")}.`,
    )
  }
  return {
    grounds: GROUND_NAMES.filter((name) => asked?.includes(name) ?? true),
    oldPlugin: values.old,
    jsonFile: values.json,
  }
}
