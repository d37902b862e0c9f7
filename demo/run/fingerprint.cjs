// @ts-check
/**
 * Whether something that was built is stale: a hash over the content of what it is built from,
 * kept beside the installed packages, so that a new install builds anew. Time stamps say nothing
 * after a `git clone` or a `cp`.
 */
const { createHash } = require("node:crypto")
const fs = require("node:fs")
const path = require("node:path")

const SKIPPED_FOLDERS = new Set(["node_modules", ".medusa", ".demo", "dist"])
const SKIPPED_FILES = /\.spec\.tsx?$/

/**
 * @param {string} root
 * @param {readonly string[]} inputs files and folders; missing ones count as missing
 * @param {{ isOutput?: boolean }} [options] outputs lie in folders that are skipped otherwise
 * @returns {string}
 */
function fingerprint(root, inputs, { isOutput = false } = {}) {
  const hash = createHash("sha256")
  for (const input of inputs) {
    for (const file of filesBelow(path.join(root, input), isOutput)) {
      hash.update(`${path.relative(root, file)}\0`)
      hash.update(createHash("sha256").update(fs.readFileSync(file)).digest())
    }
  }
  return hash.digest("hex")
}

/**
 * @param {string} place
 * @param {boolean} isOutput
 * @returns {string[]} sorted, so that the order of the disk does not matter
 */
function filesBelow(place, isOutput) {
  const found = fs.statSync(place, { throwIfNoEntry: false })
  if (!found) return []
  if (found.isFile()) return [place]
  return fs
    .readdirSync(place, { withFileTypes: true })
    .filter((entry) => isOutput || !(entry.isDirectory() && SKIPPED_FOLDERS.has(entry.name)))
    .filter((entry) => isOutput || !SKIPPED_FILES.test(entry.name))
    .map((entry) => path.join(place, entry.name))
    .sort()
    .flatMap((child) => filesBelow(child, isOutput))
}

/** @param {string} root */
const stampFolder = (root) => path.join(root, "node_modules/.cache/merchant-payments-demo")

/**
 * @param {string} root
 * @param {string} name
 * @param {string} print
 * @returns {boolean}
 */
function isFresh(root, name, print) {
  try {
    return fs.readFileSync(path.join(stampFolder(root), name), "utf8") === print
  } catch {
    return false
  }
}

/**
 * @param {string} root
 * @param {string} name
 * @param {string | null} print null forgets
 */
function stamp(root, name, print) {
  const folder = stampFolder(root)
  if (print === null) return fs.rmSync(path.join(folder, name), { force: true })
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, name), print)
}

module.exports = { fingerprint, isFresh, stamp, stampFolder }
