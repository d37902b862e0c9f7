/**
 * Finds the nearest `contract/openapi.json` upwards. That is the package's own, from the source
 * folder and from the compiled one.
 */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** The parsed contract. Throws a sentence if the package was installed without it. */
export function readContract(from: string = __dirname): unknown {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, "contract", "openapi.json")
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"))
    if (folder === dirname(folder)) {
      throw new Error("The simulator cannot find contract/openapi.json in its package.")
    }
  }
}
