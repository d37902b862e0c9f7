import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fingerprint, isFresh, stamp } from "./fingerprint.cjs"
import { agrees, isInstalled } from "./install.cjs"

describe("what was built", () => {
  let root: string
  const write = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), text)
  }

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "demo-stale-"))
    write("src/index.ts", "export {}")
  })

  afterEach(() => fs.rmSync(root, { recursive: true }))

  it("has the same fingerprint after its sources were only touched", () => {
    const before = fingerprint(root, ["src"])
    fs.utimesSync(path.join(root, "src/index.ts"), 0, 0)
    expect(fingerprint(root, ["src"])).toBe(before)
  })

  it.each([
    ["a changed file", "src/index.ts"],
    ["a new file", "src/other.ts"],
    ["a file that did not exist", "package.json"],
  ])("has another fingerprint after %s", (_what, file) => {
    const inputs = ["src", "package.json"]
    const before = fingerprint(root, inputs)
    write(file, "changed")
    expect(fingerprint(root, inputs)).not.toBe(before)
  })

  it.each(["src/index.unit.spec.ts", "src/node_modules/x/index.js", "src/dist/index.js"])(
    "does not depend on %s",
    (file) => {
      const before = fingerprint(root, ["src"])
      write(file, "changed")
      expect(fingerprint(root, ["src"])).toBe(before)
    },
  )

  it("is fresh for the fingerprint it was stamped with, and for no other", () => {
    stamp(root, "plugin", "one")
    expect(isFresh(root, "plugin", "one")).toBe(true)
    expect(isFresh(root, "plugin", "two")).toBe(false)
    stamp(root, "plugin", null)
    expect(isFresh(root, "plugin", "one")).toBe(false)
  })

  it("is not installed without npm's own record", () => {
    write("package-lock.json", JSON.stringify({ packages: { "": {} } }))
    expect(isInstalled(root)).toBe(false)
  })
})

describe("installed packages", () => {
  const locked = {
    "": { version: "1.0.0" },
    "node_modules/a": { version: "1.0.0" },
    "node_modules/other-system": { version: "1.0.0", optional: true },
  }

  const workspace = {
    "packages/b": { version: "1.0.0" },
    "node_modules/b": { link: true },
  }

  it("agree with the lock file when a workspace is linked", () => {
    expect(agrees({ "": {}, ...workspace }, workspace)).toBe(true)
  })

  it.each([
    ["an install of before the workspace was there", {}],
    ["a workspace without its link", { "packages/b": { version: "1.0.0" } }],
    ["a package of the registry in its place", { ...workspace, "node_modules/b": {} }],
    ["a workspace of another version", { ...workspace, "packages/b": { version: "0.9.0" } }],
  ])("do not agree with %s", (_what, installed) => {
    expect(agrees({ "": {}, ...workspace }, installed)).toBe(false)
  })

  it("agree with the lock file without the optional ones", () => {
    expect(agrees(locked, { "node_modules/a": { version: "1.0.0" } })).toBe(true)
  })

  it.each([
    ["a missing one", {}],
    ["one of another version", { "node_modules/a": { version: "1.0.1" } }],
    [
      "one too many",
      { "node_modules/a": { version: "1.0.0" }, "node_modules/b": { version: "1.0.0" } },
    ],
    [
      "an optional one of another version",
      { "node_modules/a": { version: "1.0.0" }, "node_modules/other-system": { version: "2.0.0" } },
    ],
  ])("do not agree with %s", (_what, installed) => {
    expect(agrees(locked, installed)).toBe(false)
  })
})
