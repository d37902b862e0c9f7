import { Refusal } from "../../core/refusal"
import { checkedOrigin } from "./read-instructions"

const settings = {
  storefrontOrigins: ["https://shop.example", "http://localhost:4100"],
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
