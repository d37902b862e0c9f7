// @ts-check
/**
 * `npm run test:node -- 24`: the default run with another version of Node, the one that the npm
 * package `node` has for it. What follows goes to `npm test`: `-- 24 unit modules`.
 */
import { execFileSync, spawnSync } from "node:child_process"
import fs from "node:fs"
import { createRequire } from "node:module"
import os from "node:os"
import path from "node:path"
import { ROOT } from "./testing/parts.mjs"

const { npm } = createRequire(import.meta.url)("../demo/run/install.cjs")

const [version, ...asked] = process.argv.slice(2)
if (!version || !/^\d+(\.\d+){0,2}$/.test(version)) {
  console.error("Which Node? For example: npm run test:node -- 24")
  process.exit(2)
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-node-"))
process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }))
fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true }))
const [command, ...args] = npm()
// The package's own script fetches the interpreter for this machine from the registry.
execFileSync(
  command,
  [...args, "install", `node@${version}`, "--no-audit", "--no-fund", "--foreground-scripts"],
  { cwd: folder, stdio: "inherit" },
)
const interpreter = path.join(folder, "node_modules/node/bin/node")
const found = execFileSync(interpreter, ["--version"], { encoding: "utf8" }).trim()
console.log(`npm test with Node ${found}`)
const { status } = spawnSync(interpreter, [path.join(ROOT, "scripts/test.mjs"), ...asked], {
  cwd: ROOT,
  stdio: "inherit",
  env: {
    ...process.env,
    // What a test starts by name is this one, too.
    PATH: [path.dirname(interpreter), process.env["PATH"]].join(path.delimiter),
  },
})
process.exit(status ?? 1)
