// @ts-check
/**
 * `npm run test:live`: asks a real gateway what the contract leaves open, with the smallest amounts
 * (docs/live-suite.md). It spends real money, so it is in no other command.
 */
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)
require("../../bench/support/load-typescript.cjs")
const { main } = require("./main.ts")

await main(process.argv.slice(2))
