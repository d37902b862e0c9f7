/**
 * Follows the recipe "Add a setting of an account" of CONTRIBUTING in a copy of the tree, then runs
 * there the tests of all settings: that the form reads and sends it, the routes take and show it, a
 * change of it is noted, and two admins agree where its row says so.
 */
import { blocksOf, recipeOf, useRecipeCopy } from "../../support/recipe-copy"

const NAME = "gift_wrapping"
const PLAYED = [
  "src/admin/i18n",
  "src/admin/lib/account-draft.unit",
  "src/accounts/rules",
  "src/core/account-policies.unit",
  "integration-tests/modules/accounts/every-setting.spec",
  "integration-tests/modules/accounts/two-people.spec",
]

const copy = useRecipeCopy([
  "integration-tests/modules/accounts/every-setting.spec.ts",
  "integration-tests/modules/accounts/two-people.spec.ts",
])

it("a setting is added by one row, and one word for each language", async () => {
  const [row = ""] = blocksOf(recipeOf("Add a setting of an account"), "ts")
  const before = "  money_out: flag({"
  copy.change("src/core/account-settings.ts", `\n${before}`, `\n${row}${before}`)
  const words = { en: "Wrap gifts", fr: "Emballer les cadeaux" }
  for (const [language, word] of Object.entries(words)) {
    const next = '    "cards_at_once":'
    copy.change(`src/admin/i18n/${language}.json`, next, `    "${NAME}": "${word}",\n${next}`)
  }
  const played = await copy.played(PLAYED, ["modules", "unit"])
  expect(played.filter(([, status]) => status !== "passed")).toEqual([])
  expect(played.map(([name]) => name).filter((name) => name.includes(NAME))).toEqual([
    expect.stringContaining(`a change of policies.${NAME} is made by two admins`),
    expect.stringContaining("that needs no second admin is made by user_ada alone"),
    expect.stringContaining("that needs no second admin is made by apk_"),
    expect.stringContaining(`a change of policies.${NAME} is made by one admin`),
  ])
})
