import { NEW_SETTINGS, NO_POLICIES } from "../core/account-settings"
import { settingSentence } from "../accounts/rules/setting-problems"
import { ENVIRONMENT_ACCOUNT_ID, readEnvironment, type Environment } from "./environment"

const SECRET = "CANARY-secret"
const complete = {
  MERCHANT_PAYMENTS_BASE_URL: "https://gateway.example",
  MERCHANT_PAYMENTS_CLIENT_ID: "client",
  MERCHANT_PAYMENTS_CLIENT_SECRET: SECRET,
  MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: "https://shop.example, http://localhost:4100/",
  MERCHANT_PAYMENTS_PUBLIC_URL: "https://api.shop.example/",
}

const sentencesOf = ({ problems }: Environment) => problems.map(settingSentence)

describe("a complete environment", () => {
  it("is an account, credentials and settings, with no problem", () => {
    const { account, credentials, settings, problems } = readEnvironment(complete, undefined)
    expect(problems).toEqual([])
    expect(credentials).toEqual({
      baseUrl: "https://gateway.example",
      clientId: "client",
      clientSecret: SECRET,
    })
    expect(settings).toEqual({
      storefrontOrigins: ["https://shop.example", "http://localhost:4100"],
      previewOrigins: [],
      publicUrl: "https://api.shop.example",
    })
    expect(account).toEqual({
      ...NEW_SETTINGS,
      id: ENVIRONMENT_ACCOUNT_ID,
      label: "Environment",
      baseUrl: "https://gateway.example",
      currencies: ["USD", "LRD", "RWF"],
      policies: NO_POLICIES,
      isDefault: true,
    })
  })

  it("keeps the secret out of the account and of every problem", () => {
    const variables = { ...complete, MERCHANT_PAYMENTS_BASE_URL: `https://u:${SECRET}@x.example` }
    for (const { account, problems } of [
      readEnvironment(complete, {}),
      readEnvironment(variables, { account: { source_kind: SECRET } }),
    ]) {
      expect(JSON.stringify([account, problems])).not.toContain(SECRET)
    }
  })
})

describe("the plugin's options", () => {
  it("shape the account", () => {
    const options = {
      account: {
        source_kind: "INVOICE",
        fee_bearer: "PAYER",
        order_placement: "order_first",
        currencies: ["lrd", "RWF"],
        wire_names: { OPERATOR3_RWA: "LIVE" },
        push_window_minutes: 5,
        hosted_window_minutes: 15,
        checks_per_second_max: 60,
        policies: { disrupted_methods: "hide" },
      },
    }
    const { account, problems } = readEnvironment(complete, options)
    expect(problems).toEqual([])
    expect(account).toMatchObject({
      sourceKind: "INVOICE",
      feeBearer: "PAYER",
      orderPlacement: "order_first",
      currencies: ["LRD", "RWF"],
      wireNames: { OPERATOR3_RWA: "LIVE" },
      pushWindowMinutes: 5,
      hostedWindowMinutes: 15,
      checksPerSecondMax: 60,
      policies: { disrupted_methods: "hide" },
    })
  })

  it.each([
    [{ account: { order_placement: "whenever" } }, /order_placement/],
    [{ account: { push_window_minutes: 0 } }, /push_window_minutes/],
    [{ account: { push_window_minutes: 1_441 } }, /push_window_minutes/],
    [{ account: { policies: { disrupted_methods: "never" } } }, /disrupted_methods/],
    [{ account: { curencies: ["USD"] } }, /curencies/],
    [{ account: { currencies: ["U$D"] } }, /no currency codes.*U\$D/],
    [{ account: { wire_names: { "source.PAID": "UNPAID" } } }, /name no state.*source\.PAID/],
    ["nonsense", /options are not valid/],
  ])("%j that can't be read are named, and the shop still boots", (options, problem) => {
    const read = readEnvironment(complete, options)
    expect(sentencesOf(read)).toEqual([expect.stringMatching(problem)])
    expect(read.account?.id).toBe(ENVIRONMENT_ACCOUNT_ID)
  })
})

it("an account may take no currency, so that no payment begins", () => {
  const { account, problems } = readEnvironment(complete, { account: { currencies: [] } })
  expect([account?.currencies, problems]).toEqual([[], []])
})

