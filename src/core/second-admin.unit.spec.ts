import { isPerson } from "./account-policies"

it.each([
  ["user_01JADA", true],
  ["ada@example.com", true],
  ["apk_01JKEY", false],
])("%s is a person: %s", (id, expected) => {
  expect(isPerson(id)).toBe(expected)
})
