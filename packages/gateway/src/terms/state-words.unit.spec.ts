import fc from "fast-check"
import { executionStateOf, ownStateWords, sessionStateOf, sourceStateOf } from "./state-words"

const MONEY_OUT = ["REFUND", "PAYOUT", "TRANSFER"] as const

describe("the state of an execution", () => {
  it.each([
    ["Completed", "COMPLETED"],
    ["COMPLETED ", "COMPLETED"],
    ["\tcompleted\u00a0", "COMPLETED"],
    ["SUCCESSFUL", "COMPLETED"],
    ["Failed", "FAILED"],
    ["CANCELLED", "FAILED"],
    ["CANCELED", "FAILED"],
    ["REJECTED", "FAILED"],
    ["DECLINED", "FAILED"],
    ["In-Progress", "PROCESSING"],
    ["pending", "PENDING"],
    ["Charged back", "REVERSED"],
  ])("%j reads %s, of any money", (word, state) => {
    for (const type of ["COLLECTION", ...MONEY_OUT] as const) {
      expect(executionStateOf(word, type)).toBe(state)
    }
  })

  it.each([
    ["EXPIRED", "FAILED"],
    ["TIMED_OUT", "FAILED"],
    ["timed out", "FAILED"],
    ["SUCCESS", "COMPLETED"],
    ["Paid", "COMPLETED"],
    ["REFUNDED", "REVERSED"],
  ])("%j reads %s only of a collection, which has a second witness", (word, state) => {
    expect(executionStateOf(word, "COLLECTION")).toBe(state)
    for (const type of MONEY_OUT) expect(executionStateOf(word, type)).toBeUndefined()
  })

  it.each([
    ["NOT COMPLETED"],
    ["INCOMPLETE"],
    ["PARTIALLY_COMPLETED"],
    ["COMPLETED_WITH_ERRORS"],
    ["COMPLETED/FAILED"],
    ["COMPLETED?"],
    ["APPROVED"],
    ["ACCEPTED"],
    ["OK"],
    ["ERROR"],
    ["CLOSED"],
    ["1"],
    ["toString"],
    ["__proto__"],
  ])("%j could be either, and is not read", (word) => {
    expect(executionStateOf(word, "COLLECTION")).toBeUndefined()
    expect(sourceStateOf(word)).toBeUndefined()
  })
})

it.each([
  ["Paid", "PAID"],
  [" PAID", "PAID"],
  ["Fully paid", "PAID"],
  ["Cancelled", "CANCELED"],
  ["EXPIRED", "CANCELED"],
  ["in progress", "PROCESSING"],
  ["open", "ACTIVE"],
  ["draft", "IDLE"],
  ["Reversed", "REVERSED"],
])("the state %j of a source reads %s", (word, state) => {
  expect(sourceStateOf(word)).toBe(state)
})

it.each([
  "UNPAID_PARTLY",
  "NOT_PAID",
  "PARTIALLY_PAID",
  "OVERPAID",
  "COMPLETED",
  "SETTLED",
  "PENDING",
])("the state %j of a source is not read", (word) => expect(sourceStateOf(word)).toBeUndefined())

it("a session is active in any case", () => {
  expect(sessionStateOf("active ")).toBe("ACTIVE")
  expect(sessionStateOf("INACTIVE")).toBeUndefined()
})

it("case, blanks and separators never change what is read", () => {
  const gaps = fc.stringMatching(/^[ _.\t\u00a0\u200b-]{0,3}$/)
  const written = fc
    .tuple(fc.constantFrom("COMPLETED", "PAID", "DECLINED", "WHATEVER"), fc.infiniteStream(gaps))
    .chain(([word, between]) =>
      fc.infiniteStream(fc.boolean()).map((isLower) => ({
        word,
        text: [...word].reduce((text, letter) => {
          const [gap, lower] = [between.next().value, isLower.next().value]
          return `${text}${lower ? letter.toLowerCase() : letter}${gap ?? ""}`
        }, ""),
      })),
    )
  fc.assert(
    fc.property(written, ({ word, text }) => {
      expect(executionStateOf(text, "COLLECTION")).toBe(executionStateOf(word, "COLLECTION"))
      expect(sourceStateOf(text)).toBe(sourceStateOf(word))
    }),
  )
})

describe("an account's own words", () => {
  it("are added to the state that they name", () => {
    const { words, wrong } = ownStateWords({
      "execution.COMPLETED": "Abgeschlossen, OK",
      "source.PAID": "SETTLED",
      OPERATOR3_RWA: "LIVE",
      "OPERATOR3_RWA.label": "Live",
    })
    expect(wrong).toEqual([])
    expect([...words.execution]).toEqual([
      ["ABGESCHLOSSEN", "COMPLETED"],
      ["OK", "COMPLETED"],
    ])
    expect([...words.source]).toEqual([["SETTLED", "PAID"]])
  })

  it.each([
    ["a state that there is not", { "execution.DONE": "OK" }],
    ["a word that has another meaning", { "execution.COMPLETED": "OK, declined" }],
    ["a word of a collection alone", { "execution.COMPLETED": "TIMED_OUT" }],
    ["an open document as a paid one", { "source.PAID": "un-paid" }],
    ["no word", { "source.PAID": " , " }],
    ["one word for two states", { "execution.COMPLETED": "OK", "execution.FAILED": "ok" }],
    ["no state at all", { "source.": "OK" }],
  ])("can't be %s", (_what, names) => {
    expect(ownStateWords(names).wrong).toHaveLength(1)
  })
})
