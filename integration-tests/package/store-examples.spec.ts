/**
 * The examples for a store, and those on the page of the shop's own code, compile where they are to
 * be copied: in a strict store that `medusa build` generates types for.
 */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { buildAll } from "../../demo/run/build.cjs"

jest.setTimeout(600_000)

const ROOT = path.resolve(__dirname, "../..")
const EXAMPLES = path.join(ROOT, "examples/store")
const MODULES = path.join(ROOT, "demo/store/node_modules")

/** Below the checkout, so that Medusa is found upwards. */
const STORE = path.join(ROOT, ".demo/store-with-examples")
/** As Medusa's starter has it: what `medusa build` generates is part of the program. */
const TSCONFIG = {
  extends: path.join(ROOT, "demo/store/tsconfig.json"),
  compilerOptions: { rootDir: ".", outDir: ".medusa/server" },
  include: ["**/*", ".medusa/types/*"],
  exclude: ["node_modules", ".medusa/server", ".medusa/admin"],
}

/** In JavaScript, which Medusa loads without a compiler of the store. */
const CONFIG = `
const { defineConfig } = require("@medusajs/framework/utils")
const { withMerchantPayments } = require("medusa-plugin-merchant-payments/config")

module.exports = withMerchantPayments(
  defineConfig({
    admin: { disable: true },
    projectConfig: {
      http: { storeCors: "", adminCors: "", authCors: "", jwtSecret: "secret", cookieSecret: "secret" },
    },
  }),
)
`

function write(file: string, text: string): void {
  const full = path.join(STORE, file)
  fs.mkdirSync(path.dirname(full), { recursive: true })
  fs.writeFileSync(full, text)
}

/** Where the example itself says that it belongs. */
function placeOf(text: string): string {
  const [, folder] = /Copy it\s+(?:\*\s+)?(?:in)?to\s+(?:\*\s+)?`(src\/[\w/]+)`/.exec(text) ?? []
  if (folder !== undefined) return folder
  if (/Copy it to the root of the store/.test(text)) return "."
  throw new Error("an example does not say where it belongs")
}

/** The blocks of the page, each in a function that gets what the block takes from around it. */
function pageAsFile(): string {
  const page = fs.readFileSync(path.join(ROOT, "docs/shop-code.md"), "utf8")
  const blocks = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, code = ""]) => code.split("\n"))
  expect(blocks.length).toBeGreaterThan(2)
  const isImport = (line: string) => line.startsWith("import ")
  const around = "container: MedusaContainer, lastMonday: Date, orderId: string, cartId: string"
  const functions = blocks.map((lines, at) => {
    const code = lines.filter((line) => !isImport(line)).join("\n")
    const query = code.includes("const query =") ? "" : "const query = container.resolve('query')\n"
    return `export async function block${at}(${around}) {\n${query}${code}}`
  })
  return [
    'import type { MedusaContainer } from "@medusajs/framework/types"',
    'import { ContainerRegistrationKeys } from "@medusajs/framework/utils"',
    ...blocks.flat().filter(isImport),
    ...functions,
    "export async function typed(container: MedusaContainer) {",
    '  const query = container.resolve("query")',
    "  const { data } = await query.graph({",
    '    entity: "merchant_payment", fields: ["id", "amount", "operator.label", "order.id"] })',
    "  const amounts: (number | undefined)[] = data.map((payment) => payment.amount)",
    "  // @ts-expect-error: the generated type knows that it is a number",
    "  const texts: string[] = data.map((payment) => payment.amount)",
    "  return [amounts, texts]",
    "}",
  ].join("\n")
}

beforeAll(async () => {
  const logs = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-build-"))
  const signal = new AbortController().signal
  await buildAll({ root: ROOT, logs, say: () => {}, signal, hasStorefront: false })
  fs.rmSync(logs, { recursive: true })
  fs.rmSync(STORE, { recursive: true, force: true })
})

afterAll(() => fs.rmSync(STORE, { recursive: true, force: true }))

it("every example for a store compiles in a strict store, with the types that Medusa generates", () => {
  fs.mkdirSync(STORE, { recursive: true })
  fs.cpSync(MODULES, path.join(STORE, "node_modules"), { recursive: true })
  fs.copyFileSync(path.join(ROOT, "demo/store/package.json"), path.join(STORE, "package.json"))
  write("tsconfig.json", JSON.stringify(TSCONFIG))
  write("medusa-config.js", CONFIG)
  for (const name of fs.readdirSync(EXAMPLES)) {
    const text = fs.readFileSync(path.join(EXAMPLES, name), "utf8")
    write(path.join(placeOf(text), name), text)
  }
  write("src/lib/shop-code.ts", pageAsFile())
  const medusa = path.join(ROOT, "node_modules/@medusajs/cli/cli.js")
  const env = { ...process.env, NODE_ENV: "production" }
  try {
    execFileSync(process.execPath, [medusa, "build"], { cwd: STORE, env, stdio: "pipe" })
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer }
    throw new Error(`The store does not build:\n${String(stdout)}${String(stderr)}`)
  }
  const types = path.join(STORE, ".medusa/types/query-entry-points.d.ts")
  expect(fs.readFileSync(types, "utf8")).toContain("merchant_payment: MerchantPayment")
  const built = path.join(STORE, ".medusa/server")
  expect(fs.existsSync(path.join(built, "src/subscribers/after-the-order.js"))).toBe(true)
  expect(fs.existsSync(path.join(built, "instrumentation.js"))).toBe(true)
})
