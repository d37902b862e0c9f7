import { isWholePhone } from "./phone"

test.each([
  ["12", false],
  ["", false],
  ["0770 12", false],
  ["call me 0770123456", false],
  ["+231 770 123 456", true],
  ["0770 123 456", true],
  ["(617) 555-0143", true],
])("%j can be a whole phone number: %s", (text, isWhole) => {
  expect(isWholePhone(text)).toBe(isWhole)
})
