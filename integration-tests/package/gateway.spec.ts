/** What a program installs with the gateway's client alone: the packed workspace and its packages. */
import fs from "node:fs"
import path from "node:path"
import { buildGateway } from "../../demo/run/build.cjs"
import { bin, ROOT, run, usePacked } from "./support/packed"

jest.setTimeout(600_000)

const HOME = path.join(ROOT, "packages/gateway")
const NAME = "merchant-payments-gateway"
const TSC = path.join(ROOT, "node_modules/typescript/bin/tsc")
/** What may be written as TypeScript's `moduleResolution`, each with its `module`. */
const RESOLUTIONS = [
  ["node16", "node16"],
  ["nodenext", "nodenext"],
  ["bundler", "esnext"],
] as const

const packed = usePacked("gateway", buildGateway, { besides: ["@types/node"] })

describe("the client's package", () => {
  it("holds its modules, types, README and licence, and no tests or sources", () => {
    const files = run("tar", ["-tzf", packed.tarball], packed.folder).trim().split("\n")
    const wanted = ["LICENSE", "README.md", "dist/index.js", "dist/terms/markets.d.ts"]
    expect(files).toEqual(expect.arrayContaining(wanted.map((file) => `package/${file}`)))
    expect(files.filter((file) => /\.spec\.|\/(testing|src)\//.test(file))).toEqual([])
  })

  it("passes publint, and its types are found by every way of resolving them", () => {
    run(bin("publint"), [packed.tarball, "--strict"], HOME)
    run(bin("attw"), [packed.tarball, "--entrypoints", ".", "terms/money", "terms/markets"], HOME)
  })

  it.each(["commonjs", "module"])("runs in a program that is a %s", (type) => {
    const program = path.join(packed.folder, `program-${type}`)
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
    expect(run(process.execPath, [path.join(program, "program.js")], program)).toBe(
      "not_sent true true true\n",
    )
  })

  it.each(
    RESOLUTIONS.flatMap(([resolution, module]) =>
      ["commonjs", "module"].map((type) => [resolution, type, module]),
    ),
  )("is typed with the resolution %s in a program that is a %s", (resolution, type, module) => {
    const program = path.join(packed.folder, `typed-${resolution}-${type}`)
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
    expect(run(process.execPath, ["-e", script], packed.folder)).toBe("0\n")
  })
})
