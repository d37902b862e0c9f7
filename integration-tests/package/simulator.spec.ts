/**
 * What a developer installs with the simulator alone: the packed workspace and what it declares.
 */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import path from "node:path"
import { buildSimulator } from "../../demo/run/build.cjs"
import { bin, ROOT, run, usePacked } from "./support/packed"

jest.setTimeout(600_000)

const HOME = path.join(ROOT, "packages/simulator")
const NAME = "merchant-payments-simulator"
/** For a shop's page, whose bundler reads modules; no server requires it. */
const BROWSERS = "card-adapter"

const packed = usePacked("simulator", buildSimulator)

const command = () => {
  const { bin } = JSON.parse(fs.readFileSync(path.join(packed.installed, "package.json"), "utf8"))
  return path.join(packed.installed, bin[NAME])
}

describe("the simulator's package", () => {
  it("holds the command, the contract and its README, and no tests or sources", () => {
    const files = fs
      .readdirSync(packed.installed, { recursive: true, encoding: "utf8" })
      .filter((file) => fs.statSync(path.join(packed.installed, file)).isFile())
    expect(files).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "dist/index.js", "dist/index.d.ts"]),
    )
    expect(files.filter((file) => /\.spec\.|(^|\/)(testing|specs|src)\//.test(file))).toEqual([])
    const contract = "contract/openapi.json"
    expect(fs.readFileSync(path.join(packed.installed, "dist", contract))).toEqual(
      fs.readFileSync(path.join(ROOT, contract)),
    )
  })

  it("passes publint, and its types resolve from CommonJS and from ES modules", () => {
    run(bin("publint"), [packed.tarball, "--strict"], HOME)
    run(bin("attw"), [packed.tarball], HOME)
    run(bin("attw"), [packed.tarball, "--profile", "esm-only", "--entrypoints", BROWSERS], HOME)
  })

  it("answers as a command with only its declared dependencies installed", async () => {
    const child = spawn(process.execPath, [command(), "--port", "0"], { cwd: packed.folder })
    try {
      const [said] = (await once(child.stdout, "data")) as [Buffer]
      const url = /ready at (\S+)/.exec(said.toString())?.[1] ?? ""
      expect(await (await fetch(`${url}/_simulator/book`)).json()).toMatchObject({ documents: [] })
    } finally {
      child.kill("SIGTERM")
    }
    expect((await once(child, "close"))[0]).toBe(0)
  })

  it("[S11] does not start in production", () => {
    const env = { ...process.env, NODE_ENV: "production" }
    const start = () => execFileSync(process.execPath, [command()], { env, stdio: "pipe" })
    expect(start).toThrow("does not run with NODE_ENV=production")
  })

  it("can be required and imported by its name", () => {
    const ask = `typeof startSimulator === "function" || process.exit(1)`
    const required = `const { startSimulator } = require("${NAME}"); ${ask}`
    const imported = `import { startSimulator } from "${NAME}"; ${ask}`
    expect(() => run(process.execPath, ["-e", required], packed.folder)).not.toThrow()
    expect(() =>
      run(process.execPath, ["--input-type=module", "-e", imported], packed.folder),
    ).not.toThrow()
  })
})

describe("the simulator's command in a checkout", () => {
  it("is linked for npx", () => {
    expect(run("npx", ["--no-install", NAME, "--help"], ROOT)).toContain(`Usage: ${NAME}`)
  })

  it("says what to run where it was not built", () => {
    const copy = path.join(packed.folder, "unbuilt", path.basename(command()))
    fs.mkdirSync(path.dirname(copy))
    fs.copyFileSync(command(), copy)
    expect(() => run(process.execPath, [copy], packed.folder)).toThrow("npm run build:simulator")
  })
})
