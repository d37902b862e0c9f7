import {
  healthOf,
  healthWithoutDatabase,
  lockingProblem,
  statusOf,
  type HealthFacts,
} from "./health"
import { LIMITS } from "../../core/limits"

const account = {
  label: "Shop",
  source: "environment",
  state: "ready",
  currencies: ["USD", "LRD"],
} as const
const typed = { ...account, source: "admin" } as const

const WELL: HealthFacts = {
  accounts: [account],
  hasKey: true,
  keyProblem: null,
  providerIds: ["pp_mobile-money_merchant"],
  regions: [{ name: "Liberia", currency: "LRD", providerIds: ["pp_mobile-money_merchant"] }],
  knownCurrencies: { USD: 2, LRD: 2, RWF: 0 },
  locking: "in-memory",
  workflowEngine: "in-memory",
  workers: 1,
  togetherMs: null,
  unanswered: [],
  lastPassMsAgo: 4_000,
  oldestDueMs: 900,
  calls: 200,
  errors: 1,
  tooMany: 0,
  lastAnswerMsAgo: 2_000,
  needAttention: 0,
}

const SEVERAL = { workers: 2, togetherMs: LIMITS.workersTogetherMs }

describe("the setup check", () => {
  it("is ok where all is well", () => {
    const { status, checks } = healthOf(WELL)
    expect(checks.filter((check) => check.status !== "ok")).toEqual([])
    expect(status).toBe("ok")
  })

  it("needs no key, no LRD, no calls and no second process", () => {
    const quiet: HealthFacts = {
      ...WELL,
      ...{ hasKey: false, keyProblem: "key_missing", lastAnswerMsAgo: null, calls: 0, errors: 0 },
      accounts: [{ ...account, currencies: ["USD"] }],
    }
    const regions = WELL.regions.map((region) => ({ ...region, currency: "USD" }))
    const { checks } = healthOf({ ...quiet, regions, knownCurrencies: { USD: 2 } })
    const skipped = checks.filter(({ status }) => status === "skipped").map(({ name }) => name)
    expect(skipped).toEqual(["encryption_key", "last_call"])
  })

  it.each<[string, string, string, Partial<HealthFacts>]>([
    ["accounts", "failed", "down", { accounts: [] }],
    ["accounts", "failed", "down", { accounts: [{ ...typed, state: "secret_unreadable" }] }],
    ["accounts", "warning", "degraded", { accounts: [account, { ...typed, state: "no_secret" }] }],
    ["accounts", "failed", "down", { accounts: [{ ...typed, state: "address_changed" }] }],
    ["accounts", "failed", "down", { accounts: [{ ...account, isRefused: true }] }],
    ["accounts", "failed", "degraded", { accounts: [account, { ...typed, isRefused: true }] }],
    [
      "accounts",
      "warning",
      "degraded",
      { accounts: [account, { ...typed, state: "address_changed" }] },
    ],
    [
      "encryption_key",
      "failed",
      "degraded",
      {
        hasKey: false,
        keyProblem: "key_missing",
        accounts: [account, typed],
      },
    ],
    ["providers", "failed", "down", { providerIds: [] }],
    ["providers", "failed", "down", { regions: [] }],
    ["currencies", "failed", "degraded", { knownCurrencies: { USD: 2 } }],
    ["accounts", "failed", "down", { accounts: [{ ...account, currencies: [] }] }],
    [
      "currencies",
      "warning",
      "degraded",
      { regions: [{ name: "Rwanda", currency: "RWF", providerIds: ["pp_mobile-money_merchant"] }] },
    ],
    ["currencies", "failed", "degraded", { knownCurrencies: { USD: 2, LRD: 0, RWF: 0 } }],
    [
      "operator_names",
      "warning",
      "degraded",
      { neutralNames: [{ account: "Shop", labels: ["Operator 1"], learned: [] }] },
    ],
    ["locking", "failed", "degraded", { ...SEVERAL, workflowEngine: "redis" }],
    ["workflow_engine", "warning", "degraded", { ...SEVERAL, locking: "postgres" }],
    ["job", "failed", "down", { lastPassMsAgo: null }],
    ["job", "failed", "down", { lastPassMsAgo: 31_000 }],
    ["job", "failed", "down", { lastPassMsAgo: 31_000, workers: 0 }],
    ["medusa_answers", "failed", "degraded", { unanswered: ["mpop_1"] }],
    ["oldest_due", "warning", "degraded", { oldestDueMs: 61_000 }],
    ["gateway_errors", "warning", "degraded", { errors: 20 }],
    ["gateway_errors", "failed", "degraded", { errors: 150 }],
    ["too_many_requests", "warning", "degraded", { tooMany: 20 }],
    ["declined_cards", "warning", "degraded", { cards: { declined: 12, paid: 11, sinceMs: 1 } }],
    ["one_network", "warning", "degraded", { starts: 20, ofOne: 11 }],
    ["last_call", "failed", "degraded", { lastAnswerMsAgo: null }],
    ["notifications", "warning", "degraded", { untold: { triedAgain: 1, givenUp: 0 } }],
    ["notifications", "warning", "degraded", { untold: { triedAgain: 0, givenUp: 1 } }],
    ["payment_methods", "warning", "degraded", { disrupted: ["Operator 1", "Operator 2"] }],
    ["database", "warning", "degraded", { putBack: { at: new Date(), ms: 3_600_000 } }],
    ["last_call", "failed", "degraded", { lastAnswerMsAgo: 16 * 60_000 }],
    ["review", "warning", "degraded", { needAttention: 3 }],
    [
      "encryption_key",
      "failed",
      "degraded",
      {
        ...{ hasKey: false, keyProblem: "key_missing" },
        regions: [{ name: "Liberia", currency: "LRD", providerIds: ["pp_card_merchant"] }],
      },
    ],
    [
      "setting:MERCHANT_PAYMENTS_STOREFRONT_ORIGINS",
      "warning",
      "degraded",
      {
        settings: [
          {
            setting: "MERCHANT_PAYMENTS_STOREFRONT_ORIGINS",
            ...{ status: "warning", code: "origins_missing", facts: {} },
          },
        ],
      },
    ],
  ])("has a line for %s: %s, so it is %s", (name, status, whole, facts) => {
    const health = healthOf({ ...WELL, ...facts })
    expect(health.status).toBe(whole)
    const wrong = health.checks.filter((check) => !["ok", "skipped"].includes(check.status))
    expect(wrong.map((check) => [check.name, check.status])).toEqual([[name, status]])
    expect(wrong[0]?.message.length).toBeGreaterThan(30)
  })

  it("notes forms that are not known, at most five of them, and stays ok", () => {
    const formsOf = (count: number, label = "Shop") =>
      Array.from({ length: count }, (_, index) => ({
        ...{ label, operation: "status.source", field: `field_${index}`, kind: "grouped" },
      }))
    const read = (forms: HealthFacts["forms"]) => {
      const health = healthOf({ ...WELL, ...(forms && { forms }) })
      expect(health.status).toBe("ok")
      return health.checks.find(({ name }) => name === "gateway_forms")
    }
    expect(read(undefined)).toMatchObject({ status: "ok", code: "forms_known" })
    expect(read(formsOf(2))).toMatchObject({
      status: "note",
      code: "forms_unknown",
      facts: {
        count: 2,
        forms: "status.source: field_0 (grouped); status.source: field_1 (grouped)",
      },
    })
    const many = read(formsOf(7))
    expect(many).toMatchObject({ code: "forms_unknown_more", facts: { count: 7, more: 2 } })
    expect(many?.message).toContain("field_4 (grouped); and 2 more.")
    expect(many?.message).not.toContain("field_5")
    const ofTwo = read([...formsOf(1), ...formsOf(1, "Market")])
    expect(ofTwo?.facts["forms"]).toContain("Market: status.source: field_0 (grouped)")
  })

  it("[M07] calls several processes wrong only once they are no restart", () => {
    const { status } = healthOf({ ...WELL, ...SEVERAL, togetherMs: SEVERAL.togetherMs - 1 })
    expect(status).toBe("ok")
    expect(lockingProblem({ ...SEVERAL, locking: "in-memory" })).toContain("Configure")
    expect(lockingProblem({ ...SEVERAL, locking: "postgres" })).toBeNull()
  })

  it("[M05] names the payments for which Medusa does not answer", () => {
    const { checks } = healthOf({ ...WELL, unanswered: ["mpop_1", "mpop_2"] })
    expect(checks.find(({ name }) => name === "medusa_answers")).toMatchObject({
      message: expect.stringContaining("mpop_1, mpop_2"),
      facts: { count: 2, operations: "mpop_1, mpop_2" },
    })
  })

  it("says of failing calls that the gateway refuses a client, where it does", () => {
    const refused = { accounts: [{ ...account, isRefused: true }], errors: 150 }
    const codesOf = (facts: Partial<HealthFacts>) =>
      Object.fromEntries(healthOf({ ...WELL, ...facts }).checks.map((one) => [one.name, one.code]))
    expect(codesOf(refused)).toMatchObject({
      accounts: "accounts_refused",
      gateway_errors: "calls_refused",
    })
    expect(codesOf({ errors: 150 })).toMatchObject({ gateway_errors: "calls_failing" })
    const line = healthOf({ ...WELL, ...refused }).checks.find(({ name }) => name === "accounts")
    expect(line).toMatchObject({ facts: { accounts: "Shop", ready: 0 } })
  })

  it("of a few calls says nothing about their share", () => {
    expect(healthOf({ ...WELL, calls: 3, errors: 3, tooMany: 0 }).status).toBe("ok")
  })

  it("is down without its database", () => {
    expect(healthWithoutDatabase()).toMatchObject({
      status: "down",
      checks: [{ name: "database", status: "failed" }],
    })
  })
})

it("is down by any vital line that failed, but for refused accounts beside one that works", () => {
  const failedLine = (name: string, ready: number) =>
    statusOf([{ name, status: "failed", facts: { ready } }])
  for (const name of ["database", "tables", "providers", "job"]) {
    expect([name, failedLine(name, 3)]).toEqual([name, "down"])
  }
  expect(failedLine("accounts", 1)).toBe("degraded")
  expect(failedLine("accounts", 0)).toBe("down")
  expect(statusOf([{ name: "accounts", status: "failed", facts: {} }])).toBe("down")
  expect(failedLine("locking", 0)).toBe("degraded")
})
