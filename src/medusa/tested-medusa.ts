/**
 * The versions of Medusa that the plugin is tested with. Package managers warn about another one
 * when it is installed, and some only then, so the store says it at boot, too.
 */
import { readFileSync } from "node:fs"
import type { SettingProblem } from "../accounts/rules/setting-problems"

/** As in the package's peers: these minor versions, in any patch. */
export const TESTED_MEDUSA = "2.21"

/** @param version of the store's Medusa; undefined: not known */
export function versionProblems(version: string | undefined): readonly SettingProblem[] {
  const [, minor] = /^(\d+\.\d+)\./.exec(version ?? "") ?? []
  if (version === undefined || minor === undefined || minor === TESTED_MEDUSA) return []
  const facts = { version, tested: TESTED_MEDUSA }
  return [{ setting: "medusa", status: "warning", code: "medusa_untested", facts }]
}

/** The store's own Medusa, which its folder has; the plugin's folder can be elsewhere. */
export function medusaVersion(): string | undefined {
  try {
    const paths = [process.cwd(), __dirname]
    const file = require.resolve("@medusajs/medusa/package.json", { paths })
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"))
    const version: unknown = Reflect.get(Object(manifest), "version")
    return typeof version === "string" ? version : undefined
  } catch {
    return undefined
  }
}
