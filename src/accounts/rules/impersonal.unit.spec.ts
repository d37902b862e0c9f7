import fc from "fast-check"
import { MESSAGES } from "../../core/messages"
import { impersonal, impersonalText } from "./impersonal"

/** No word of the plugin's own has two of these in a row. */
const name = fc.stringMatching(/^[A-Z][a-z]{1,8}qj[a-zé]{0,4}$/)
const digits = fc.stringMatching(/^(\+?231|0|\+250 |00231 )?7[0-9]{8}$/)
const separator = fc.constantFrom("", " ", "-", ".", ") ", "\u200b", "\u00a0", "/")
const phone = fc
  .tuple(digits, separator, separator)
  .map(([all, one, two]) => all.slice(0, -6) + one + all.slice(-6, -3) + two + all.slice(-3))
const address = fc.tuple(name, name).map(([who, where]) => `${who}@${where}.example`)
const around = fc.constantFrom(
  "",
  " ",
  "merchant payments: ",
  '"',
  "/",
  "=",
  "@",
  "\n",
  "_",
  "…",
  "12 ",
)

const held = (text: string) => text.replace(/\P{Nd}/gu, "")

it("no name, e-mail address or phone number is left, wherever it stands", () => {
  const text = fc.tuple(around, name, around, address, around, phone, around)
  fc.assert(
    fc.property(text, (parts) => {
      const kept = impersonalText(parts.join(""))
      expect(kept).not.toMatch(/qj/i)
      expect(held(kept)).not.toContain(held(parts[5]).slice(-7))
    }),
    { numRuns: 2_000 },
  )
})

it("none is left in a value either, in its keys or below", () => {
  const one = fc.oneof(name, address, phone)
  fc.assert(
    fc.property(one, one, fc.integer({ min: 1_000_000 }), (key, value, number) => {
      const kept = JSON.stringify(impersonal({ [key]: [{ note: value, number }] }))
      expect(kept).not.toMatch(/qj/i)
      for (const text of [key, value].filter((each) => held(each).length > 6)) {
        expect(held(kept)).not.toContain(held(text).slice(-7))
      }
      expect(kept).not.toContain(String(number))
    }),
  )
})

it.each([
  "mpop_0123456789abcdef0123456789abcdef",
  "order_01JABCDEFGHJKMNPQRSTVWXYZ0",
  "4f9c0a52-5f0b-4b0e-9a58-6c1c52a9a111",
  "2026-11-28T03:30:00.123Z",
  "19.99",
  "cart_changed",
])("keeps %s", (text) => expect(impersonalText(text)).toBe(text))

it("keeps what the plugin says itself", () => {
  const said = Object.values(MESSAGES.event).filter((text) => !text.includes("{{"))
  expect(said.map(impersonalText)).toEqual(said)
})

it("leaves out secrets", () => {
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
  const kept = impersonalText(`merchant payments: Bearer ${token} {"passcode": "4821", pin=99 12`)
  expect(kept).not.toMatch(/ey|4821|99/)
  expect(kept).toMatch(/^merchant payments: .* 12$/)
})
