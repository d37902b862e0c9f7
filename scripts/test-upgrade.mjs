// @ts-check
/**
 * Plays the upgrade from an older version, and the way back to it, with that version's own package:
 * built and packed in a worktree of the ref, and unpacked there, where its dependencies are those
 * of its own lock file. `integration-tests/modules/upgrade.spec.ts` does the rest.
 *
 * `npm run test:upgrade` takes the tag of the last release, `npm run test:upgrade -- <ref>` any ref.
 */
import { execFileSync, spawnSync } from "node:child_process"
import fs from "node:fs"
import { createRequire } from "node:module"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"

const LAST_RELEASE = "v0.1.0"
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..")
const { isInstalled, npm } = createRequire(import.meta.url)("../demo/run/install.cjs")
const [NPM, ...FIRST] = npm()

const ref = process.argv[2] ?? LAST_RELEASE
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-upgrade-"))
const old = path.join(temporary, "worktree")

/** @param {string[]} args */
const inOld = (...args) => execFileSync(NPM, [...FIRST, ...args], { cwd: old, stdio: "inherit" })

/**
 * Gives the worktree what its lock file names: this checkout's packages where it names the same
 * ones, linked, because nothing writes into them; else a new install.
 */
function install() {
  const lock = (/** @type {string} */ at) => fs.readFileSync(path.join(at, "package-lock.json"))
  const isSame = lock(old).equals(lock(ROOT)) && isInstalled(ROOT)
  if (!isSame || !isLinked()) inOld("ci", "--ignore-scripts", "--no-audit", "--no-fund")
}

/** Links the checkout's installed packages; where links can't be made, nothing is left of them. */
function isLinked() {
  const packages = fs.readdirSync(path.join(ROOT, "packages")).map((name) => `packages/${name}`)
  const folders = [".", ...packages].map((folder) => path.join(folder, "node_modules"))
  const there = folders.filter((folder) => fs.existsSync(path.join(ROOT, folder)))
  const isDone = there.every((folder) => {
    const [from, to] = [path.join(ROOT, folder), path.join(old, folder)]
    return spawnSync("cp", ["-al", from, to], { stdio: "ignore" }).status === 0
  })
  if (!isDone) {
    for (const folder of there) fs.rmSync(path.join(old, folder), { recursive: true, force: true })
  }
  return isDone
}

/** @returns {string} the folder of the unpacked package */
function unpacked() {
  inOld("run", "build:plugin")
  inOld("pack", "--silent")
  const [tarball = ""] = fs.readdirSync(old).filter((file) => file.endsWith(".tgz"))
  const folder = path.join(old, "unpacked")
  fs.mkdirSync(folder)
  execFileSync("tar", ["-xzf", path.join(old, tarball), "-C", folder])
  return path.join(folder, "package")
}

const git = (/** @type {string[]} */ ...args) => {
  execFileSync("git", args, { cwd: ROOT, stdio: "inherit" })
}

let status = 1
git("worktree", "add", "--detach", old, ref)
try {
  install()
  const jest = path.join(ROOT, "node_modules/jest/bin/jest.js")
  const args = [jest, "integration-tests/modules/upgrade.spec", "--selectProjects", "modules"]
  const env = { ...process.env, UPGRADE_OLD_PACKAGE: unpacked() }
  status = spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: "inherit" }).status ?? 1
} finally {
  git("worktree", "remove", "--force", old)
  fs.rmSync(temporary, { recursive: true, force: true })
}
console.log(`${status === 0 ? "passed" : "failed"}: the upgrade from ${ref}, and the way back`)
process.exitCode = status
