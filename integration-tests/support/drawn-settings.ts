/** Values of an account's settings, drawn by what each of them holds. */
import fc from "fast-check"
import type { Setting } from "../../src/core/account-settings"
import { MARKET_CURRENCIES } from "../../src/core/markets"

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
const amounts = fc.dictionary(fc.constantFrom("USD", "LRD", "RWF", "*"), fc.nat(), { minKeys: 1 })

const BY_KIND = {
  flag: fc.boolean(),
  amounts: fc.option(amounts),
  text: word,
  address: fc.option(word.map((name) => `https://${name}.example`)),
  currencies: fc.subarray([...MARKET_CURRENCIES]),
  // A word that means an end of a payment may not be said to mean another.
  names: fc.dictionary(fc.constantFrom("card", "OPERATOR1_LBR", "OPERATOR3_RWA.menu_code"), word),
}

const drawn = (row: Setting): fc.Arbitrary<unknown> => {
  if (row.holds === "choice") return fc.constantFrom(...row.of)
  return row.holds === "number" ? fc.integer({ min: 1, max: row.max }) : BY_KIND[row.holds]
}

/** Each setting of a table, with a value of its own. */
export function drawnFrom<Values>(table: Readonly<Record<string, Setting>>): fc.Arbitrary<Values> {
  const all = Object.entries(table).map(([name, row]) => [name, drawn(row)] as const)
  return fc.record(Object.fromEntries(all)) as fc.Arbitrary<Values>
}
