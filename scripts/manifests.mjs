// @ts-check
/**
 * What the manifests of all packages have in common, written from the root's: where the repository
 * is, who made it, the licence, the version, the Node that is promised, how it is published. The
 * address stands in `repository.url` of the root's package.json and nowhere else by hand.
 *
 * `node scripts/manifests.mjs` writes, `--check` ends with 1 when it would change something, and
 * `--publishable` ends with 1 while the address is the placeholder.
 */
import fs from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { addressOf, PLACEHOLDER } from "./repository.mjs"

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..")

/** @param {string} file */
const read = (file) => fs.readFileSync(path.join(ROOT, file), "utf8")

const root = JSON.parse(read("package.json"))
const address = addressOf(root)

if (process.argv.includes("--publishable")) {
  if (!address.includes(`/${PLACEHOLDER}/`)) process.exit(0)
  console.error(
    `repository.url in package.json names ${PLACEHOLDER}: write the real address there,`,
  )
  console.error("then run node scripts/manifests.mjs.")
  process.exit(1)
}

const packages = fs
  .readdirSync(path.join(ROOT, "packages"))
  .map((name) => `packages/${name}`)
  .filter((folder) => fs.existsSync(path.join(ROOT, folder, "package.json")))

/** @type {Map<string, string>} */
const wanted = new Map()
wanted.set("package.json", json({ ...root, ...fieldsOf("") }))
// The forge's forms need whole addresses.
const FORMS = ".github/ISSUE_TEMPLATE/config.yml"
wanted.set(FORMS, read(FORMS).replace(/https:\/\/[^/\s]+\/[^/\s]+\/[^/\s]+/g, address))
for (const folder of packages) {
  const file = `${folder}/package.json`
  wanted.set(file, json({ ...JSON.parse(read(file)), ...fieldsOf(folder) }))
  wanted.set(`${folder}/LICENSE`, read("LICENSE"))
}

const stale = [...wanted].filter(([file, text]) => !exists(file) || read(file) !== text)
if (process.argv.includes("--check")) {
  for (const [file] of stale) console.error(`${file} is not as scripts/manifests.mjs writes it.`)
  process.exit(stale.length > 0 ? 1 : 0)
}
for (const [file, text] of stale) fs.writeFileSync(path.join(ROOT, file), text)

/** @param {string} folder "" for the root */
function fieldsOf(folder) {
  const { author, engines, license, publishConfig, repository, version } = root
  return {
    version,
    license,
    author,
    repository: folder ? { ...repository, directory: folder } : repository,
    homepage: folder ? `${address}/tree/main/${folder}#readme` : `${address}#readme`,
    bugs: { url: `${address}/issues` },
    engines,
    publishConfig,
  }
}

/** @param {object} manifest */
function json(manifest) {
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** @param {string} file */
function exists(file) {
  return fs.existsSync(path.join(ROOT, file))
}
