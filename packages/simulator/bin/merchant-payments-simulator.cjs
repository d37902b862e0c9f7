#!/usr/bin/env node
// @ts-check
/** In git, not built: npm links a command when it installs, and skips one whose file is missing. */
const { existsSync } = require("node:fs")
const { join } = require("node:path")

const program = join(__dirname, "../dist/bin.js")
if (existsSync(program)) {
  require(program)
} else {
  console.error("The simulator is not built yet. Run: npm run build:simulator")
  process.exitCode = 1
}
