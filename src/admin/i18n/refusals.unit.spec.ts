import { REFUSALS } from "../../core/refusals"
import french from "./refusals.fr.json"

const english: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(REFUSALS))

const namesIn = (text: string, hole: RegExp) => [...text.matchAll(hole)].map(([, name]) => name)

it("the French refusals have the keys of the catalogue", () => {
  expect(Object.keys(french)).toEqual(Object.keys(english))
})

it.each(Object.entries(french))("%s has the same facts in French", (key, text) => {
  const facts = namesIn(english[key] ?? "", /\{(\w+)\}/g)
  expect(namesIn(text, /\{\{(\w+)\}\}/g).sort()).toEqual(facts.sort())
})
