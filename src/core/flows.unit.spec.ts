import { flowOfProvider, PROVIDER_IDS } from "./flows"

describe("the payment providers", () => {
  it("are called as Medusa calls them", () => {
    expect(PROVIDER_IDS).toEqual([
      "pp_mobile-money_merchant",
      "pp_hosted-checkout_merchant",
      "pp_card_merchant",
    ])
  })

  it("say how a shopper pays", () => {
    expect(flowOfProvider("pp_mobile-money_merchant")).toBe("push")
    expect(flowOfProvider("pp_hosted-checkout_merchant")).toBe("hosted")
    expect(flowOfProvider("pp_card_merchant")).toBe("card")
  })

  it.each(["pp_system_default", "pp_card_other", "mobile-money", ""])("%p is not ours", (id) => {
    expect(flowOfProvider(id)).toBeUndefined()
  })
})
