// @ts-check
/**
 * `npm run bench`: measures what the product promises about speed, each figure against what it is
 * compared with in the same run, prints a table and ends with 1 when a limit is passed.
 *
 * It needs installed dependencies and nothing else: what is stale is built, the database is a
 * throw-away one, and all ports are free ones.
 */
import { createRequire } from "node:module"

// The simulator is on this machine and speaks http, which production does not.
process.env["NODE_ENV"] ??= "test"

const require = createRequire(import.meta.url)
require("./support/load-typescript.cjs")
const { main } = require("./main")

await main(process.argv.slice(2))
