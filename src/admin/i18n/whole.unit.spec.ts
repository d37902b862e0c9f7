/** Asked of the sources themselves: whoever writes a new sentence into them is told what it lacks. */
import { REFUSALS_FR, refusalInFrench } from "./refusals-fr"
import { FIELD, invalidIn } from "../../../integration-tests/support/sentences/invalid"
import {
  readSources,
  type Found,
  type Text,
} from "../../../integration-tests/support/sentences/sources"
import {
  errorsIn,
  INNER_WHY,
  namesIn,
  reasonsIn,
  SAMPLE,
} from "../../../integration-tests/support/sentences/story"
import { whyInFrench } from "./why-fr"
import { en, fr } from "./words"

const sources = readSources()
const reasons = reasonsIn(sources)
const names = namesIn(sources)
const invalid = invalidIn(sources)

const sentenceOf = (text: Text) => text.map((part) => part.text).join("")
const titlesOf = (words: { readonly timeline: Readonly<Record<string, string>> }) => words.timeline

/** `src/core/money.ts:12: "it rains" …`, once for each. */
function lacks(found: Found, lackOf: (text: Text) => string | undefined): string[] {
  const lacking = found.texts.flatMap((text) => {
    const lack = lackOf(text)
    return lack === undefined ? [] : `${placesOf(text)}: "${sentenceOf(text)}" ${lack}`
  })
  return [...new Set([...found.unclear, ...lacking])]
}

function placesOf(text: Text): string {
  const said = text.filter((part) => /[a-z]/i.test(part.text))
  return [...new Set(said.flatMap(({ place }) => place ?? []))].join(", ")
}

function lackOfReason(text: Text): string | undefined {
  const english = sentenceOf(text)
  const french = whyInFrench(english)
  const isAlwaysSame = text.every(({ place }) => place !== undefined)
  const file = `src/admin/i18n/why-${isAlwaysSame ? "whole" : "patterns"}-fr.ts`
  if (french === english) return `has no French in ${file}`
  const left = text.flatMap(runsOf).find((run) => spaced(french).includes(run))
  if (left !== undefined) return `is half English: "${french}" (${file})`
  const times = (said: string) => said.split(SAMPLE).length
  return times(french) === times(english) ? undefined : `loses what is in it: "${french}" (${file})`
}

/** Three words in a row of what is written down: if French has them, it has them from English. */
function runsOf({ text, place }: Text[number]): string[] {
  if (place === undefined && text !== INNER_WHY) return []
  const words = spaced(text).trim().split(" ")
  return words.slice(2).map((_, start) => ` ${words.slice(start, start + 3).join(" ")} `)
}

const spaced = (text: string) => ` ${(text.match(/[\p{L}\d_'-]+/gu) ?? []).join(" ")} `

function lackOfName(text: Text): string | undefined {
  const name = sentenceOf(text)
  const without = Object.entries({ en, fr }).filter(([, words]) => !titlesOf(words)[name])
  const files = without.map(([language]) => `src/admin/i18n/payments-${language}.ts`)
  return files.length === 0 ? undefined : `has no title under "timeline" in ${files.join(" and ")}`
}

function lackOfInvalid(text: Text): string | undefined {
  const sentence = sentenceOf(text).replace(/^\w+: /, "")
  const isKnown = refusalInFrench("invalid_request", sentence) !== REFUSALS_FR["invalid_request"]
  return isKnown ? undefined : "has no French in src/admin/i18n/invalid-fr.ts"
}

describe("what the sources say", () => {
  it("is in French wherever it is a reason in an operation's story", () => {
    expect(lacks(reasons, lackOfReason)).toEqual([])
  })

  it("is in French wherever it is an error that becomes a part of a reason", () => {
    expect(lacks(errorsIn(sources), lackOfReason)).toEqual([])
  })

  it("has a title in both languages wherever it is the name of an event", () => {
    expect(lacks(names, lackOfName)).toEqual([])
  })

  it("is in French wherever something that was typed in is wrong", () => {
    expect(lacks(invalid, lackOfInvalid)).toEqual([])
  })
})