describe("an environment with gaps", () => {
  it.each([
    [["BASE_URL"], /set MERCHANT_PAYMENTS_BASE_URL, too \(/],
    [["CLIENT_ID", "CLIENT_SECRET"], /_CLIENT_ID, MERCHANT_PAYMENTS_CLIENT_SECRET/],
    [["BASE_URL", "CLIENT_ID", "CLIENT_SECRET"], /_BASE_URL, .*_CLIENT_ID, .*_CLIENT_SECRET/],
  ])("without %s has no account and says what to set", (names, problem) => {
    const gone = names.map((name) => [`MERCHANT_PAYMENTS_${name}`, ""])
    const read = readEnvironment({ ...complete, ...Object.fromEntries(gone) }, {})
    expect(read).toMatchObject({ account: undefined, credentials: undefined })
    expect(sentencesOf(read)).toEqual([expect.stringMatching(problem)])
  })

  it.each(["http://gateway.example", "https://10.0.0.1", "gateway", "https://x.example/v1"])(
    "[S08] with the base address %s has no account",
    (url) => {
      const read = readEnvironment({ ...complete, MERCHANT_PAYMENTS_BASE_URL: url }, {})
      expect(read.credentials).toBeUndefined()
      expect(sentencesOf(read)).toEqual([expect.stringMatching(/MERCHANT_PAYMENTS_BASE_URL/)])
    },
  )

  it("without a public address offers no payment page, and says so", () => {
    const read = readEnvironment({ ...complete, MERCHANT_PAYMENTS_PUBLIC_URL: undefined }, {})
    expect(read.settings.publicUrl).toBeUndefined()
    expect(read.account).toBeDefined()
    expect(sentencesOf(read)).toEqual([expect.stringMatching(/_PUBLIC_URL is not set/)])
  })

  it.each(["https://shop.example/?a=1", "https://u:p@shop.example", "ftp://shop.example", "shop"])(
    "takes no origin and no address from %s",
    (origin) => {
      const read = readEnvironment(
        {
          ...complete,
          MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: `${origin},https://good.example`,
          MERCHANT_PAYMENTS_PUBLIC_URL: origin,
        },
        {},
      )
      expect(read.settings).toEqual({
        storefrontOrigins: ["https://good.example"],
        previewOrigins: [],
        publicUrl: undefined,
      })
      expect(read.problems).toHaveLength(2)
    },
  )

  it.each(["https://shop.example/path", "http://*.shop.example", "https://*.example", "https://*"])(
    "takes no origin from %s",
    (origin) => {
      const variables = { ...complete, MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: origin }
      const read = readEnvironment(variables, {})
      expect(read.settings).toMatchObject({ storefrontOrigins: [], previewOrigins: [] })
      expect(sentencesOf(read)).toEqual([expect.stringContaining(origin)])
    },
  )

  it("keeps the wildcards of preview deployments apart from the shop's own origins", () => {
    const origins = "https://*.preview.shop.example,https://shop.example"
    const variables = { ...complete, MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: origins }
    expect(readEnvironment(variables, {})).toMatchObject({
      problems: [],
      settings: {
        storefrontOrigins: ["https://shop.example"],
        previewOrigins: ["https://*.preview.shop.example"],
      },
    })
  })

  it.each([
    ["https://shop.example/medusa", "https://shop.example/medusa"],
    ["https://shop.example/a/b//", "https://shop.example/a/b"],
    ["https://shop.example", "https://shop.example"],
  ])("takes %s for a public address behind a prefix", (given, publicUrl) => {
    const read = readEnvironment({ ...complete, MERCHANT_PAYMENTS_PUBLIC_URL: given }, {})
    expect(read).toMatchObject({ problems: [], settings: { publicUrl } })
  })

  it("that is empty names everything that is missing", () => {
    expect(sentencesOf(readEnvironment({}, undefined))).toEqual([
      expect.stringMatching(/_BASE_URL, .*_CLIENT_ID, .*_CLIENT_SECRET/),
      expect.stringMatching(/_STOREFRONT_ORIGINS is not set/),
      expect.stringMatching(/_PUBLIC_URL is not set/),
    ])
  })
})
