import { money } from "../../integration-tests/support/an-operation"
import { isPerson, needsSecondAdmin } from "./second-admin"

describe("a refund needs a second admin", () => {
  it.each([
    [null, money(1_000_000), false],
    [{}, money(1_000_000), false],
    [{ "*": 100 }, money(10_000), false],
    [{ "*": 100 }, money(10_001), true],
    [{ "*": 100 }, money(101, "RWF"), true],
    [{ USD: 100 }, money(10_001), true],
    [{ USD: 100 }, money(10_001, "LRD"), false],
    [{ USD: 100, "*": 5 }, money(501, "LRD"), true],
    [{ USD: 0 }, money(1), true],
    [{ USD: 0.1 }, money(10), false],
    [{ USD: Number.NaN }, money(1), true],
  ] as const)("with %j, of %j: %s", (above, amount, expected) => {
    expect(needsSecondAdmin(above, amount)).toBe(expected)
  })
})

it.each([
  ["user_01JADA", true],
  ["ada@example.com", true],
  ["apk_01JKEY", false],
])("%s is a person: %s", (id, expected) => {
  expect(isPerson(id)).toBe(expected)
})
