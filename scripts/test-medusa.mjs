// @ts-check
/**
 * A short set of tests with another version of Medusa, in a copy with packages of its own: the
 * build with its extension of the admin, the types, and one suite over a real store, whose own
 * admin is built for it. This checkout stays as it is.
 *
 * `npm run test:medusa -- 2.21.0`, or `-- latest` for the newest release of the registry. A copy
 * in which something failed is kept, and its folder is named.
 */
import { execFileSync, spawnSync } from "node:child_process"
import fs from "node:fs"
import { createRequire } from "node:module"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..")
const { npm } = createRequire(import.meta.url)("../demo/run/install.cjs")
const [NPM, ...FIRST] = npm()

/** Packages of Medusa that have its version; the others follow what its dashboard asks for. */
const UI = "@medusajs/ui"
const SUITE = "integration-tests/http/settling"

/** @param {string[]} args */
const ask = (...args) => execFileSync(NPM, [...FIRST, ...args], { cwd: ROOT, encoding: "utf8" })

/** @param {string} wanted a version or a tag */
function versionOf(wanted) {
  const version = ask("view", `@medusajs/medusa@${wanted}`, "version").trim()
  if (!/^\d+\.\d+\.\d+\S*$/.test(version)) throw new Error(`"${wanted}" is no version of Medusa`)
  return version
}

/** What git would commit, and no more. @param {string} folder */
function copyTo(folder) {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: ROOT })
  for (const file of listed.toString().split("\0").filter(Boolean)) {
    const from = path.join(ROOT, file)
    if (fs.existsSync(from)) fs.cpSync(from, path.join(folder, file))
  }
}

/**
 * Lets the copy ask for one version of Medusa.
 * @param {string} folder
 * @param {string} version
 */
function pin(folder, version) {
  const { devDependencies: own } = manifestIn(folder)
  const usual = own["@medusajs/medusa"]
  const ui = ask("view", `@medusajs/dashboard@${version}`, "dependencies", "--json")
  for (const place of [folder, path.join(folder, "demo/store")]) {
    const manifest = manifestIn(place)
    for (const kind of ["dependencies", "devDependencies"]) {
      for (const name of Object.keys(manifest[kind] ?? {})) {
        if (!name.startsWith("@medusajs/")) continue
        if (manifest[kind][name] === usual) manifest[kind][name] = version
        if (name === UI) manifest[kind][name] = JSON.parse(ui)[UI]
      }
    }
    fs.writeFileSync(path.join(place, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
  }
}

/** @param {string} folder */
const manifestIn = (folder) =>
  JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"))

/** @param {string} folder @returns {readonly (readonly [string, string, ...string[]])[]} */
function stepsIn(folder) {
  const bin = (/** @type {string} */ file) => path.join(folder, "node_modules", file)
  const tsc = [process.execPath, bin("typescript/bin/tsc"), "-b"]
  return [
    ["install", NPM, ...FIRST, "install", "--no-audit", "--no-fund"],
    ["build with the admin's extension", NPM, ...FIRST, "run", "build"],
    ["types", tsc[0] ?? "", ...tsc.slice(1), "tsconfig.product.json", "src/admin/tsconfig.json"],
    ["a store", process.execPath, bin("jest/bin/jest.js"), SUITE, "--selectProjects", "http"],
  ]
}

const wanted = process.argv[2]
if (!wanted) {
  console.error("Name a version of Medusa: npm run test:medusa -- 2.21.0, or -- latest")
  process.exit(2)
}
const version = versionOf(wanted)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-medusa-"))
copyTo(folder)
pin(folder, version)
for (const [name, command, ...args] of stepsIn(folder)) {
  console.log(`Medusa ${version}: ${name}`)
  const { status } = spawnSync(command, args, { cwd: folder, stdio: "inherit" })
  if (status !== 0) {
    console.error(`Medusa ${version}: ${name} failed, in ${folder}`)
    process.exit(1)
  }
  const installed = manifestIn(path.join(folder, "node_modules/@medusajs/medusa")).version
  if (installed !== version) throw new Error(`Medusa ${installed} was installed, not ${version}`)
}
fs.rmSync(folder, { recursive: true, force: true })
console.log(`Medusa ${version}: passed`)
