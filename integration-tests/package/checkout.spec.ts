/** What a storefront installs as the kit: the packed workspace. */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { buildCheckout } from "../../demo/run/build.cjs"

jest.setTimeout(600_000)

const ROOT = path.resolve(__dirname, "../..")
const HOME = path.join(ROOT, "packages/checkout")

let folder: string
let tarball: string

const bin = (name: string) => path.join(ROOT, "node_modules/.bin", name)
const run = (file: string, ...args: string[]) =>
  execFileSync(file, args, { cwd: HOME, encoding: "utf8", stdio: "pipe" })

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-checkout-"))
  const logs = path.join(folder, "logs")
  // Under the lock of all builds: other suites may read it now.
  await buildCheckout({ root: ROOT, logs, say: () => {}, signal: new AbortController().signal })
  run("npm", "pack", "--ignore-scripts", "--pack-destination", folder)
  tarball = path.join(folder, fs.readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "")
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

it("the kit's package holds its modules, stylesheet and README, and no tests", () => {
  const files = run("tar", "-tzf", tarball).trim().split("\n")
  const wanted = ["README.md", "style.css", "dist/esm/index.js", "dist/cjs/react/index.js"]
  expect(files).toEqual(expect.arrayContaining(wanted.map((file) => `package/${file}`)))
  expect(files.filter((file) => /\.spec\.|\/(testing|src)\//.test(file))).toEqual([])
})

it("the kit's types are found by every way of resolving them, the old one of Next.js storefronts included", () => {
  run(bin("publint"), tarball, "--strict")
  run(bin("attw"), tarball)
})
