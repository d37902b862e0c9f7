// @ts-check
/**
 * Plays the upgrade from an older version, and the way back to it, with that version's own package:
 * built and packed in a worktree of the ref, and unpacked there, where its dependencies are those
 * of its own lock file. `integration-tests/modules/upgrades/upgrade.spec.ts` does the rest.
 *
 * `npm run test:upgrade` takes the last release (`releases.json`), `npm run test:upgrade -- <ref>` any
 * branch or commit.
 */
import { execFileSync, spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { checkOut, LAST_RELEASE, runNpm } from "./old-version.cjs"

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..")

const ref = process.argv[2] ?? LAST_RELEASE

/**
 * @param {string} old the older version's checkout
 * @returns {string} the folder of the unpacked package
 */
function unpacked(old) {
  runNpm(old, "run", "build:plugin")
  runNpm(old, "pack", "--silent")
  const [tarball = ""] = fs.readdirSync(old).filter((file) => file.endsWith(".tgz"))
  const folder = path.join(old, "unpacked")
  fs.mkdirSync(folder)
  execFileSync("tar", ["-xzf", path.join(old, tarball), "-C", folder])
  return path.join(folder, "package")
}

let status = 1
const old = checkOut(ref)
try {
  const jest = path.join(ROOT, "node_modules/jest/bin/jest.js")
  const args = [
    jest,
    "integration-tests/modules/upgrades/upgrade.spec",
    "--selectProjects",
    "modules",
  ]
  const env = { ...process.env, UPGRADE_OLD_PACKAGE: unpacked(old.folder) }
  status = spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: "inherit" }).status ?? 1
} finally {
  old.remove()
}
console.log(`${status === 0 ? "passed" : "failed"}: the upgrade from ${ref}, and the way back`)
process.exitCode = status
