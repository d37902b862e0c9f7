/**
 * `npm test` in a clone in which nothing was installed. The clone is a small one: the script, what
 * it loads before anything is installed, and a lock file whose only package stands for Jest.
 */
import { execFileSync, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"

const ROOT = path.resolve(__dirname, "../..")
const PLAYS_JEST = `#!/usr/bin/env node
const file = process.argv.find((arg) => arg.startsWith("--outputFile=")).slice("--outputFile=".length)
const fs = require("node:fs")
const result = { numPassedTests: VERSION, numFailedTests: 0, numRuntimeErrorTestSuites: 0 }
const tests = fs.existsSync("tests.json") ? JSON.parse(fs.readFileSync("tests.json", "utf8")) : []
const testResults = [{ assertionResults: tests }]
fs.writeFileSync(file, JSON.stringify({ ...result, testResults }))
`

const SCRIPTS = [
  "scripts/test.mjs",
  ...fs.readdirSync(path.join(ROOT, "scripts/testing")).map((name) => `scripts/testing/${name}`),
  "demo/run/install.cjs",
]

let folder: string
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-clone-"))))
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const write = (file: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  fs.writeFileSync(path.join(folder, file), text)
}
const npm = (...args: string[]) => execFileSync("npm", [...args, "--silent"], { cwd: folder })
const runTests = (...args: string[]) => {
  const run = spawnSync(process.execPath, ["scripts/test.mjs", "unit", ...args], {
    cwd: folder,
    encoding: "utf8",
  })
  return { ...run, lastLine: run.stdout.trimEnd().split("\n").at(-1) }
}

/** Locks the stand-in for Jest at a version, and leaves nothing installed that was not before. */
function lock(version: number): void {
  write("jest/package.json", JSON.stringify({ name: "jest", version: `${version}.0.0` }))
  write("jest/bin/jest.js", PLAYS_JEST.replace("VERSION", String(version)))
  execFileSync("npm", ["pack", "--silent", "--pack-destination", ".."], {
    cwd: path.join(folder, "jest"),
  })
  const dependencies = { jest: `file:jest-${version}.0.0.tgz` }
  const workspaces = ["packages/*"]
  write(
    "package.json",
    JSON.stringify({ name: "clone", version: "1.0.0", workspaces, dependencies }),
  )
  write("packages/one/package.json", JSON.stringify({ name: "one", version: `${version}.0.0` }))
  // npm would note the new lock file in what is installed, too.
  const installed = path.join(folder, "node_modules")
  const aside = path.join(folder, "aside")
  const isInstalled = fs.existsSync(installed)
  if (isInstalled) fs.renameSync(installed, aside)
  npm("install", "--package-lock-only", "--offline")
  if (isInstalled) fs.renameSync(aside, installed)
}

function clone(): void {
  for (const file of SCRIPTS) {
    write(file, fs.readFileSync(path.join(ROOT, file), "utf8"))
  }
  lock(3)
}

describe("npm test", () => {
  it("installs the locked dependencies of a fresh clone, and again when the lock file changes", () => {
    clone()
    expect(fs.existsSync(path.join(folder, "node_modules"))).toBe(false)
    expect(runTests()).toMatchObject({ status: 0, lastLine: "3 passed, 0 failed" })
    lock(5)
    expect(runTests()).toMatchObject({ status: 0, lastLine: "5 passed, 0 failed" })
    expect(npm("ls", "one").toString()).toContain("one@5.0.0")
  })

  it("says so and counts as failed where they can't be installed", () => {
    clone()
    write("package.json", JSON.stringify({ name: "clone", dependencies: { jest: "^4.0.0" } }))
    const { status, stderr, lastLine } = runTests()
    expect(status).toBe(1)
    expect(stderr).toContain("The locked dependencies could not be installed")
    expect(lastLine).toBe("0 passed, 1 failed")
  })

  it("names tests that pass only when they are played once more, and fails for more than two", () => {
    clone()
    const passedAt = (invocations: number) => (fullName: string) => ({
      fullName,
      status: "passed",
      invocations,
    })
    write("tests.json", JSON.stringify([passedAt(2)("a"), passedAt(2)("b"), passedAt(1)("c")]))
    const two = runTests()
    expect(two).toMatchObject({ status: 0, lastLine: "3 passed, 0 failed" })
    expect(two.stdout).toContain("unsteady: a\nunsteady: b\n")
    expect(two.stdout).not.toContain("unsteady: c")

    write("tests.json", JSON.stringify(["a", "b", "c"].map(passedAt(2))))
    expect(runTests()).toMatchObject({ status: 1, lastLine: "0 passed, 3 failed" })
  })

  it("prints the seed it was given, and refuses what is no seed or part", () => {
    clone()
    expect(runTests("--seed", "7").stdout).toContain("npm test -- --seed 7")
    expect(runTests("--seed", "seven")).toMatchObject({ status: 2 })
    expect(runTests("nothing")).toMatchObject({ status: 2 })
  })
})
