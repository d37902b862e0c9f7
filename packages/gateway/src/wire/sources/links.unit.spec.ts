import { misread, read, refused, written } from "../../../../../integration-tests/gateway/reading"
import { payLink, receiptLink } from "./links"

const request = { sourceType: "ORDER", sourceNumber: "ORD-2026-00301" } as const

describe.each([
  ["links/pay", payLink],
  ["links/receipt", receiptLink],
])("%s", (_, link) => {
  it("asks by kind and number", () => {
    expect(written(link, request)).toEqual({
      query: { source_type: "ORDER", source_number: "ORD-2026-00301" },
    })
  })

  it("reads the address", () => {
    const body = { url: "https://pay.example/d/abc", expires_in: 60 }
    expect(read(link, body, request)).toEqual({ url: "https://pay.example/d/abc", wire: body })
  })

  it.each([undefined, null, "", "javascript:alert(1)", "/d/abc", "https://", 7])(
    "[N13] does not take %j for an address",
    (url) => {
      expect(misread(link, { url }, request)).toEqual(["url"])
    },
  )

  it.each(["", ".", "..", "ORD\n1", "ORD-\u0000", "half \ud83d"])(
    "is refused before sending for the number %j",
    (sourceNumber) => {
      expect(refused(link, { ...request, sourceNumber })).toEqual(["sourceNumber"])
    },
  )
})
