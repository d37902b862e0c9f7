// @ts-check
/**
 * `npm run test:install`: follows the README's eight steps in fresh Medusa applications, one for each
 * package manager, and ends with 1 when a step fails.
 *
 * It needs installed dependencies and a registry that npm reaches; what is stale it builds.
 */
import { createRequire } from "node:module"

process.env["NODE_ENV"] ??= "test"

const require = createRequire(import.meta.url)
require("../../bench/support/load-typescript.cjs")
const { main } = require("./main.ts")

await main(process.argv.slice(2))
