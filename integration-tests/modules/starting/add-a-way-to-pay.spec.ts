/**
 * Follows the recipe "Add a way to pay" of CONTRIBUTING in a copy of the tree: the compiler names the
 * recipe's places as soon as the name is there, and none once they are filled. Then the tests that
 * hold for each way to pay run in the copy.
 */
import path from "node:path"
import ts from "typescript"
import { blocksOf, recipeOf, useRecipeCopy } from "../../support/recipe-copy"

const RECIPE = recipeOf("Add a way to pay")
const PLAYED = ["integration-tests/modules/starting/ways-to-pay.spec", "src/admin/i18n"]

const copy = useRecipeCopy(["integration-tests/modules/starting/ways-to-pay.spec.ts"])

/** Files of the product, or of the admin, that the compiler refuses, of those that know of flows. */
function refusedIn(area: "product" | "admin"): string[] {
  const isAdmin = area === "admin"
  const folder = path.join(copy.root(), isAdmin ? "src/admin" : ".")
  const config = ts.readConfigFile(path.join(folder, "tsconfig.json"), ts.sys.readFile)
  const { options, fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, folder)
  const own = fileNames.filter((file) => {
    const isHere = file.includes("/src/admin/") === isAdmin && !file.includes(".spec.")
    return isHere && /\bflow\b|flow_|Flow|FLOW/.test(ts.sys.readFile(file) ?? "")
  })
  const program = ts.createProgram(own, { ...options, noEmit: true, incremental: false })
  const refused = own.filter((file) => {
    const source = program.getSourceFile(file)
    return source && program.getSemanticDiagnostics(source).length > 0
  })
  return refused.map((file) => path.relative(copy.root(), file)).sort()
}

/** Puts a line below the one line that is there, in the same file. */
const below = (file: string, line: string, added: string) =>
  copy.change(file, `${line}\n`, `${line}\n${added}\n`)

function fillTheTables(row: string): void {
  const linkRow = "\n  /** Paid from a message"
  copy.change("src/core/flows.ts", linkRow, `\n${row}${linkRow.slice(1)}`)
  below("src/checkout/pay-draft.ts", "  link: payByPage,", "  bank: payByPage,")
  below("src/checkout/context.ts", '  card: "card",', '  bank: "bank",')
  below("src/checkout/answer-medusa.ts", "  link: PAGE,", "  bank: PAGE,")
  const providers = "src/providers/merchant-payments/index.ts"
  const bank = `class BankProvider extends MerchantPaymentsProvider {
  static override identifier = providerOf("bank").identifier
}
`
  copy.change(providers, "const SERVICES = {\n", `${bank}\nconst SERVICES = {\n`)
  below(providers, "  card: CardProvider,", "  bank: BankProvider,")
  below("src/admin/lib/filters.ts", "  link: true,", "  bank: true,")
  below(
    "src/admin/components/payment-intent.tsx",
    '  link: "intent.page",',
    '  bank: "intent.page",',
  )
}

function writeTheWords(): void {
  for (const language of ["en", "fr", "rw"]) {
    const words = `src/papers/words/${language}.ts`
    copy.write(words, copy.read(words).replace(/^ {2}flow_link:/m, '  flow_bank: "Bank",\n$&'))
  }
  for (const language of ["en", "fr"]) {
    const file = `src/admin/i18n/${language}.json`
    const words: Record<string, object> = JSON.parse(copy.read(file))
    for (const name of ["flow", "regions"]) words[name] = { ...words[name], bank: "Bank" }
    copy.write(file, JSON.stringify(words))
  }
}

it("a way to pay is added by its row, a migration and what the compiler asks for", async () => {
  const [row = ""] = blocksOf(RECIPE, "ts")
  const [sql = ""] = blocksOf(RECIPE, "sql")
  copy.change("src/core/operation-types.ts", '"card", "link"]', '"card", "link", "bank"]')

  expect(refusedIn("product")).toEqual([
    "src/checkout/answer-medusa.ts",
    "src/checkout/context.ts",
    "src/checkout/pay-draft.ts",
    "src/core/flows.ts",
    "src/papers/render-receipt.ts",
    "src/providers/merchant-payments/index.ts",
  ])
  expect(refusedIn("admin")).toEqual(
    expect.arrayContaining([
      "src/admin/components/payment-intent.tsx",
      "src/admin/lib/filters.ts",
      "src/admin/lib/operation-state.ts",
      "src/admin/routes/settings/merchant-payments/page.tsx",
    ]),
  )

  fillTheTables(row)
  writeTheWords()
  expect([...refusedIn("product"), ...refusedIn("admin")]).toEqual([])

  const name = "Migration20991231235959"
  copy.write(
    `src/modules/merchant-payments/migrations/${name}.ts`,
    `import { Migration } from "@medusajs/framework/mikro-orm/migrations"
export class ${name} extends Migration {
  override async up(): Promise<void> { this.addSql(\`${sql}\`) }
}`,
  )
  const played = await copy.played(PLAYED, ["modules", "unit"])
  expect(played.filter(([, status]) => status !== "passed")).toEqual([])
  expect(played.map(([title]) => title)).toEqual(
    expect.arrayContaining([
      "the tables take a payment by bank",
      "a payment by bank is started, paid on its page and recorded",
    ]),
  )
})
