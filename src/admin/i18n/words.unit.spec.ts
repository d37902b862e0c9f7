import { ACCOUNT_POLICIES, ACCOUNT_SETTINGS, type Setting } from "../../core/account-settings"
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
  const { refusal, ...pages } = fr
  expect(Object.keys(refusal)).not.toEqual([])
  expect(keys(pages).sort()).toEqual(keys(en).sort())
  expect(flat(fr).filter(([, text]) => text === "")).toEqual([])
})

it("French is set as French: its spaces do not break, and are narrow where they have to be", () => {
  expect(fr.review.confirm_accept).toBe("Accepter {{amount}}\u202F?")
  expect(fr.payouts.subtitle).toContain("«\u202FArrivé\u202F»")
  expect(fr.review.order).toBe("Commande n°\u00A0{{number}}")
  expect(flat(fr).filter(([, text]) => / [:;!?»]|« /.test(text))).toEqual([])
})

it("French speaks to one person, politely, with one word for a thing", () => {
  const wrong = /\b(?:tu|ton|ta|tes|toi|captur\w*|second administrateur)\b| …/i
  expect(flat(fr).filter(([, text]) => wrong.test(text))).toEqual([])
})

it("each setting of an account has its words, and each of its choices", () => {
  const settings: Readonly<Record<string, Setting>> = { ...ACCOUNT_SETTINGS, ...ACCOUNT_POLICIES }
  const needed = Object.entries(settings).flatMap(([name, row]) => [
    name,
    ...(row.holds === "choice" ? row.of.map((one) => `${name}_${one ?? "unset"}`) : []),
  ])
  expect(needed.filter((key) => !Object.hasOwn(en.account, key))).toEqual([])
})
