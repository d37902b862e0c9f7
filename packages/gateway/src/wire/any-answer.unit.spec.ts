/** Any answer to any operation is read or refused; it never makes the reader throw. */
import fc from "fast-check"
import type { Call } from "../call"
import { resourcesOf } from "../create-gateway"
import { CALLS, REFERENCE } from "../../../../integration-tests/gateway/calls"
import type { CallCase } from "../../../../integration-tests/gateway/calls"
import type { Parsed } from "./reading"

/** The reader of a call, taken from the call itself. */
function readerOf(call: CallCase): (body: unknown) => Parsed<unknown> {
  let read: ((body: unknown) => Parsed<unknown>) | undefined
  const asked: Call = (endpoint, request) => {
    read = (body) => endpoint.read(body, request)
    return new Promise(() => undefined)
  }
  void call.run({
    ...resourcesOf(asked),
    token: { check: () => new Promise(() => undefined), failures: 0 },
    isDenied: false,
    close: () => Promise.resolve(),
  })
  if (!read) throw new Error(`${call.operation} asks for nothing`)
  return read
}

/** Values to put in place of a field: any JSON, and values of other fields. */
const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, "USD", "25.00", 0, -1, 1e300, 301, "301", REFERENCE, "ORDER", true),
)

describe.each(CALLS)("$operation", (call) => {
  const read = readerOf(call)

  it("reads its good answer", () => {
    expect(read(call.body).ok).toBe(true)
  })

  it("reads or refuses any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(read(body)).toHaveProperty("ok")
      }),
    )
  })

  it("reads or refuses an answer with any fields spoilt, and keeps it as it came", () => {
    const list: readonly Readonly<Record<string, unknown>>[] = [call.body].flat()
    const [good = {}] = list
    const names = fc.constantFrom(...Object.keys(good), "a_field_without_a_name_here")
    const spoilt = fc.dictionary(names, odd, { maxKeys: 3 })
    fc.assert(
      fc.property(spoilt, (change) => {
        const body = { ...good, ...change }
        const parsed = read(Array.isArray(call.body) ? [body] : body)
        if (!parsed.ok) expect(parsed.problems.length).toBeGreaterThan(0)
        else expect([parsed.value].flat()).toMatchObject([{ wire: body }])
      }),
    )
  })

  it("[D3] gives no text of an answer as it came, but those that no row takes", () => {
    const list: readonly Readonly<Record<string, unknown>>[] = [call.body].flat()
    const [good = {}] = list
    const harmful = HOSTILE.flatMap((text) =>
      withText(good, text).flatMap((spoilt) => {
        const parsed = read(Array.isArray(call.body) ? [spoilt] : spoilt)
        const shown = parsed.ok ? textsOf(parsed.value) : []
        return shown.filter((one) => HARM.test(one)).map((one) => ({ spoilt, one }))
      }),
    )
    expect(harmful).toEqual([])
  })
})

const HOSTILE = [
  "\u001b[31mPAID\u202e 0886\u200b731 904\r\n",
  "+231 886-731-904",
  "231886731904",
  "Bearer abcdef.ghijkl",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
  "https://pay.example@evil.example/\u0000",
  `https://pay.example/${"\u202e"}x`,
]
/** What may do harm on a screen, and what nobody may keep. */
const HARM = /[\p{Cc}\p{Cf}]|886.?731.?904|731904|eyJhb|abcdef\./u

/** For a comparison or their reader only: the compiler lets none of them into a row. */
const PRIVATE = new Set(
  ["wire", "fullname", "email", "phone", "counterpartyName", "counterpartyEmail"].concat([
    ...["counterpartyPhone", "accountName", "accessToken", "clientSecret"],
  ]),
)

/** The answer once for each text in it, with another in its place. */
function withText(value: Readonly<Record<string, unknown>>, text: string): object[] {
  return Object.entries(value).flatMap(([name, inner]): object[] => {
    // An amount is a number, whatever it counts.
    if (typeof inner === "string") return /^[\d.]+$/.test(inner) ? [] : [{ ...value, [name]: text }]
    const [first]: readonly unknown[] = Array.isArray(inner) ? inner : [inner]
    if (typeof first !== "object" || first === null) return []
    return withText(first as Readonly<Record<string, unknown>>, text).map((spoilt) => ({
      ...value,
      [name]: Array.isArray(inner) ? [spoilt] : spoilt,
    }))
  })
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null) return []
  const entries = Object.entries(value).filter(([name]) => !PRIVATE.has(name))
  return entries.flatMap(([, inner]) => textsOf(inner))
}
