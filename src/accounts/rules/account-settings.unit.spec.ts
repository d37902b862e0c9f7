import { currency } from "../../../integration-tests/support/an-operation"
import { changedSettings, NEW_ACCOUNT, takenCurrency } from "./account-settings"

const valid = { label: "Second", base_url: "https://gateway.example" }

function settingsOf(body: Parameters<typeof changedSettings>[1], before = NEW_ACCOUNT) {
  return changedSettings(before, body)
}

describe("settings of an account", () => {
  it("begin with a name and an address, and take no currency unasked", () => {
    expect(settingsOf(valid)).toEqual({
      ...NEW_ACCOUNT,
      label: "Second",
      baseUrl: "https://gateway.example",
    })
  })

  it("keep what is not mentioned, and tell null from not mentioned", () => {
    const before = settingsOf({
      ...valid,
      fee_bearer: "PAYER",
      currencies: ["lrd"],
      push_window_minutes: 5,
      policies: { refund_orphans: true, refund_second_admin_above: { "*": 50 } },
    })
    expect(before).toMatchObject({
      feeBearer: "PAYER",
      currencies: ["LRD"],
      pushWindowMinutes: 5,
      policies: { refund_orphans: true, refund_second_admin_above: { "*": 50 } },
    })
    expect(settingsOf({}, before)).toEqual(before)
    const changed = settingsOf(
      { fee_bearer: null, policies: { refund_second_admin_above: null } },
      before,
    )
    expect(changed).toEqual({
      ...before,
      feeBearer: null,
      policies: { ...before.policies, refund_second_admin_above: null },
    })
  })

  it.each([
    ["label", { ...valid, label: "  " }],
    ["base_url", { label: "Second" }],
    ["currencies", { ...valid, currencies: ["DOLLAR"] }],
    ["currencies", { ...valid, currencies: ["USD", "usd"] }],
    ["wire_names", { ...valid, wire_names: { "execution.COMPLETED": "DECLINED" } }],
    ["wire_names", { ...valid, wire_names: { "source.SETTLED": "DONE" } }],
    [
      "policies.refund_second_admin_above",
      { ...valid, policies: { refund_second_admin_above: { usd: 1 } } },
    ],
  ])("name %s when it makes no sense", (field, body) => {
    expect(() => settingsOf(body)).toThrow(expect.objectContaining({ details: { field } }))
  })
})

describe("a currency", () => {
  it("is taken by one account", () => {
    const [usd, lrd] = [currency("USD"), currency("LRD")]
    const other = { id: "other", currencies: [lrd] }
    expect(takenCurrency([usd, lrd], [other])).toEqual({ currency: lrd, by: other })
    expect(takenCurrency([usd], [other])).toBeUndefined()
    expect(takenCurrency([], [other])).toBeUndefined()
  })
})
