import { idFrom, type AccountId } from "../core/ids"
import { parseCurrency } from "../core/money"
import type { Account } from "../ledger/accounts/find-accounts"
import { learnedNames, neutralNames } from "./operator-names"
import { NEW_ACCOUNT } from "./rules/account-settings"

const ID = idFrom<AccountId>("mpacc_1")

const accountOf = (given: Partial<Account> = {}): Account => ({
  ...NEW_ACCOUNT,
  id: ID,
  isDefault: true,
  label: "Shop",
  baseUrl: "https://gateway.example",
  currencies: ["LRD", "RWF"].flatMap((code) => parseCurrency(code) ?? []),
  ...given,
})
const said = (paymentMethod: string, carrier: string, currency = "LRD", accountId = ID) => ({
  ...{ accountId, paymentMethod, carrier, currency },
})
const NEUTRAL = said("OPERATOR1_MOMO_LBR", "Operator 1")
const LIVE = said("LIVE_MOMO_LBR", "Live Money")
const SOLD = new Set(["LRD"])
const LABELS = ["Operator 1 Mobile Money", "Operator 2 Money"]
const SIMULATOR = "http://localhost:4102"

describe("shoppers read neutral names", () => {
  it.each([
    ["at a gateway elsewhere, before it has said a name", {}, [], LABELS, []],
    ["at a gateway elsewhere that has said another", {}, [LIVE], LABELS, ["Live Money"]],
    [
      "at a local gateway that uses another",
      { baseUrl: SIMULATOR },
      [LIVE],
      LABELS,
      ["Live Money"],
    ],
    [
      "for the operator that is left",
      {
        wireNames: {
          "OPERATOR1_MOMO_LBR.label": "Live Money",
          OPERATOR1_MOMO_LBR: "LIVE_MOMO_LBR",
        },
      },
      [LIVE],
      LABELS.slice(1),
      [],
    ],
    ["but for the one that the gateway itself calls so", {}, [NEUTRAL], LABELS.slice(1), []],
  ])("%s", (_, given, words, labels, learned) => {
    const found = neutralNames(accountOf(given), SOLD, words)
    expect(found).toEqual({ account: "Shop", labels, learned })
  })
})

it.each([
  ["at the simulator, which uses them", { baseUrl: SIMULATOR }, SOLD, [NEUTRAL]],
  ["at a local gateway that was not used yet", { baseUrl: SIMULATOR }, SOLD, []],
  ["where nothing is sold in its currencies", {}, new Set(["USD"]), []],
  [
    "where each has a name",
    { wireNames: { "OPERATOR1_MOMO_LBR.label": "One", "OPERATOR2_MONEY_LBR.label": "Two" } },
    SOLD,
    [],
  ],
  [
    "where another account has the other gateway",
    { baseUrl: SIMULATOR },
    SOLD,
    [said("LIVE_MOMO_LBR", "Live Money", "LRD", idFrom<AccountId>("mpacc_2"))],
  ],
])("shoppers read no neutral name that is wrong %s", (_, given, sold, words) => {
  expect(neutralNames(accountOf(given), sold, words)).toBeUndefined()
})

describe("a name that the gateway uses and the account has not", () => {
  it("is proposed once for each operator that it may be, and for no other country's", () => {
    const both = [LIVE, said("LIVE_MOMO_LBR", "Live Money", "USD")]
    expect(learnedNames(accountOf(), both)).toEqual([
      {
        payment_method: "LIVE_MOMO_LBR",
        carrier: "Live Money",
        proposals: ["OPERATOR1_MOMO_LBR", "OPERATOR2_MONEY_LBR"].map((method, at) => ({
          operator: LABELS[at],
          wire_names: { [method]: "LIVE_MOMO_LBR", [`${method}.label`]: "Live Money" },
        })),
      },
    ])
  })

  it("is proposed no more once it is taken, and not for an operator that has its name", () => {
    const taken = accountOf({ wireNames: { OPERATOR1_MOMO_LBR: "LIVE_MOMO_LBR" } })
    expect(learnedNames(taken, [LIVE])).toEqual([])
    const [other] = learnedNames(taken, [said("OTHER_LBR", "Other")])
    expect(other?.proposals.map(({ operator }) => operator)).toEqual(["Operator 2 Money"])
    expect(learnedNames(accountOf(), [NEUTRAL])).toEqual([])
  })
})
