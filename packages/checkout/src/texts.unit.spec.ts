import { readFileSync } from "node:fs"
import { join } from "node:path"
import { END_REASONS as ANSWERED, REVIEW_REASONS } from "../../../src/core/operation.js"
import { REFUSALS } from "../../../src/core/refusals.js"
import { END_REASONS, PAYMENT_STATES, readStatus } from "./status.js"
import { Refused } from "./store.js"
import { moneyText, phoneText, problemText, reasonText, sayIn } from "./texts.js"
import { en, type TextKey } from "./texts/en.js"
import { fr } from "./texts/fr.js"
import { partTexts } from "./texts/parts.js"
import { rw } from "./texts/rw.js"

const LANGUAGES = { en, fr, rw }
const holesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort()

describe.each(Object.entries(LANGUAGES))("texts in %s", (_language, texts) => {
  it("have every key, with the same facts in it", () => {
    for (const key of Object.keys(en) as TextKey[]) {
      expect([key, holesOf(texts[key])]).toEqual([key, holesOf(en[key])])
      expect(texts[key].trim()).not.toBe("")
    }
    expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort())
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

describe.each(Object.keys(LANGUAGES))("what the components say in %s", (language) => {
  it("has every key, with the same facts in it", () => {
    const [texts, english] = [partTexts(language), partTexts("en")]
    const shapeOf = (said: typeof texts) =>
      Object.entries(said).map(([key, text]) => [key, holesOf(text), text.trim() !== ""])
    expect(shapeOf(texts).sort()).toEqual(shapeOf(english).sort())
    if (language !== "en") expect(texts["other.ask"]).not.toBe(english["other.ask"])
  })

  it("is chosen by a longer tag, too", () => {
    expect(partTexts(`${language}-XX`)).toBe(partTexts(language))
  })
})

it("says what the components say in English where the kit lacks the language", () => {
  expect(partTexts("de")).toBe(partTexts("en"))
})

it("are English where a shop's own words are older than the kit", () => {
  const { "approve.menu": _new, ...older } = fr
  const say = sayIn(older as typeof fr)
  const facts = { menu: "*1#", operator: "O" }
  expect(say("approve.menu", facts)).toBe("No request there? Dial *1# (O).")
})

/** Of every refusal and situation of the plugin, an admin's, too; the code alone decides. */
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
