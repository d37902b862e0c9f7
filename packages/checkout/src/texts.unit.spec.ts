import { readFileSync } from "node:fs"
import { join } from "node:path"
import { COUNTRIES } from "../../../src/core/markets.js"
import { END_REASONS as ANSWERED, REVIEW_REASONS } from "../../../src/core/operation.js"
import { REFUSALS } from "../../../src/core/messages/refusal.en.js"
import { END_REASONS, PAYMENT_STATES, readStatus } from "./status.js"
import { Refused } from "./store.js"
import { moneyText, phoneText, problemText, reasonText, sayIn } from "./texts.js"
import { en, type TextKey } from "./texts/en.js"
import { fr } from "./texts/fr.js"
import { enParts, type PartKey } from "./texts/en-parts.js"
import { rw } from "./texts/rw.js"

type Key = TextKey | PartKey
const english: Readonly<Record<Key, string>> = { ...en, ...enParts }
const LANGUAGES = { en: english, fr, rw }
const holesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort()

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "")
const namesOf = (country: string, language: string) =>
  ["en", language].map((one) => new Intl.DisplayNames(one, { type: "region" }).of(country) ?? "")

describe.each(Object.entries(LANGUAGES))("texts in %s", (language, texts) => {
  it.each(COUNTRIES)("name %s among the countries whose numbers can pay", (country) => {
    const said = plain(texts["problem.invalid_phone"])
    expect(namesOf(country, language).some((name) => said.includes(plain(name)))).toBe(true)
  })

  it("have every key, with the same facts in it", () => {
    for (const key of Object.keys(english) as Key[]) {
      expect([key, holesOf(texts[key])]).toEqual([key, holesOf(english[key])])
      expect(texts[key].trim()).not.toBe("")
    }
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort())
  })

  it("say each refusal that a shopper can meet, and any other in general words", () => {
    const say = sayIn(texts)
    const refused = (code: string) => problemText(say, new Refused(409, code, "", null, {}))
    for (const code of shopperCodes())
      expect([code, refused(code)]).not.toContain(say("problem.other"))
    expect(refused("of_tomorrow")).toBe(say("problem.other"))
  })

  it("say any other refusal of the store in words, never by its code", () => {
    const say = sayIn(texts)
    for (const [code, status] of everyCode()) {
      const said = problemText(say, new Refused(status, code, "", null, { missing: ["items"] }))
      expect([
        code,
        Object.values(texts).includes(said) || said.includes(say("missing.items")),
      ]).toEqual([code, true])
    }
  })

  it("say why a payment ended, each reason in words of its own", () => {
    const say = sayIn(texts)
    const said = END_REASONS.map((reason) => reasonText(say, { reason }))
    expect(new Set(said).size).toBe(END_REASONS.length)
    expect(reasonText(say, { reason: "of_tomorrow" })).toBe(say("reason.unknown"))
  })
})

it("are English where a shop's own words are older than the kit", () => {
  const { "approve.menu": _new, ...older } = fr
  const say = sayIn(older as typeof fr)
  const facts = { menu: "*1#", operator: "O" }
  expect(say("approve.menu", facts)).toBe("No request there? Dial *1# (O).")
})

/** Of every refusal and situation of the plugin, an admin's, too. */
function everyCode(): [string, number][] {
  return Object.entries(REFUSALS).flatMap(([status, situations]) =>
    Object.keys(situations).map((key): [string, number] => {
      const [code = ""] = key.split(".")
      return [code, Number(status)]
    }),
  )
}

/** The codes of the routes' documentation that are no admin's and no mistake of the shop's. */
function shopperCodes(): string[] {
  const page = readFileSync(join(__dirname, "../../../docs/storefront.md"), "utf8")
  const rows = [...page.matchAll(/^\| `(\w+)` \| \d{3} \| (.*) \|$/gm)]
  const codes = rows.flatMap(([, code = "", advice = ""]) =>
    /admin|refund|mistake of the shop|^Nothing was sent/i.test(advice) ? [] : [code],
  )
  expect(codes.length).toBeGreaterThan(10)
  return codes
}

it.each(Object.entries(LANGUAGES))(
  "say a situation that has words of its own, in %s",
  (_, texts) => {
    const say = sayIn(texts)
    const facts = { most: { amount: "500", currency: "LRD" }, id: "x" }
    const refused = (situation: unknown, own: object = facts) =>
      problemText(say, new Refused(422, "gateway_refused", "", null, { situation, facts: own }))
    expect(refused("gateway_refused.too_large")).toContain("LRD 500")
    expect(refused("gateway_refused.of_tomorrow")).toBe(say("problem.gateway_refused"))
    expect(refused(undefined)).toBe(say("problem.gateway_refused"))
    expect(refused({})).toBe(say("problem.gateway_refused"))
  },
)

it("says a limit in the page's way of writing money, and no limit that is not one", () => {
  const situation = "gateway_refused.too_large"
  const facts = { most: { amount: "1500.5", currency: "LRD" } }
  const refused = (body: object) =>
    problemText(
      sayIn(en),
      new Refused(422, "gateway_refused", "", null, { ...body }),
      (sum, unit) => moneyText(sum, unit, "en"),
    ).replaceAll("\u00a0", " ")
  expect(refused({ situation, facts })).toContain("LRD 1,500.50 is the most")
  for (const most of [null, "500", { amount: "many", currency: "LRD" }, { amount: "5" }]) {
    expect(refused({ situation, facts: { most } })).toBe(en["problem.gateway_refused"])
  }
})

describe("STATUS in the kit", () => {
  it("knows every state and reason that the store answers", () => {
    expect([...END_REASONS].sort()).toEqual([...ANSWERED].sort())
    // A payment under review tells no reason.
    expect(
      END_REASONS.filter((one) => (REVIEW_REASONS as readonly string[]).includes(one)),
    ).toEqual([])
    for (const state of PAYMENT_STATES) expect(readStatus({ id: "a", state })?.state).toBe(state)
    expect(readStatus({ state: "paid" })).toBeNull()
  })
})

describe("amounts and numbers", () => {
  it("are written with the code of the currency, in the way of the language", () => {
    expect(moneyText(5601.12, "LRD", "en").replaceAll("\u00a0", " ")).toBe("LRD 5,601.12")
    expect(moneyText(5601.12, "LRD", "fr").replaceAll(/\s/g, " ")).toBe("5 601,12 LRD")
    expect(moneyText(1200, "RWF", "en").replaceAll("\u00a0", " ")).toBe("RWF 1,200")
    expect(phoneText(sayIn(en), { phone_hint: "456" })).toBe("the phone ending in 456")
  })
})

describe("French", () => {
  it.each(Object.entries(fr))("is set as French is: %s", (_key, text) => {
    expect(text).not.toMatch(/'| [?!;:](?:\s|$)/)
  })

  it("has one word for to approve, and one for to pay once more", () => {
    const all = Object.values(fr).join("\n")
    expect(all).not.toMatch(/approuv|une autre fois|de nouveau|seconde fois/i)
    expect(all).toContain("payer à nouveau")
  })
})
