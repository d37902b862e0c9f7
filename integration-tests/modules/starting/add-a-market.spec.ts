/**
 * Follows the recipe "Add a country" of CONTRIBUTING in a copy of the tree, then runs there the tests
 * that hold in every country and the tests of the texts. A place that lists the countries and is
 * missing from the recipe fails here.
 */
import { blocksOf, recipeOf, useRecipeCopy } from "../../support/recipe-copy"

const PLAYED = [
  "integration-tests/modules/starting/markets.spec",
  "integration-tests/contract/differences.spec",
  "src/core/markets.unit",
  "src/core/refusal.unit",
  "src/admin/i18n",
  "packages/checkout/src/texts.unit",
]

const {
  change,
  read,
  played: playedIn,
} = useRecipeCopy(["integration-tests/modules/starting/markets.spec.ts"])

/** Puts words into the one line of a dictionary that has this key. */
function changeLine(file: string, key: string, find: string, replace: string): void {
  const lines = read(file).split("\n")
  const line = lines.find((one) => one.trim().startsWith(`"${key}":`)) ?? ""
  change(file, line, line.replace(find, replace))
}

it("a country is added by the recipe's entries and one sentence for each language", async () => {
  const [product = "", simulator = ""] = blocksOf(recipeOf("Add a country"), "ts")
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

  const played = await playedIn(PLAYED, ["modules", "contract", "unit"])
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