describe("what the sources say is found", () => {
  it.each([
    ["src/core/decide-push.ts", "FAILED a second time; asking its source"],
    ["src/core/decision.ts", "status of the execution: no trustworthy answer"],
    ["src/core/decide-after-end.ts", "its source is paid; by which payment is not known"],
    ["src/core/settlement.ts", "the order is paid in another way"],
    ["src/flows/close-unpaid-order.ts", "a source of the order is paid after all"],
    ["src/flows/start/publish-source.ts", `its total is ${SAMPLE} ${SAMPLE}`],
    ["src/flows/persist.ts", `${INNER_WHY}; another operation holds the collection: surplus`],
    ["src/ledger/adopt-money.ts", "the payment went on with another document"],
    ["src/ledger/insert-draft.ts", "an admin makes a payment link"],
    ["src/ledger/prune.ts", "the events before were kept for their time"],
  ])("in %s: %s", (file, sentence) => {
    const found = reasons.texts.filter((text) => sentenceOf(text).endsWith(sentence))
    expect(found.map(placesOf).join()).toContain(`${file}:`)
  })

  it.each(["doubt", "order_left", "contradicted", "refund_released", "returned", "snapshot"])(
    "as the name of an event: %s",
    (name) => {
      expect(names.texts.map(sentenceOf)).toContain(name)
    },
  )

  it("of an address, beside its field", () => {
    const sentence = `${FIELD}: The gateway's address must not have a path.`
    expect(invalid.texts.map(sentenceOf)).toContain(sentence)
  })
})

describe("what nobody has translated", () => {
  const unknown = readSources({
    "src/flows/rain.ts": `
      import { Refusal } from "../core/refusal"
      import { persist } from "./persist"
      const NIGHT = "at night"
      declare const city: string, database: never, operation: never
      export async function rain(isHail: boolean, how: string) {
        await persist(database, operation, {
          event: { note: isHail ? "hailed" : "rained" },
          why: \`it \${isHail ? "hails" : "rains"} in \${city} \${how}\`,
        })
        await persist(database, operation, { event: "see", why: how.trim() })
        let changed = "it stops"
        if (isHail) changed = "it goes on"
        await persist(database, operation, { event: "see", why: changed })
        await persist(database, operation, {
          event: "see",
          why: "Medusa could not take the money: it rains too much",
        })
        throw new Refusal("invalid_request", \`weather: \${NIGHT}\`)
      }
      void rain(true, NIGHT)`,
    "src/ledger/snow.ts": `
      export const SNOW = \`
        insert into mp_operation_event (operation_id, seq, name, state, why, facts)
        select id, version, 'snowed', state, case when cold then 'it snows' else 'it thaws' end, '{}'
          from moved\`
      export const FOG = \`
        insert into mp_operation_event (operation_id, seq, name, state, why, facts)
        select id, version, lower(name), state, $2, '{}' from moved\``,
  })

  it("is told as a reason, with its place", () => {
    expect(lacks(reasonsIn(unknown), lackOfReason)).toEqual([
      "src/flows/rain.ts:11: it can't be told what this is: how.trim()",
      "src/flows/rain.ts:14: it can't be told what this is: changed",
      "src/ledger/snow.ts:6: the why of an event can't be read in this statement",
      `src/flows/rain.ts:9, src/flows/rain.ts:4: "it hails in ${SAMPLE} at night" has no French in src/admin/i18n/why-patterns-fr.ts`,
      `src/flows/rain.ts:9, src/flows/rain.ts:4: "it rains in ${SAMPLE} at night" has no French in src/admin/i18n/why-patterns-fr.ts`,
      `src/flows/rain.ts:17: "Medusa could not take the money: it rains too much" is half English: "Medusa n'a pas pu prendre l'argent : it rains too much" (src/admin/i18n/why-whole-fr.ts)`,
      `src/ledger/snow.ts:2: "it snows" has no French in src/admin/i18n/why-whole-fr.ts`,
      `src/ledger/snow.ts:2: "it thaws" has no French in src/admin/i18n/why-whole-fr.ts`,
    ])
  })

  it("is told as a name, with its place", () => {
    const where =
      'has no title under "timeline" in src/admin/i18n/payments-en.ts and src/admin/i18n/payments-fr.ts'
    expect(lacks(namesIn(unknown), lackOfName)).toEqual([
      "src/ledger/snow.ts:6: the name of an event can't be read in this statement",
      `src/flows/rain.ts:8: "hailed" ${where}`,
      `src/flows/rain.ts:8: "rained" ${where}`,
      `src/ledger/snow.ts:2: "snowed" ${where}`,
    ])
  })

  it("is told of what was typed in, with its place", () => {
    expect(lacks(invalidIn(unknown), lackOfInvalid)).toEqual([
      'src/flows/rain.ts:19, src/flows/rain.ts:4: "weather: at night" has no French in src/admin/i18n/invalid-fr.ts',
    ])
  })
})
