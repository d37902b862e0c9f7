import { money } from "../../integration-tests/support/an-operation"
import { hasSecondAdminRule, isAbove, isLoosened, strictest } from "./account-policies"
import { NO_POLICIES } from "./account-settings"
import { storedPolicies } from "./schemas/settings"

describe("an amount is above", () => {
  it.each([
    [null, money(1_000_000), false],
    [{}, money(1_000_000), false],
    [{ "*": 100 }, money(10_000), false],
    [{ "*": 100 }, money(10_001), true],
    [{ "*": 100 }, money(101, "RWF"), true],
    [{ USD: 100 }, money(10_001), true],
    [{ USD: 100 }, money(10_001, "LRD"), false],
    [{ USD: 100, "*": 5 }, money(501, "LRD"), true],
    [{ USD: 0 }, money(1), true],
    [{ USD: 0.1 }, money(10), false],
    [{ USD: Number.NaN }, money(1), true],
  ] as const)("with %j, of %j: %s", (above, amount, expected) => {
    expect(isAbove(above, amount)).toBe(expected)
  })
})

describe("[S16] a limit is loosened", () => {
  const isLooser = (from: object | null, to: object | null) =>
    isLoosened(
      "money_out_daily_cap",
      storedPolicies.parse({ money_out_daily_cap: from }),
      storedPolicies.parse({ money_out_daily_cap: to }),
    )
  it.each([
    [null, { "*": 5 }, false],
    [{ "*": 5 }, null, true],
    [{ "*": 5 }, { USD: 5 }, true],
    [{ "*": 5 }, { USD: 5, "*": 5 }, false],
    [{ "*": 5 }, { USD: 6, "*": 5 }, true],
    [{ USD: 6, "*": 5 }, { "*": 5 }, false],
    [{ USD: 4, "*": 5 }, { "*": 5 }, true],
    [{ USD: 4 }, { USD: 4, LRD: 1 }, false],
    [{ USD: 4 }, { LRD: 4 }, true],
    [null, {}, false],
  ])("from %j to %j: %s", (from, to, expected) => {
    expect(isLooser(from, to)).toBe(expected)
  })
})

describe("[D1] of several accounts of one client the lowest amount holds", () => {
  it.each([
    [[null], "USD", null],
    [[null, { USD: 5 }], "USD", { USD: 5 }],
    [[{ USD: 7 }, { USD: 5 }, { "*": 6 }], "USD", { USD: 5 }],
    [[{ USD: 7 }, { USD: 5 }, { "*": 6 }], "LRD", { LRD: 6 }],
    [[{ USD: 7 }, {}], "LRD", null],
    [[{ USD: 7 }, "no amounts"], "USD", { USD: 0 }],
  ] as const)("of %j in %s: %j", (caps, currency, expected) => {
    const every = caps.map((cap) => storedPolicies.parse({ money_out_daily_cap: cap }))
    expect(strictest(every, "money_out_daily_cap", currency)).toEqual(expected)
  })
})

it("[D1] what counts as a rule of two can't be dropped without being loosened", () => {
  const names = ["refund_second_admin_above", "money_out_second_admin_above"] as const
  for (const name of names) {
    for (const amounts of [null, {}, { "*": 0 }, { USD: 5 }, "unreadable"]) {
      const before = storedPolicies.parse({ [name]: amounts })
      const isRule = hasSecondAdminRule(before)
      expect([name, amounts, isLoosened(name, before, NO_POLICIES)]).toEqual([
        name,
        amounts,
        isRule,
      ])
    }
  }
})

it("a disrupted method is hidden only where that is stored", () => {
  for (const stored of [undefined, null, "warn", "HIDE", true]) {
    expect(storedPolicies.parse({ disrupted_methods: stored }).disrupted_methods).toBe("warn")
  }
  const [warn, hide] = ["warn", "hide"].map((value) =>
    storedPolicies.parse({ disrupted_methods: value }),
  )
  expect(hide?.disrupted_methods).toBe("hide")
  if (warn && hide) expect(isLoosened("disrupted_methods", warn, hide)).toBe(false)
})

it("what is stored and can't be read holds everything back", () => {
  expect(storedPolicies.parse({ money_out_daily_cap: "200", money_out: "yes" })).toEqual({
    ...NO_POLICIES,
    money_out_daily_cap: { "*": 0 },
  })
  expect(storedPolicies.parse(null)).toEqual(NO_POLICIES)
})
