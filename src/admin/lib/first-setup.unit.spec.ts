import fc from "fast-check"
import { regionActsOf, setupOf, SETUP_STEPS } from "./first-setup"
import type { AccountResponse, AccountsResponse, RegionResponse } from "./responses"

type Given = Pick<AccountResponse, "id" | "state" | "currencies"> & { readonly code?: string }

const accountsOf = (given: readonly Given[], message: string | null = null) =>
  ({
    accounts: given.map(({ code = null, ...one }) => ({ ...one, state_code: code })),
    encryption: { has_key: message === null, code: null, message },
    // What a step does not read is left out.
  }) as unknown as AccountsResponse

const regionOf = (currency: string, accountId: string | null, isEnabled: boolean) =>
  ({
    id: `reg_${currency}`,
    name: currency,
    currency_code: currency,
    countries: [],
    providers: [{ provider_id: "pp_1", flow: "push", is_enabled: isEnabled }],
    account_id: accountId,
  }) as RegionResponse

const READY = { id: "mpacc_1", state: "ready", currencies: ["LRD"] } as const

it("begins with the key, and names each step that is missing", () => {
  const nothing = setupOf(accountsOf([], "no key"), [regionOf("lrd", null, false)])
  expect(nothing.isDone).toEqual({ key: false, account: false, currencies: false, region: false })
  expect(nothing.missing).toEqual(["LRD"])
  const keyed = setupOf(accountsOf([]), [])
  expect(keyed.isDone).toMatchObject({ key: true, account: false })
  const idle = setupOf(accountsOf([{ ...READY, currencies: [] }]), [regionOf("lrd", null, true)])
  expect(idle.isDone).toEqual({ key: true, account: true, currencies: false, region: false })
})

it("an account of the environment needs no key", () => {
  expect(setupOf(accountsOf([READY], "no key"), []).isDone.key).toBe(true)
})

it("an account that the gateway refuses is not finished", () => {
  const refused = accountsOf([{ ...READY, code: "client_refused" }])
  expect(setupOf(refused, []).isDone.account).toBe(false)
})

it("another currency than the shop sells in is not enough, and the shop's is named", () => {
  const { isDone, missing } = setupOf(accountsOf([{ ...READY, currencies: ["USD"] }]), [
    regionOf("lrd", null, true),
    regionOf("rwf", null, false),
  ])
  expect([isDone.currencies, isDone.region, missing]).toEqual([false, false, ["LRD", "RWF"]])
})

it("is complete exactly where a shopper can choose a method, whatever is set up", () => {
  const account = fc.record({
    id: fc.constantFrom("mpacc_1", "mpacc_2"),
    state: fc.constantFrom("ready", "no_secret", "key_missing", "secret_unreadable" as const),
    currencies: fc.subarray(["LRD", "USD", "RWF"]),
  })
  const region = fc
    .tuple(
      fc.constantFrom("lrd", "usd", "rwf", "eur"),
      fc.constantFrom(null, "mpacc_1", "mpacc_2"),
      fc.boolean(),
    )
    .map(([code, id, isEnabled]) => ({ code, id, isEnabled }))
  fc.assert(
    fc.property(
      fc.uniqueArray(account, { selector: ({ id }) => id, maxLength: 2 }),
      fc.array(region, { maxLength: 4 }),
      fc.constantFrom(null, "no key"),
      (accounts, regions, message) => {
        // As the store says it: an account is named for a region whose currency it takes.
        const said = regions.map(({ code, id, isEnabled }) => {
          const taking = accounts.find(
            (one) => one.id === id && one.currencies.includes(code.toUpperCase()),
          )
          return regionOf(code, taking?.id ?? null, isEnabled)
        })
        const setup = setupOf(accountsOf(accounts, message), said)
        const canPay = said.some(
          (one) =>
            one.providers.some(({ is_enabled: is }) => is) &&
            accounts.some(({ id, state }) => id === one.account_id && state === "ready"),
        )
        expect(setup.isComplete).toBe(canPay)
        expect(setup.isComplete).toBe(SETUP_STEPS.every((step) => setup.isDone[step]))
        if (setup.region) expect(setup.region.providers.some((one) => one.is_enabled)).toBe(false)
      },
    ),
  )
})

describe("the payment methods of a region", () => {
  const actsOf = (given: readonly Given[], id: string | null, isEnabled: boolean) =>
    regionActsOf(regionOf("lrd", id, isEnabled), accountsOf(given).accounts)

  it("are offered to be enabled only where an account that works takes the currency", () => {
    const enabling = { canEnable: true, canDisable: false, missing: null }
    expect(actsOf([READY], READY.id, false)).toEqual(enabling)
    const not = { canEnable: false, canDisable: false }
    expect(actsOf([READY], null, false)).toEqual({ ...not, missing: "currency" })
    for (const one of [
      { ...READY, code: "refused" },
      { ...READY, state: "no_secret" as const },
    ]) {
      expect(actsOf([one], READY.id, false)).toEqual({ ...not, missing: "account" })
    }
  })

  it("want a region in a currency of mobile money first, and no account is told to take another", () => {
    const { accounts } = accountsOf([READY])
    const abroad = regionOf("eur", null, false)
    expect(regionActsOf(abroad, accounts)).toMatchObject({ canEnable: false, missing: "market" })
    expect(setupOf(accountsOf([READY]), [abroad])).toMatchObject({ missing: [], isElsewhere: true })
    const both = setupOf(accountsOf([READY]), [abroad, regionOf("rwf", null, false)])
    expect(both).toMatchObject({ missing: ["RWF"], isElsewhere: false })
  })

  it("can be disabled wherever they are enabled, also where no account takes the currency", () => {
    const disabling = { canEnable: false, canDisable: true, missing: null }
    expect(actsOf([READY], READY.id, true)).toEqual(disabling)
    expect(actsOf([], null, true)).toEqual(disabling)
  })
})
