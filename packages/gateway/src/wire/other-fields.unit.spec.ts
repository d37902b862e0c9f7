import fc from "fast-check"
import { LIMITS } from "../terms/limits"
import { EXECUTION, REFERENCE } from "../../../../integration-tests/gateway/calls"
import { read } from "../../../../integration-tests/gateway/reading"
import { collectionStatus } from "./executions"

const keptOf = (more: object) =>
  read(collectionStatus, { ...EXECUTION, ...more }, { referenceId: REFERENCE }).otherFields

const textOf = (more: object) => JSON.stringify(keptOf(more) ?? {})

describe("what an execution's answer has beside its fields", () => {
  it("is nothing for an answer as documented, or one with fees", () => {
    expect(keptOf({})).toBeUndefined()
    expect(keptOf({ platform_fee: 0.5, gateway_fee: "0.10", later: null })).toBeUndefined()
    expect(keptOf({ client_secret: "pi_1_secret" })).toBeUndefined()
  })

  it("is kept as it came, an object's fields and a list's texts with it", () => {
    const more = { pid: 77, is_test: true, rate: 0.5, kind: "MOMO", meta: { pid: "78", x: null } }
    expect(keptOf(more)).toEqual(more)
    expect(keptOf({ tags: ["a", 1, false] })).toEqual({ tags: ["a", 1, false] })
  })

  it("is cut below that", () => {
    expect(keptOf({ meta: { deep: { pid: 1 }, list: [1] }, lists: [[1], { a: 1 }] })).toEqual({
      meta: { deep: "…", list: "…" },
      lists: ["…", "…"],
    })
  })

  it("[S09] has no phone number, as text, as number, as a name or in an object", () => {
    const phone = "231770000123"
    const text = textOf({
      payer: phone,
      said: `from +${phone}`,
      number: Number(phone),
      [phone]: 1,
      meta: { [phone]: phone, id: Number(phone) },
      list: [phone],
    })
    expect(text).not.toContain("77000")
    expect(text).toContain("•••123")
  })

  it("keeps an id of a payment intent whole, however many digits it has", () => {
    const more = { payment_intent_id: "800000012345", payment_intent: { id: 800_000_012_345 } }
    expect(keptOf(more)).toEqual(more)
  })

  it.each([
    "access_token",
    "clientSecret",
    "card_secret_key",
    "passcode",
    "PIN",
    "otp",
    "api-key",
    "payer_name",
    "payerEmail",
    "card",
  ])("[S04] keeps nothing of %s, whatever it holds", (name) => {
    for (const value of ["CANARY", 4_711, { a: "CANARY" }, ["CANARY"]]) {
      expect(keptOf({ [name]: value })).toEqual({ [name]: "•••" })
      expect(textOf({ meta: { [name]: value } })).not.toMatch(/CANARY|4711/)
    }
  })

  it("[S04] repeats neither a token nor the answer's own secret", () => {
    const secret = "pi_CANARY_secret"
    const text = textOf({
      client_secret: secret,
      said: `${"x".repeat(90)}${secret}`,
      [secret]: 1,
      auth_header: "Bearer CANARY-TOKEN",
      told: "Bearer CANARY-TOKEN",
      jwt: "eyJhbGci.CANARY.CANARY",
    })
    expect(text).not.toContain("CANARY")
    expect(textOf({ client_secret: "\ud800", said: "x" })).toBe('{"said":"x"}')
  })

  it("is bounded, and a flood does not push the intent out", () => {
    const flood = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`field_${index}`, "x".repeat(1_000)]),
    )
    const kept = keptOf({ ...flood, payment_intent: { id: 77 }, pad: "y".repeat(2_000_000) }) ?? {}
    expect(kept["payment_intent"]).toEqual({ id: 77 })
    expect(kept["…"]).toBe(5_002 - (Object.keys(kept).length - 1))
    expect(JSON.stringify(kept).length).toBeLessThan(LIMITS.otherFieldsLengthMax + 100)
  })

  it("can be kept, whatever comes", () => {
    const any = fc.dictionary(fc.string({ unit: "binary", maxLength: 200 }), fc.jsonValue(), {
      maxKeys: 50,
    })
    fc.assert(
      fc.property(any, (more) => {
        const text = textOf(more)
        expect(text.length).toBeLessThan(LIMITS.otherFieldsLengthMax + 100)
        expect(Object.keys(keptOf(more) ?? {}).join("")).toMatch(/^[\w.?…-]*$/)
      }),
      { numRuns: 25 },
    )
  })
})
