import { COUNTRIES, MARKETS } from "../../core/markets"
import { REFUSALS } from "../../core/messages/refusal.en"
import { fr } from "./words"

const english: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(REFUSALS))
const french = fr.refusal

const holes = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

it("the French refusals have the keys of the catalogue", () => {
  expect(Object.keys(french)).toEqual(Object.keys(english))
})

it.each(Object.entries(french))("%s has the same facts in French", (key, text) => {
  expect(holes(text)).toEqual(holes(english[key] ?? ""))
})

it.each(COUNTRIES)("%s is among the countries whose numbers are taken, in French", (country) => {
  expect(french["invalid_phone.other_country"]).toContain(`(+${MARKETS[country].phone.prefix})`)
})
