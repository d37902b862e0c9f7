// @ts-check
/**
 * Lets plain Node require the TypeScript of this folder and of what it shares with the tests, so
 * that nothing has to be built to measure. Types are dropped, not checked: `npm run typecheck`
 * does.
 */
const fs = require("node:fs")
const Module = require("node:module")
const path = require("node:path")
const { transformSync } = require("@swc/core")

/** @typedef {{ _compile(code: string, filename: string): void }} Compiled */
/** @type {Record<string, (module: Compiled, filename: string) => void>} */
// @ts-expect-error Node's types leave out the table that every loader of this kind adds itself to.
const loaders = Module._extensions

loaders[".ts"] = (module, filename) => {
  const { code } = transformSync(fs.readFileSync(filename, "utf8"), {
    filename: path.basename(filename),
    jsc: { parser: { syntax: "typescript" }, target: "es2022" },
    module: { type: "commonjs" },
    sourceMaps: "inline",
    swcrc: false,
  })
  module._compile(code, filename)
}
