import { listAddress, queryFrom, wordsOf } from "./filters"

const from = (address: Record<string, unknown>) =>
  queryFrom(
    new URLSearchParams(
      Object.entries(address).map(([key, value]) => [
        key,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    ),
  )

describe("the address of the list with filters", () => {
  it("is read as it was written", () => {
    const created = { $gte: "2026-11-01T00:00:00.000Z", $lt: "2026-11-02T00:00:00.000Z" }
    const moved = { $gte: "2026-11-03T00:00:00.000Z", $lt: "2026-11-04T00:00:00.000Z" }
    const filters = { money: "dismissed", created, moved }
    const address = new URL(listAddress(filters), "https://store.example")
    expect(address.pathname).toBe("/merchant-payments/payments")
    expect(queryFrom(address.searchParams)).toMatchObject({
      money: "dismissed",
      created_from: created.$gte,
      created_to: created.$lt,
      moved_from: moved.$gte,
      moved_to: moved.$lt,
    })
  })
})

describe("the question that the list's address asks", () => {
  it("has several states with commas, and a page", () => {
    expect(from({ state: ["review", "failed"], offset: "40" })).toMatchObject({
      state: "review,failed",
      offset: 40,
      limit: 20,
    })
  })

  it("has the order of the list, where it is one", () => {
    expect(from({ order: "-amount" })).toMatchObject({ order: "-amount" })
    expect(from({ order: "-name" })).toMatchObject({ order: undefined })
  })

  it("has no filter that was added and has no value yet", () => {
    const added = from({ state: "undefined", type: "undefined", flow: "undefined" })
    expect(added).toMatchObject({ state: undefined, type: undefined, flow: undefined })
    const opened = from({ state: [], type: [], flow: "null", operator: "null", created: "null" })
    expect(Object.values(opened).filter((value) => value !== undefined)).toEqual([20])
  })

  it("[D5] has nothing of what is searched for, which is no part of the address", () => {
    expect(from({ q: "0886 731 904" })).not.toHaveProperty("q")
    expect(wordsOf(" Mary O'Neil ")).toBe("Mary O'Neil")
    expect(wordsOf("  ")).toBeUndefined()
    expect(wordsOf("x".repeat(300))).toBe("x".repeat(100))
  })

  it("takes in the whole of the last day", () => {
    const asked = from({ created: { $gte: "2026-11-01T00:00:00Z", $lte: "2026-11-02T00:00:00Z" } })
    expect(asked["created_from"]).toBe("2026-11-01T00:00:00Z")
    expect(new Date(String(asked["created_to"])).getTime()).toBeGreaterThan(
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
