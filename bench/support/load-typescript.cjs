// @ts-check
/**
 * Lets plain Node require the TypeScript of this folder and of what it shares with the tests, so
 * that nothing has to be built to measure. Types are dropped, not checked: `npm run typecheck`
 * does. What swc made of a file is kept by its content: the proofs start thousands of processes,
 * and each of them loads 250 files.
 */
const { createHash } = require("node:crypto")
const fs = require("node:fs")
const Module = require("node:module")
const path = require("node:path")

const KEPT = path.resolve(__dirname, "../../node_modules/.cache/load-typescript")
/** @type {import("@swc/core").Options} */
const OPTIONS = {
  jsc: { parser: { syntax: "typescript" }, target: "es2022" },
  module: { type: "commonjs" },
  swcrc: false,
}
const MAKER = `${require("@swc/core/package.json").version} ${JSON.stringify(OPTIONS)}`

/** @typedef {{ _compile(code: string, filename: string): void }} Compiled */
/** @type {Record<string, (module: Compiled, filename: string) => void>} */
// @ts-expect-error Node's types leave out the table that every loader of this kind adds itself to.
const loaders = Module._extensions

loaders[".ts"] = (module, filename) => {
  const source = fs.readFileSync(filename, "utf8")
  const base = path.basename(filename)
  const key = createHash("sha256").update(`${MAKER} ${base}\n${source}`).digest("hex")
  const kept = path.join(KEPT, `${key}.js`)
  module._compile(readIfThere(kept) ?? transform(source, base, kept), filename)
}

const CLIENT = /^merchant-payments-gateway(?:\/(terms\/.+))?$/
const CLIENT_SOURCES = path.resolve(__dirname, "../../packages/gateway/src")

const { prototype } = Module
const { require: load } = prototype
/** @param {string} id @this {Module} */
prototype.require = function (id) {
  return load.call(this, this.filename.endsWith(".ts") ? sourceOf(id) : id)
}

/**
 * @param {string} id what a source requires: the gateway's client by its package's name, and the
 * checkout kit, an ES module, by the files as they are built
 */
function sourceOf(id) {
  const [client, inner = "index"] = CLIENT.exec(id) ?? []
  if (client) return path.join(CLIENT_SOURCES, `${inner}.ts`)
  return id.startsWith(".") && id.endsWith(".js") ? id.slice(0, -".js".length) : id
}

/**
 * @param {string} file
 * @returns {string | undefined}
 */
function readIfThere(file) {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

/**
 * @param {string} source
 * @param {string} filename without its folders, so that a copy of the tree finds the same
 * @param {string} kept renamed into place whole, as other processes may read it meanwhile
 */
function transform(source, filename, kept) {
  const { transformSync } = require("@swc/core")
  const { code } = transformSync(source, { ...OPTIONS, filename })
  fs.mkdirSync(KEPT, { recursive: true })
  const draft = `${kept}.${process.pid}`
  fs.writeFileSync(draft, code)
  fs.renameSync(draft, kept)
  return code
}
