/**
 * Follows the recipe "Add a country" of CONTRIBUTING in a copy of the tree, then runs there the tests
 * that hold in every country and the tests of the texts. A place that lists the countries and is
 * missing from the recipe fails here.
 */
import { execFile } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { plainEnvironment } from "../../../demo/run/child.cjs"

const ROOT = path.resolve(__dirname, "../../..")
const COPIED = [
  "src",
  "packages/gateway",
  "packages/simulator",
  "packages/checkout",
  "contract",
  "docs/storefront.md",
  "demo/run",
  "bench/support/load-typescript.cjs",
  "integration-tests/support",
  "integration-tests/http/support",
  // The list of what is played together is read by the configuration of Jest.
  "integration-tests/http/stores/suites.json",
  "integration-tests/browser/demos/suites.json",
  "integration-tests/modules/starting/markets.spec.ts",
  "integration-tests/contract",
  "jest.config.js",
  "package.json",
]
const PLAYED = [
  "integration-tests/modules/starting/markets.spec",
  "integration-tests/contract/differences.spec",
  "src/core/markets.unit",
  "src/core/refusal.unit",
  "src/admin/i18n",
  "packages/checkout/src/texts.unit",
]

let copy = ""
beforeAll(() => {
  copy = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-market-"))
  for (const name of COPIED) {
    fs.cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true })
  }
  fs.symlinkSync(fs.realpathSync(path.join(ROOT, "node_modules")), path.join(copy, "node_modules"))
})
afterAll(() => fs.rmSync(copy, { recursive: true, force: true }))

/** The recipe's blocks of code, in their order. */
function entriesOfTheRecipe(): string[] {
  const page = fs.readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8")
  const [, recipe = ""] = /^## Add a country\n(.*?)^## /ms.exec(page) ?? []
  return [...recipe.matchAll(/^ *```ts\n(.*?)^ *```/gms)].map(([, code = ""]) => code)
}

function change(file: string, find: string, replace: string): void {
  const target = path.join(copy, file)
  const parts = fs.readFileSync(target, "utf8").split(find)
  expect([file, parts.length]).toEqual([file, 2])
  fs.writeFileSync(target, parts.join(replace))
}

/** Puts words into the one line of a dictionary that has this key. */
function changeLine(file: string, key: string, find: string, replace: string): void {
  const text = fs.readFileSync(path.join(copy, file), "utf8")
  const line = text.split("\n").find((one) => one.trim().startsWith(`"${key}":`)) ?? ""
  change(file, line, line.replace(find, replace))
}

type Report = {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

async function playedInTheCopy(): Promise<readonly (readonly [name: string, status: string])[]> {
  const file = path.join(copy, "report.json")
  const jest = path.join(ROOT, "node_modules/jest/bin/jest.js")
  const projects = ["--selectProjects", "modules", "contract", "unit"]
  const options = [...projects, "--runInBand", "--json", `--outputFile=${file}`]
  const env = { ...plainEnvironment(process.env), NODE_ENV: "test" }
  // A failed test fails the command; the report says which.
  await promisify(execFile)(process.execPath, [jest, ...PLAYED, ...options], {
    cwd: copy,
    env,
  }).catch((error: unknown) => {
    if (!fs.existsSync(file)) throw error
  })
  const report: Report = JSON.parse(fs.readFileSync(file, "utf8"))
  return report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, status }) => [fullName, status] as const),
  )
}

it("a country is added by the recipe's entries and one sentence for each language", async () => {
  const [product = "", simulator = ""] = entriesOfTheRecipe()
  change("packages/gateway/src/terms/markets.ts", "\n  RW: {", `\n${product}  RW: {`)
  change("packages/simulator/src/markets.ts", "\n  RW: {", `\n${simulator}  RW: {`)
  const methods = '"OPERATOR1_MOMO_LBR",\n          "OPERATOR1_MOMO_RWA",'
  const added = '"OPERATOR1_MOMO_GHA",\n          "OPERATOR2_MONEY_GHA",'
  change("contract/openapi.json", methods, `${added}\n          ${methods}`)
  for (const language of ["en", "fr", "rw"]) {
    const file = `packages/checkout/src/texts/${language}.ts`
    changeLine(file, "problem.invalid_phone", "Rwanda", "Rwanda, Ghana")
  }
  const french = "src/admin/i18n/fr.json"
  changeLine(french, "invalid_phone.other_country", "(+250)", "(+250) et du Ghana (+233)")

  const played = await playedInTheCopy()
  expect(played.filter(([, status]) => status !== "passed")).toEqual([])
  const ofGhana = played.filter(([name]) => /\bGHA?\b|_GHA\b/.test(name)).map(([name]) => name)
  expect(ofGhana).toEqual(
    expect.arrayContaining([
      expect.stringContaining("all are offered for the country's money"),
      "in GH a number of OPERATOR1_MOMO_GHA is read, masked, and known",
      "in GH a payment through OPERATOR1_MOMO_GHA is asked for and recorded",
      "in GH a payment through OPERATOR2_MONEY_GHA is asked for and recorded",
      "texts in rw name GH among the countries whose numbers can pay",
      "GH is among the countries whose numbers are taken, in French",
    ]),
  )
})
