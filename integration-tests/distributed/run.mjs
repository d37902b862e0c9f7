// @ts-check
/**
 * `npm run test:distributed`: several servers and workers of a real store, on a real PostgreSQL and
 * a real Redis, while processes die, freeze and lose both. Ends with 1 when a promise about money
 * is broken.
 *
 * DATABASE_URL and REDIS_URL name the services; a database of its own is made and dropped.
 */
import { createRequire } from "node:module"

process.env["NODE_ENV"] ??= "test"

const require = createRequire(import.meta.url)
require("../../bench/support/load-typescript.cjs")
const { main } = require("./main.ts")

await main(process.argv.slice(2))
