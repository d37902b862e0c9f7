// @ts-check
/**
 * `npm run tarballs -- DIR`: the packages as files to install from, in a folder that is made where
 * it is missing. Builds what is stale. The plugin's own file is all that a store needs; the others
 * are for storefronts (the kit), for development (the simulator) and for programs without Medusa
 * (the gateway's client).
 */
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import { createRequire } from "node:module"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"

const require = createRequire(import.meta.url)
const {
  buildCheckout,
  buildGateway,
  buildPlugin,
  buildSimulator,
} = require("../demo/run/build.cjs")
const { npm } = require("../demo/run/install.cjs")

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..")
const [asked] = process.argv.slice(2)
if (!asked) {
  console.error("Which folder? For example: npm run tarballs -- ../my-store/vendor")
  process.exit(2)
}
// npm runs its scripts in the checkout, and a person means the folder where they are.
const folder = path.resolve(process.env["INIT_CWD"] ?? process.cwd(), asked)
const logs = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-build-"))
const say = (/** @type {string} */ line) => console.log(line)
const context = { root, logs, say, signal: new AbortController().signal }
try {
  for (const build of [buildPlugin, buildGateway, buildSimulator, buildCheckout]) {
    await build(context)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
fs.rmSync(logs, { recursive: true })
fs.mkdirSync(folder, { recursive: true })
for (const of of [
  [],
  ["--workspace", "packages/gateway"],
  ["--workspace", "packages/simulator"],
  ["--workspace", "packages/checkout"],
]) {
  const [command, ...args] = [...npm(), "pack", "--pack-destination", folder, ...of]
  const { status, stderr, stdout } = spawnSync(command, args, { cwd: root, encoding: "utf8" })
  if (status !== 0) {
    console.error(stderr)
    process.exit(1)
  }
  console.log(path.join(folder, stdout.trim().split("\n").at(-1) ?? ""))
}
