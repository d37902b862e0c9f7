// @ts-check
/**
 * `npm run proof`: proves the promises about money, against real processes and a real Postgres, and ends
 * with 1 when one is broken.
 *
 * It needs installed dependencies and nothing else: nothing has to be built, the database is a throw-away
 * one, and all ports are free ones.
 */
import { createRequire } from "node:module"

// The simulator is on this machine and speaks http, which production does not.
process.env["NODE_ENV"] ??= "test"

const require = createRequire(import.meta.url)
require("../../bench/support/load-typescript.cjs")
const { main } = require("./main.ts")

await main(process.argv.slice(2))
