import { randomBytes } from "node:crypto"
import { inspect } from "node:util"
import fc from "fast-check"
import { readKeys } from "./keys"
import { secretBoxOf } from "./secret-box"

const key = (seed = randomBytes(32)) => seed.toString("base64")
const boxWith = (current?: string, previous?: string) =>
  secretBoxOf({
    MERCHANT_PAYMENTS_ENCRYPTION_KEY: current,
    MERCHANT_PAYMENTS_ENCRYPTION_KEY_PREVIOUS: previous,
  })
const SECRET = "CANARY-in-the-box"

describe("the box of secrets", () => {
  it("gives back any text that was put in, and shows none of it meanwhile", () => {
    const box = boxWith(key())
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (secret) => {
        const sealed = box.seal(secret, "mpcred_1")
        if (!sealed) return false
        return box.open(sealed, "mpcred_1") === secret
      }),
    )
    const sealed = box.seal(SECRET, "mpcred_1")
    expect(sealed?.ciphertext).toMatch(/^v1(\.[\w-]+){3}$/)
    expect(JSON.stringify(sealed)).not.toContain(SECRET)
  })

  it("seals the same secret as another text each time", () => {
    const box = boxWith(key())
    const texts = Array.from({ length: 50 }, () => box.seal(SECRET, "mpcred_1")?.ciphertext)
    expect(new Set(texts).size).toBe(50)
  })

  it("opens nothing with another key, for another thing, or of a changed text", () => {
    const box = boxWith(key())
    const sealed = box.seal(SECRET, "mpcred_1")
    if (!sealed) throw new Error("not sealed")
    expect(boxWith(key()).open(sealed, "mpcred_1")).toBeUndefined()
    expect(boxWith().open(sealed, "mpcred_1")).toBeUndefined()
    expect(box.open(sealed, "mpcred_2")).toBeUndefined()
    const parts = sealed.ciphertext.split(".")
    for (const [index, part] of parts.entries()) {
      const changed = part.startsWith("A") ? `B${part.slice(1)}` : `A${part.slice(1)}`
      const ciphertext = parts.map((one, at) => (at === index ? changed : one)).join(".")
      expect(box.open({ ...sealed, ciphertext }, "mpcred_1")).toBeUndefined()
    }
    for (const ciphertext of ["", "v1", "v1...", "v1.a.b.c", "null"]) {
      expect(box.open({ ...sealed, ciphertext }, "mpcred_1")).toBeUndefined()
    }
  })

  it("reads with the previous key and writes with the new one", () => {
    const [old, fresh] = [key(), key()]
    const before = boxWith(old).seal(SECRET, "mpcred_1")
    const box = boxWith(fresh, old)
    if (!before) throw new Error("not sealed")
    expect(box.open(before, "mpcred_1")).toBe(SECRET)
    const after = box.seal(SECRET, "mpcred_1")
    expect(after?.keyId).toBe(box.keyId)
    expect(after?.keyId).not.toBe(before.keyId)
    expect(box.hasPreviousKey).toBe(true)
  })

  it("without a key keeps nothing and says how to make one", () => {
    const box = boxWith()
    expect(box.seal(SECRET, "mpcred_1")).toBeUndefined()
    expect(box).toMatchObject({ keyId: null, hasPreviousKey: false })
    expect(box.problem).toBe("key_missing")
  })

  it.each(["short", "not base64 at all, but of forty-four characters", key(randomBytes(31))])(
    "refuses %p as a key",
    (text) => {
      const { current, problems } = readKeys({ MERCHANT_PAYMENTS_ENCRYPTION_KEY: text })
      expect(current).toBeUndefined()
      expect(problems).toEqual(["key_malformed"])
    },
  )

  it("shows its keys nowhere", () => {
    const text = key()
    const box = boxWith(text)
    const printed = `${inspect(box, { depth: 9 })} ${JSON.stringify(box)}`
    expect(printed).not.toContain(text)
    expect(printed).not.toContain(Buffer.from(text, "base64").toString("hex"))
  })
})
