import { keyedDigest } from "./keyed-digest"

const KEY = Buffer.alloc(32, 1).toString("base64")
const PREVIOUS = Buffer.alloc(32, 2).toString("base64")

const digestUnder = (key?: string, previous?: string, clientSecret?: string) =>
  keyedDigest({
    MERCHANT_PAYMENTS_ENCRYPTION_KEY: key,
    MERCHANT_PAYMENTS_ENCRYPTION_KEY_PREVIOUS: previous,
    MERCHANT_PAYMENTS_CLIENT_SECRET: clientSecret,
  })("+231770000042")

describe("the digest of a phone number", () => {
  it("is the same in every process of a store, and another under each key", () => {
    const all = [
      digestUnder(KEY),
      digestUnder(PREVIOUS),
      digestUnder(undefined, undefined, "secret"),
      digestUnder(undefined, undefined, "another"),
    ]
    expect(new Set(all).size).toBe(all.length)
    expect(digestUnder(KEY)).toBe(all[0])
  })

  it("is under the encryption key, else the previous one, else the client secret", () => {
    expect(digestUnder(KEY, PREVIOUS, "secret")).toBe(digestUnder(KEY))
    expect(digestUnder(undefined, PREVIOUS, "secret")).toBe(digestUnder(PREVIOUS))
    // An unreadable key counts as no key.
    expect(digestUnder("short", undefined, "secret")).toBe(
      digestUnder(undefined, undefined, "secret"),
    )
  })

  it("shows nothing of the number", () => {
    expect(digestUnder(KEY)).not.toContain("770000042")
  })
})
