import { en, fr } from "./words"

type Texts = { readonly [key: string]: string | Texts }

function flat(texts: Texts, path = ""): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[`${path}${key}`, value] as [string, string]]
      : flat(value, `${path}${key}.`),
  )
}

const holes = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

it("the admin's words have the same keys and facts in French as in English", () => {
  const keys = (texts: Texts) => flat(texts).map(([key, text]) => [key, ...holes(text)].join(" "))
  expect(keys(fr).sort()).toEqual(keys(en).sort())
  expect(flat(fr).filter(([, text]) => text === "")).toEqual([])
})
