/** What a program installs with the gateway's client alone: the packed workspace and its packages. */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { buildGateway } from "../../demo/run/build.cjs"

jest.setTimeout(600_000)

const ROOT = path.resolve(__dirname, "../..")
const HOME = path.join(ROOT, "packages/gateway")
const NAME = "merchant-payments-gateway"
const TSC = path.join(ROOT, "node_modules/typescript/bin/tsc")
/** What may be written as TypeScript's `moduleResolution`, each with its `module`. */
const RESOLUTIONS = [
  ["node16", "node16"],
  ["nodenext", "nodenext"],
  ["bundler", "esnext"],
] as const

let folder: string
let tarball: string

const bin = (name: string) => path.join(ROOT, "node_modules/.bin", name)
const run = (file: string, args: readonly string[], cwd = folder) =>
  execFileSync(file, args, { cwd, encoding: "utf8", stdio: "pipe" })

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-gateway-"))
  const logs = path.join(folder, "logs")
  const signal = new AbortController().signal
  // Under the lock of all builds: other suites may read it now.
  await buildGateway({ root: ROOT, logs, say: () => {}, signal })
  run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], HOME)
  tarball = path.join(folder, fs.readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "")
  install(path.join(folder, "node_modules"))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** As npm would: the tarball's files, and beside them the packages that it declares. */
function install(modules: string): void {
  run("tar", ["-xzf", tarball])
  const installed = path.join(modules, NAME)
  fs.mkdirSync(path.join(modules, "@types"), { recursive: true })
  fs.renameSync(path.join(folder, "package"), installed)
  const { dependencies } = JSON.parse(
    fs.readFileSync(path.join(installed, "package.json"), "utf8"),
  ) as { dependencies: Record<string, string> }
  for (const name of [...Object.keys(dependencies), "@types/node"]) {
    fs.symlinkSync(path.join(ROOT, "node_modules", name), path.join(modules, name))
  }
}

describe("the client's package", () => {
  it("holds its modules, types, README and licence, and no tests or sources", () => {
    const files = run("tar", ["-tzf", tarball]).trim().split("\n")
    const wanted = ["LICENSE", "README.md", "dist/index.js", "dist/terms/markets.d.ts"]
    expect(files).toEqual(expect.arrayContaining(wanted.map((file) => `package/${file}`)))
    expect(files.filter((file) => /\.spec\.|\/(testing|src)\//.test(file))).toEqual([])
  })

  it("passes publint, and its types are found by every way of resolving them", () => {
    run(bin("publint"), [tarball, "--strict"], HOME)
    run(bin("attw"), [tarball, "--entrypoints", ".", "terms/money", "terms/markets"], HOME)
  })

  it.each(["commonjs", "module"])("runs in a program that is a %s", (type) => {
    const program = path.join(folder, `program-${type}`)
    fs.mkdirSync(program)
    fs.writeFileSync(path.join(program, "package.json"), JSON.stringify({ type }))
    const names = ["createGateway", "Unreachable", "GatewayError", "moneyFromMajor"].join(", ")
    const from =
      type === "module"
        ? `import { ${names} } from "${NAME}"; import { MARKETS } from "${NAME}/terms/markets"`
        : `const { ${names} } = require("${NAME}"); const { MARKETS } = require("${NAME}/terms/markets")`
    const script = `${from}
      // No such address: the gateway is asked, and there is none.
      const lookup = (name, options, callback) => callback(Object.assign(new Error(), { code: "ENOTFOUND" }))
      const gateway = createGateway({ baseUrl: "https://gateway.example", clientId: "a", clientSecret: "b", lookup })
      gateway.token.check().then(({ kind, error }) => {
        console.log(kind, error instanceof Unreachable, error instanceof GatewayError, Object.keys(MARKETS).length > 0)
        return gateway.close()
      })`
    fs.writeFileSync(path.join(program, "program.js"), script)
    expect(run(process.execPath, [path.join(program, "program.js")])).toBe(
      "not_sent true true true\n",
    )
  })

  it.each(
    RESOLUTIONS.flatMap(([resolution, module]) =>
      ["commonjs", "module"].map((type) => [resolution, type, module]),
    ),
  )("is typed with the resolution %s in a program that is a %s", (resolution, type, module) => {
    const program = path.join(folder, `typed-${resolution}-${type}`)
    fs.mkdirSync(program)
    fs.writeFileSync(path.join(program, "package.json"), JSON.stringify({ type }))
    const lines = [
      `import { createGateway, type Execution, type Outcome } from "${NAME}"`,
      `import { MARKETS } from "${NAME}/terms/markets"`,
      `const options = { baseUrl: "https://x.example", clientId: "a", clientSecret: "b" }`,
      `const gateway = createGateway(options)`,
      `export const said: Promise<Outcome<Execution>> = gateway.status.collection("reference")`,
      `export const known: "231" = MARKETS.LR.phone.prefix`,
      // An error, unless the types are not found and everything is \`any\`.
      `// @ts-expect-error`,
      `export const order = gateway.orders.retrieve("one")`,
    ]
    fs.writeFileSync(path.join(program, "program.ts"), lines.join("\n"))
    const flags = ["--strict", "--noEmit", "--skipLibCheck", "--target", "es2022"]
    const options = ["--module", module, "--moduleResolution", resolution, ...flags]
    expect(run(process.execPath, [TSC, ...options, "program.ts"], program)).toBe("")
  })

  it("loads nothing of Medusa or of the plugin", () => {
    const script = `
      require("${NAME}").createGateway({ baseUrl: "https://x.example", clientId: "a", clientSecret: "b" })
      console.log(Object.keys(require.cache).filter((file) => /medusa/.test(file)).length)
    `
    expect(run(process.execPath, ["-e", script])).toBe("0\n")
  })
})
