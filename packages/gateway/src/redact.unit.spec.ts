import { inspect } from "node:util"
import fc from "fast-check"
import { LIMITS } from "./terms/limits"
import { Indeterminate, Invalid } from "./errors"
import { textsIn } from "./wire/refusal-words"
import { cleaned, redact } from "./redact"
import { REFERENCE } from "../../../integration-tests/gateway/calls"

describe("a text of the gateway", () => {
  it("[S05] loses phone numbers but for three digits", () => {
    expect(redact("payer 231770000123 and +250788000456 are unknown")).toBe(
      "payer •••123 and •••456 are unknown",
    )
  })

  it("keeps references, amounts and short numbers", () => {
    const text = `${REFERENCE} 123e4567-e89b-42d3-a456-426614174000 4250.75 1234567`
    expect(redact(text)).toBe(text)
  })

  it("[S04] loses tokens", () => {
    const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123"
    expect(redact(`bad ${jwt}; Bearer CANARY-token`)).toBe("bad [token]; Bearer [token]")
  })

  it("[S09] has line breaks, terminal sequences and direction marks encoded", () => {
    expect(redact("a\r\nb\u001b[31mc\u202ed")).toBe("a\\u000d\\u000ab\\u001b[31mc\\u202ed")
  })

  it("[D4] keeps no part of a number or token that it is cut in", () => {
    const secrets = ["0886 731 904", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"]
    const long = `Bearer ${"y".repeat(LIMITS.messageLengthMax)}`
    for (const secret of secrets) {
      for (let before = 1; before < secret.length; before += 1) {
        const filler = "word ".repeat(LIMITS.messageLengthMax).slice(0, LIMITS.messageLengthMax - 8)
        const text = `${long} ${filler.slice(before)}${secret} and ${"x".repeat(4_000)}`
        expect(redact(text)).not.toMatch(/0886|eyJ/)
      }
    }
  })

  it("[D4] that is only shown loses what draws, turns or hides it", () => {
    expect(cleaned("\u001b[31mPaid\u202e by\r\n0886\u200b731\u00a0904\u001b[0m\u0000")).toBe(
      "Paid by •••904",
    )
    expect(cleaned("eyJhbGciOi\u200bJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc")).toBe("[token]")
  })

  it("[S09] is cut, whatever its size", () => {
    expect(redact("x".repeat(1_048_576))).toHaveLength(LIMITS.messageLengthMax)
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 4_000 }), (text) => {
        const safe = redact(text)
        return safe.length <= LIMITS.messageLengthMax && !/[\u0000-\u001f\u007f]/.test(safe)
      }),
    )
  })
})

describe("what the gateway says about a refusal", () => {
  it("is read from both forms", () => {
    expect(textsIn({ detail: "Not authenticated" })).toEqual({ detail: "Not authenticated" })
    expect(
      textsIn({
        detail: [
          { loc: ["body", "items", 0, "amount"], msg: "too small\n231770000123", type: "x" },
          { loc: ["query", "phone"], msg: "wrong", type: "x" },
          { loc: "body", msg: 5 },
          "junk",
          null,
        ],
      }),
    ).toEqual({
      fields: [
        { path: "items.0.amount", message: "too small\\u000a•••123" },
        { path: "phone", message: "wrong" },
        { path: "", message: "" },
      ],
    })
  })

  it("[S04] does not repeat what the request kept secret, in texts, paths and addresses", () => {
    const secrets = ["48 15"]
    expect(textsIn({ detail: "code 48 15 is wrong" }, secrets)).toEqual({
      detail: "code ••• is wrong",
    })
    expect(
      textsIn(
        { detail: [{ loc: ["body", "passcode", "48 15"], msg: "GET /x?code=48%2015", type: "x" }] },
        secrets,
      ),
    ).toEqual({ fields: [{ path: "passcode.•••", message: "GET /x?code=•••" }] })
  })

  it("[S04] does not repeat half of a secret where the text is cut", () => {
    const secret = "CANARY".repeat(LIMITS.messageLengthMax)
    expect(textsIn({ detail: `${"x".repeat(20)}${secret}` }, [secret]).detail).toBe(
      `${"x".repeat(20)}•••`,
    )
  })

  it("may be anything else without harm", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        textsIn(body)
        textsIn({ detail: body })
      }),
    )
  })
})

describe("an error", () => {
  const cause = Object.assign(new Error("CANARY in a cause"), { code: "ECONNRESET" })
  const error = new Indeterminate("the connection was lost.", {
    operation: "executions.collection",
    reason: "connection_lost",
    reference: REFERENCE,
    cause,
  })

  it("says operation and reference, and carries its cause", () => {
    expect(error.message).toBe(`executions.collection ${REFERENCE}: the connection was lost.`)
    expect(error.code).toBe("GATEWAY_INDETERMINATE")
    expect(error.cause).toBe(cause)
  })

  it("[S04] shows of its cause only name and code, as JSON and when inspected", () => {
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: "Indeterminate",
      code: "GATEWAY_INDETERMINATE",
      message: error.message,
      operation: "executions.collection",
      reason: "connection_lost",
      reference: REFERENCE,
      cause: { name: "Error", code: "ECONNRESET" },
    })
    expect(inspect(error, { depth: 5 })).not.toContain("CANARY")
    expect(inspect({ nested: [error] }, { depth: 5 })).toContain("GATEWAY_INDETERMINATE")
  })

  it("keeps the fields of a refusal", () => {
    const fields = [{ path: "currency", message: "Field required" }]
    const invalid = new Invalid("refused (422).", {
      operation: "checkouts.create",
      reason: "status",
      status: 422,
      fields,
    })
    expect(invalid).toMatchObject({ code: "GATEWAY_INVALID", status: 422, fields })
  })
})
