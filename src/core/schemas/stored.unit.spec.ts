import { readAs, storedFees, storedLines } from "./stored"
import { accountChanges } from "./stored-account"

it("lines are read with each digit, and a line without an amount makes the row unreadable", () => {
  const line = { name: "T-shirt", quantity: 2, minor: "9007199254740993" }
  expect(readAs(storedLines, [line])).toEqual([{ ...line, minor: 9_007_199_254_740_993n }])
  expect(readAs(storedLines, null)).toEqual([])
  expect(readAs(storedLines, [{ ...line, minor: "much" }])).toBeUndefined()
})

it("a fee that an earlier version did not write is absent, and the others stay", () => {
  const fees = { platform: "0.10", gateway: null, fx: null, currency: null }
  expect(readAs(storedFees, { platform: "0.10" })).toEqual(fees)
  expect(readAs(storedFees, "none")).toBeNull()
})

it("a change that the environment noted without its former value is read", () => {
  expect(readAs(accountChanges, { realtime_url: { to: "wss://gateway.example" } })).toEqual({
    realtime_url: { from: null, to: "wss://gateway.example" },
  })
})

it("a line without a number of pieces leaves its payment readable", () => {
  expect(storedLines.parse([{ name: "Mug", minor: "1999" }])).toEqual([
    { name: "Mug", quantity: Number.NaN, minor: 1999n },
  ])
})
