/** The command line of `npm run test:install`. */
import { parseArgs } from "node:util"
import { StartFailure } from "../../demo/run/failure.cjs"
import { MANAGERS, type Manager } from "./managers"

export type InstallOptions = {
  readonly managers: readonly Manager[]
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
  const names = MANAGERS.map(({ name }) => name)
  const asked = values.only?.split(",").map((name) => name.trim())
  const unknown = asked?.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new StartFailure(`There is no manager "${unknown}". There are: ${names.join(", ")}.`)
  }
  return {
    managers: MANAGERS.filter(({ name }) => asked?.includes(name) ?? true),
    oldPlugin: values.old,
    jsonFile: values.json,
  }
}
