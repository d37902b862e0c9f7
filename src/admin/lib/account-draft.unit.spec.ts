import fc from "fast-check"
import {
  ACCOUNT_POLICIES,
  ACCOUNT_SETTINGS,
  type AccountPolicies,
  type SettingsBody,
} from "../../core/account-settings"
import { drawnFrom } from "../../../integration-tests/support/drawn-settings"
import { bodyOf, draftOf } from "./account-draft"
import type { AccountResponse } from "./responses"

const NEW_DRAFT = draftOf(null)

describe("an account as it was typed in", () => {
  it("is sent without a secret where none was typed", () => {
    const body = bodyOf({ ...NEW_DRAFT, label: "Main", base_url: "https://gateway.example" })
    expect(body).not.toHaveProperty("client_secret")
    expect(body).toMatchObject({
      currencies: [],
      fee_bearer: null,
      policies: { refund_currency: null, refund_second_admin_above: null },
    })
  })

  it("has its lists read as people write them", () => {
    const body = bodyOf({
      ...NEW_DRAFT,
      currencies: "lrd, usd",
      refund_second_admin_above: "lrd 50000, * 300.5",
      money_out: true,
      money_out_daily_cap: "usd 20",
      wire_names: "card = CARD_NAME\n\nmomo=MOMO 1\n",
    })
    expect(body).toMatchObject({
      currencies: ["LRD", "USD"],
      policies: {
        refund_second_admin_above: { LRD: 50_000, "*": 300.5 },
        money_out: true,
        money_out_daily_cap: { USD: 20 },
        money_out_second_admin_above: null,
        money_out_by_api_key: false,
      },
      wire_names: { card: "CARD_NAME", momo: "MOMO 1" },
    })
  })

  it.each([
    ["refund_second_admin_above", { refund_second_admin_above: "fifty" }],
    ["money_out_daily_cap", { money_out_daily_cap: "LRD -5" }],
    ["wire_names", { wire_names: "no equals sign" }],
  ])("names %s where it can't be read: %j", (field, typed) => {
    expect(bodyOf({ ...NEW_DRAFT, ...typed })).toBe(field)
  })
})

describe("any account", () => {
  it("is sent back as it was read, setting by setting", () => {
    fc.assert(
      fc.property(
        drawnFrom<SettingsBody>(ACCOUNT_SETTINGS),
        drawnFrom<AccountPolicies>(ACCOUNT_POLICIES),
        fc.boolean(),
        (settings, policies, is_default) => {
          const account = { ...settings, policies, is_default, client_id: null }
          const sent = bodyOf(draftOf(account as AccountResponse))
          expect(sent).toEqual({ ...settings, policies, is_default })
        },
      ),
    )
  })
})
