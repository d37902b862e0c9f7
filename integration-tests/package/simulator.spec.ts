/**
 * What a developer installs with the simulator alone: the packed workspace and what it declares.
 */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { buildSimulator } from "../../demo/run/build.cjs"

jest.setTimeout(600_000)

const ROOT = path.resolve(__dirname, "../..")
const HOME = path.join(ROOT, "packages/simulator")
const NAME = "merchant-payments-simulator"

let folder: string
let tarball: string
let installed: string

/** For a shop's page, whose bundler reads modules; no server requires it. */
const BROWSERS = "card-adapter"
const bin = (name: string) => path.join(ROOT, "node_modules/.bin", name)
const run = (file: string, args: readonly string[], cwd = folder) =>
  execFileSync(file, args, { cwd, encoding: "utf8", stdio: "pipe" })
const command = () => {
  const { bin } = JSON.parse(fs.readFileSync(path.join(installed, "package.json"), "utf8"))
  return path.join(installed, bin[NAME])
}

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-simulator-"))
  const logs = path.join(folder, "logs")
  const signal = new AbortController().signal
  await buildSimulator({ root: ROOT, logs, say: () => {}, signal })
  run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], HOME)
  tarball = path.join(folder, fs.readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "")
  install(path.join(folder, "node_modules"))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** As npm would: the tarball's files, and beside them the packages that it declares. */
function install(modules: string): void {
  run("tar", ["-xzf", tarball])
  installed = path.join(modules, NAME)
  fs.mkdirSync(modules)
  fs.renameSync(path.join(folder, "package"), installed)
  const { dependencies } = JSON.parse(
    fs.readFileSync(path.join(installed, "package.json"), "utf8"),
  ) as { dependencies: Record<string, string> }
  for (const name of Object.keys(dependencies)) {
    fs.symlinkSync(path.join(ROOT, "node_modules", name), path.join(modules, name))
  }
}

describe("the simulator's package", () => {
  it("holds the command, the contract and its README, and no tests or sources", () => {
    const files = fs
      .readdirSync(installed, { recursive: true, encoding: "utf8" })
      .filter((file) => fs.statSync(path.join(installed, file)).isFile())
    expect(files).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "dist/index.js", "dist/index.d.ts"]),
    )
    expect(files.filter((file) => /\.spec\.|(^|\/)(testing|specs|src)\//.test(file))).toEqual([])
    const contract = "contract/openapi.json"
    expect(fs.readFileSync(path.join(installed, "dist", contract))).toEqual(
      fs.readFileSync(path.join(ROOT, contract)),
    )
  })

  it("passes publint, and its types resolve from CommonJS and from ES modules", () => {
    run(bin("publint"), [tarball, "--strict"], HOME)
    run(bin("attw"), [tarball], HOME)
    run(bin("attw"), [tarball, "--profile", "esm-only", "--entrypoints", BROWSERS])
  })

  it("answers as a command with only its declared dependencies installed", async () => {
    const child = spawn(process.execPath, [command(), "--port", "0"], { cwd: folder })
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
    expect(() => run(process.execPath, ["-e", required])).not.toThrow()
    expect(() => run(process.execPath, ["--input-type=module", "-e", imported])).not.toThrow()
  })
})

describe("the simulator's command in a checkout", () => {
  it("is linked for npx", () => {
    expect(run("npx", ["--no-install", NAME, "--help"], ROOT)).toContain(`Usage: ${NAME}`)
  })

  it("says what to run where it was not built", () => {
    const copy = path.join(folder, "unbuilt", path.basename(command()))
    fs.mkdirSync(path.dirname(copy))
    fs.copyFileSync(command(), copy)
    expect(() => run(process.execPath, [copy])).toThrow("npm run build:simulator")
  })
})
