/** The page that says what an account's `wire_names` are names every key that the code reads. */
import fs from "node:fs"
import path from "node:path"
import { EXECUTION_STATES, SOURCE_STATES } from "../../src/core/decide/state-words"
import { OPERATORS } from "../../src/core/markets"

const page = fs.readFileSync(path.resolve(__dirname, "../../docs/install.md"), "utf8")
const [, section = ""] = page.split("### Names of the operators")
const [table = ""] = section.split("\n## ")

it.each([
  ...OPERATORS.map(({ method }) => method),
  ...EXECUTION_STATES.map((state) => `execution.${state}`),
  ...SOURCE_STATES.map((state) => `source.${state}`),
  ...[".label", ".menu_code", "MOBILE_MONEY_GATEWAY", "CARD_PROCESSOR", "portal.transactions"],
])("docs/install.md names the key %s", (key) => {
  expect(table).toContain(`\`${key}\``)
})
