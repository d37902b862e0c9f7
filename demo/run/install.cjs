// @ts-check
/**
 * Whether the installed packages are those of the lock file. npm leaves its own record of what it
 * installed; comparing the two costs nothing and notices a changed, a missing and a cut-short
 * install (npm writes its record last).
 */
const fs = require("node:fs")
const path = require("node:path")

/** @typedef {Record<string, { version?: string, optional?: boolean, link?: boolean }>} Packages */

/**
 * @param {string} root
 * @returns {boolean}
 */
function isInstalled(root) {
  const locked = packagesIn(path.join(root, "package-lock.json"))
  const installed = packagesIn(path.join(root, "node_modules/.package-lock.json"))
  return locked !== null && installed !== null && agrees(locked, installed)
}

/**
 * Optional packages may be missing: they are for other systems. A workspace is two entries, its
 * folder and a link to it.
 * @param {Packages} locked
 * @param {Packages} installed
 */
function agrees(locked, installed) {
  const isThere = Object.entries(locked).every(([place, { version, optional, link }]) => {
    if (place === "" || (optional && !installed[place])) return true
    const there = installed[place]
    return link ? there?.link === true : there !== undefined && there.version === version
  })
  return isThere && Object.keys(installed).every((place) => place in locked)
}

/**
 * @param {string} file
 * @returns {Packages | null}
 */
function packagesIn(file) {
  try {
    const { packages } = JSON.parse(fs.readFileSync(file, "utf8"))
    return packages ?? null
  } catch {
    return null
  }
}

/**
 * The npm that started us, else the one on the path.
 * @returns {[string, ...string[]]}
 */
function npm() {
  const own = process.env.npm_execpath
  return own && /npm-cli\.[cm]?js$/.test(own) ? [process.execPath, own] : ["npm"]
}

module.exports = { agrees, isInstalled, npm }
