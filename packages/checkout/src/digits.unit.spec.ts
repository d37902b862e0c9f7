import fc from "fast-check"
import { phoneText } from "../../../src/core/phone-text.js"
import { digitsOf } from "./digits.js"

it("the digits of a number are those that the store reads in it, in every script and between all marks", () => {
  const digit = fc.nat(0x1ffff).map((at) => String.fromCodePoint(at))
  const text = fc.array(digit.filter((one) => /[\p{Nd}\p{P}\p{Z}\p{Cf}\p{M}]/u.test(one)))
  fc.assert(
    fc.property(text, (characters) => {
      const typed = characters.join("")
      const read = phoneText(typed)?.replace("+", "") ?? ""
      // A number that begins with 00 is read as an international one.
      expect([read, `00${read}`]).toContain(digitsOf(typed))
    }),
    { numRuns: 2_000 },
  )
})
