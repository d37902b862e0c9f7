// @ts-check
/** An older version of the product in a worktree of its own, for the tests of upgrades. */
const { execFileSync, spawnSync } = require("node:child_process")
const fs = require("node:fs")
const os = require("node:os")
const path = require("node:path")
const { isInstalled, npm } = require("../demo/run/install.cjs")

/**
 * Each release's commit, the last release last: not every clone has the tags.
 * @type {Record<string, string>}
 */
const RELEASES = require("./releases.json")
const LAST_RELEASE = Object.keys(RELEASES).at(-1) ?? ""
const ROOT = path.resolve(__dirname, "..")
const [NPM, ...FIRST] = npm()

/**
 * @typedef {object} OldVersion
 * @property {string} folder its checkout, with the dependencies that its own lock file names
 * @property {() => void} remove
 */

/** @param {string} ref a release, branch or commit */
const commitOf = (ref) => RELEASES[ref] ?? ref

/**
 * @param {string} ref a release, branch or commit
 * @returns {boolean}
 */
const isKnown = (ref) =>
  spawnSync("git", ["rev-parse", "--quiet", "--verify", `${commitOf(ref)}^{commit}`], { cwd: ROOT })
    .status === 0

/**
 * @param {string} ref a release, branch or commit
 * @returns {OldVersion}
 * @throws where git knows no such version, or its dependencies can't be installed
 */
function checkOut(ref) {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-old-"))
  const folder = path.join(temporary, "worktree")
  git("worktree", "add", "--detach", folder, commitOf(ref))
  const remove = () => {
    git("worktree", "remove", "--force", folder)
    fs.rmSync(temporary, { recursive: true, force: true })
  }
  try {
    installIn(folder)
  } catch (error) {
    remove()
    throw error
  }
  return { folder, remove }
}

/**
 * @param {string} folder
 * @param {string[]} args
 */
function runNpm(folder, ...args) {
  execFileSync(NPM, [...FIRST, ...args], { cwd: folder, stdio: "inherit" })
}

/**
 * Gives the worktree what its lock file names: this checkout's packages where it names the same
 * ones, linked, because nothing writes into them; else a new install.
 * @param {string} folder
 */
function installIn(folder) {
  const lock = (/** @type {string} */ at) => fs.readFileSync(path.join(at, "package-lock.json"))
  const isSame = lock(folder).equals(lock(ROOT)) && isInstalled(ROOT)
  if (!isSame || !isLinked(folder)) {
    runNpm(folder, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
  }
}

/**
 * Links the checkout's installed packages; where links can't be made, nothing is left of them.
 * @param {string} folder
 */
function isLinked(folder) {
  const packages = fs.readdirSync(path.join(ROOT, "packages")).map((name) => `packages/${name}`)
  const folders = [".", ...packages].map((name) => path.join(name, "node_modules"))
  const there = folders.filter((name) => fs.existsSync(path.join(ROOT, name)))
  const isDone = there.every((name) => {
    const [from, to] = [path.join(ROOT, name), path.join(folder, name)]
    return spawnSync("cp", ["-al", from, to], { stdio: "ignore" }).status === 0
  })
  if (!isDone) {
    for (const name of there) fs.rmSync(path.join(folder, name), { recursive: true, force: true })
  }
  return isDone
}

/** @param {string[]} args */
function git(...args) {
  execFileSync("git", args, { cwd: ROOT, stdio: "inherit" })
}

module.exports = { checkOut, commitOf, isKnown, LAST_RELEASE, runNpm }
