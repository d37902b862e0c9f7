import { createHash } from "node:crypto"
import fc from "fast-check"
import { MESSAGES } from "../../core/messages"
import { impersonal as impersonalBy, impersonalFacts, impersonalText as textBy } from "./impersonal"

const digest = (text: string) => createHash("sha256").update(text).digest("base64url")
const impersonalText = (text: string) => textBy(text, digest)
const impersonal = (value: unknown) => impersonalBy(value, digest)

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

it.each(["2026-11-28T03:30:00.123Z", "10:22:33", "19.99", "2.21.2", "cart_changed"])(
  "keeps %s",
  (text) => expect(impersonalText(text)).toBe(text),
)

const ulid = fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/)
const hex = fc.stringMatching(/^[0-9a-f]{32}$/)
const kind = fc.constantFrom(
  ...["mpop", "mpacc", "mpcred", "mpappr", "payses", "pay", "pay_col", "order", "cart", "cus"],
  ...["ref", "ordli", "user", "sloc", "sk", "pk", "apk", "invite", "authid", "zzz"],
)
const id = fc.oneof(
  fc.tuple(kind, fc.oneof(ulid, hex)).map(([of, random]) => ({ random, text: `${of}_${random}` })),
  fc.uuid().map((text) => ({ random: text, text })),
  fc.stringMatching(/^[0-9a-f]{64}$/).map((random) => ({ random, text: `sk_${random}` })),
)

it("[D11] an id or a key of any kind stands nowhere, and equal ids stay equal", () => {
  fc.assert(
    fc.property(id, fc.tuple(around, around), ({ random, text }, [before, after]) => {
      const line = impersonalText(`${before}${text}${after} of ${text}`)
      const value = JSON.stringify(impersonal({ [text]: text, order_id: text, note: [{ text }] }))
      for (const part of [random, random.slice(0, 12), random.slice(-12)]) {
        expect(line).not.toContain(part)
        expect(value).not.toContain(part)
      }
    }),
    { numRuns: 2_000 },
  )
  const [one = "", other = ""] = ["A", "B"].map((last) => `order_01JABCDEFGHJKMNPQRSTVWXYZ${last}`)
  expect(impersonalText(`${one} ${one}`)).toMatch(/^(order#[0-9a-f]{10}) \1$/)
  expect(impersonalText(one)).not.toBe(impersonalText(other))
  expect(impersonalFacts({ order_id: one }, digest)).toEqual({ order_id: impersonalText(one) })
})

it.each([
  "10.1.2.3",
  "1.1.1.1",
  "::1",
  "fe80::1",
  "1:2:3:4:5:6:7:8",
  "2001:db8::7",
  "a@b",
  "a@b.c",
])("[D11] the short address %s is left out", (text) => {
  for (const place of [text, `at ${text}.`, `"${text}"`, `(${text}):`, `to=${text},`]) {
    const kept = impersonalText(place)
    expect(kept).not.toMatch(/\d|[a-f]@|db|fe|::/)
  }
})

it("[D11] what its name calls an id, or ids, is a digest, whatever it looks like", () => {
  const facts = {
    cart_id: "Bill",
    id: 4711,
    account_id: "mpacc_env",
    reference: "refund",
    document_ids: [4711, ["4711"], "mpacc_env"],
  }
  const found = impersonalFacts(facts, digest)
  expect(found).toEqual({
    document_ids: [found["id"], [found["id"]], "mpacc_env"],
    cart_id: expect.stringMatching(/^id#/),
    id: expect.stringMatching(/^id#/),
    account_id: "mpacc_env",
    reference: "refund",
  })
})

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
