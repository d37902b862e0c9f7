import { Refusal } from "../../core/refusal"
import { checkedOrigin, readPhone } from "./read-instructions"

const settings = {
  storefrontOrigins: ["https://shop.example", "http://localhost:4100"],
  previewOrigins: ["https://*.preview.example"],
  publicUrl: undefined,
}

describe("an address to send the shopper back to", () => {
  it.each([
    ["https://shop.example/paid?x=1#y", "https://shop.example/paid?x=1#y"],
    ["http://localhost:4100", "http://localhost:4100/"],
    ["HTTPS://SHOP.EXAMPLE/a", "https://shop.example/a"],
    ["https://shop.example:443/", "https://shop.example/"],
    [undefined, null],
    ["", null],
  ])("%p is taken as %p", (url, expected) => {
    expect(checkedOrigin(settings, url)).toBe(expected)
  })

  it.each([
    "https://evil.example",
    "https://shop.example.evil.example",
    "https://shop.example@evil.example",
    "https://user:pass@shop.example",
    "http://shop.example",
    "https://shop.example:8443",
    "javascript:alert(1)",
    "data:text/html,hello",
    "//shop.example/",
    "/relative",
    "shop.example",
  ])("%p is refused: it is not the shop's", (url) => {
    expect(() => checkedOrigin(settings, url)).toThrow(Refusal)
    expect(() => checkedOrigin(settings, url)).toThrow(
      expect.objectContaining({ code: "origin_not_allowed" }),
    )
  })
})

describe("an address on a preview deployment", () => {
  const page = "https://pr-12.preview.example"

  it("is taken where the page that asks is on the same origin", () => {
    expect(checkedOrigin(settings, `${page}/paid`, page)).toBe(`${page}/paid`)
  })

  it.each([
    [`${page}/paid`, undefined],
    [`${page}/paid`, "https://pr-13.preview.example"],
    ["https://a.pr-12.preview.example/", "https://a.pr-12.preview.example"],
    ["http://pr-12.preview.example/", "http://pr-12.preview.example"],
    ["https://evil.example/", "https://evil.example"],
  ])("%s is refused to a page of %p", (url, asking) => {
    expect(() => checkedOrigin(settings, url, asking)).toThrow(
      expect.objectContaining({ code: "origin_not_allowed" }),
    )
  })
})

it.each(["push", "hosted", "card", "link"] as const)(
  "a start by %s names a phone that pays only where a wallet is asked, and wants a number always",
  (flow) => {
    const start = (phone: string | null) => () =>
      readPhone({ flow, request: {} }, { phone, country: "LR" })
    const key = flow === "push" ? "phone_required" : "phone_required.contact"
    for (const phone of [null, "", "  "]) {
      expect(start(phone)).toThrow(expect.objectContaining({ code: "phone_required", key }))
    }
    expect(start("0886771110")()).toMatchObject({ hint: "110" })
  },
)
