/**
 * Suites that play one after the other in one process, with one store. Each makes its own carts,
 * orders and phones. A suite that is named on the command line has a store of its own.
 */
import { createRequire } from "node:module"
import path from "node:path"

const load = createRequire(__filename)

/** @param folder where the suites' files are */
export function playTogether(folder: string, suites: readonly string[]): void {
  for (const suite of suites) {
    // Its hooks are registered inside, so they are for its own tests.
    describe(suite, () => void load(path.join(folder, `${suite}.spec`)))
  }
}
