// @ts-check
/**
 * `npm run demo:reset`: forgets the demo's data, logs and secrets. What was built stays; it is not
 * data, and the next start would only build it again.
 */
import { rmSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

const require = createRequire(import.meta.url)
const { readOptions } = require("./run/options.cjs")
const { databaseDir } = require("./run/database.cjs")
const { forgetPostgres } = require("./run/postgres.cjs")
const { runningDemo } = require("./run/state.cjs")

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "")
const { dir, databaseUrl } = readOptions(process.env, root)

const pid = runningDemo(dir)
if (pid) {
  console.error(`The demo runs (process ${pid}). Stop it first: Ctrl-C, or kill ${pid}`)
  process.exit(1)
}
await forgetPostgres(databaseDir(dir))
rmSync(dir, { recursive: true, force: true })
console.log(`Forgot the demo in ${dir}.`)
if (databaseUrl) console.log("The database that DATABASE_URL names was not touched.")
