/** A copy of the tree in which a test follows a recipe of CONTRIBUTING. */
import { execFile } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { plainEnvironment } from "../../demo/run/child.cjs"

const ROOT = path.resolve(__dirname, "../..")
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
  "integration-tests/contract",
  "jest.config.js",
  "package.json",
  "tsconfig.json",
]

/** The recipe's blocks of code in this language, in their order. */
export function blocksOf(recipe: string, language: string): string[] {
  const blocks = new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, "gms")
  return [...recipe.matchAll(blocks)].map(([, code = ""]) => code)
}

/** The text of a section of CONTRIBUTING. */
export function recipeOf(title: string): string {
  const page = fs.readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8")
  const [, recipe = ""] = new RegExp(`^## ${title}\\n(.*?)^## `, "ms").exec(page) ?? []
  return recipe
}

type Report = {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/** Registers the suite's hooks; the copy is there inside tests only. */
export function useRecipeCopy(more: readonly string[]) {
  let root = ""
  beforeAll(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-recipe-"))
    for (const name of [...COPIED, ...more]) {
      fs.cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true })
    }
    fs.symlinkSync(
      fs.realpathSync(path.join(ROOT, "node_modules")),
      path.join(root, "node_modules"),
    )
  })
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

  const read = (file: string) => fs.readFileSync(path.join(root, file), "utf8")
  const write = (file: string, text: string) => fs.writeFileSync(path.join(root, file), text)
  return {
    root: () => root,
    read,
    write,
    change(file: string, find: string, replace: string): void {
      const parts = read(file).split(find)
      expect([file, parts.length]).toEqual([file, 2])
      write(file, parts.join(replace))
    },
    /** @returns name and status of each test of these files */
    async played(
      files: readonly string[],
      projects: readonly string[],
    ): Promise<readonly (readonly [name: string, status: string])[]> {
      const file = path.join(root, "report.json")
      const jest = path.join(ROOT, "node_modules/jest/bin/jest.js")
      const options = ["--selectProjects", ...projects, "--runInBand", "--json"]
      const env = { ...plainEnvironment(process.env), NODE_ENV: "test" }
      // A failed test fails the command; the report says which.
      await promisify(execFile)(
        process.execPath,
        [jest, ...files, ...options, `--outputFile=${file}`],
        { cwd: root, env },
      ).catch((error: unknown) => {
        if (!fs.existsSync(file)) throw error
      })
      const report: Report = JSON.parse(fs.readFileSync(file, "utf8"))
      return report.testResults.flatMap(({ assertionResults }) =>
        assertionResults.map(({ fullName, status }) => [fullName, status] as const),
      )
    },
  }
}
