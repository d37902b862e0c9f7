import { queryFrom } from "./filters"

const from = (address: Record<string, unknown>) =>
  queryFrom(
    new URLSearchParams(
      Object.entries(address).map(([key, value]) => [
        key,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    ),
  )

describe("the question that the list's address asks", () => {
  it("has several states with commas, and a page", () => {
    expect(from({ state: ["review", "failed"], offset: "40" })).toMatchObject({
      state: "review,failed",
      offset: 40,
      limit: 20,
    })
  })

  it("has no filter that is still being typed", () => {
    expect(from({ phone: '"01"', reference: '"1b4e28ba-2fa1"' })).toMatchObject({
      phone: undefined,
      reference: undefined,
    })
    expect(from({ phone: '"012"' })).toMatchObject({ phone: "012" })
  })

  it("is none where words are searched for, because ids have no spaces", () => {
    expect(from({ q: "blue basket" })).toBeNull()
    expect(from({ q: " order_1 " })).toMatchObject({ q: "order_1" })
  })

  it("takes in the whole of the last day", () => {
    const asked = from({ created: { $gte: "2026-11-01T00:00:00Z", $lte: "2026-11-02T00:00:00Z" } })
    expect(asked?.["created_from"]).toBe("2026-11-01T00:00:00Z")
    expect(new Date(String(asked?.["created_to"])).getTime()).toBeGreaterThan(
      Date.parse("2026-11-02T00:00:00Z"),
    )
  })

  it.each([
    { created: "not a range" },
    { created: { $lte: "no day" } },
    { state: "{" },
    { offset: "-3" },
    { currency: { a: 1 } },
  ])("bears what somebody typed into the address: %j", (address) => {
    expect(() => from(address)).not.toThrow()
  })
})
