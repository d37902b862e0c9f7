/** Changes of an account that need two admins, and the record of what was done to it. */
import { LIMITS } from "../../../src/core/limits"
import { randomBytes } from "node:crypto"
import type { AccountResponse, AccountBody } from "../../../src/accounts/rules/account-responses"
import type { Announcement } from "../../../src/worker/rules/announcements"
import type { AccountDeps } from "../../../src/accounts/deps"
import { readAccount, readAccountEvents } from "../../../src/accounts/read-accounts"
import { removeAccount } from "../../../src/accounts/remove-account"
import { changeAccount, createAccount } from "../../../src/accounts/save-account"
import { announce } from "../../../src/worker/announce"
import { accountById, saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { secretBoxOf } from "../../../src/medusa/secrets/secret-box"
import { codeOf } from "../../support/code-of"
import { useFlowsHarness } from "../../support/use-flows-harness"

const SECRETS = ["CANARY-first", "CANARY-second"]
const ENVIRONMENT = { id: "mpacc_env", account: undefined, clientId: null, sources: {} }
const harness = useFlowsHarness()
const box = secretBoxOf({ MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64") })

const deps = (): AccountDeps => ({
  ...harness.deps,
  box,
  tables: { missing: () => Promise.resolve([]) },
  setup: {
    read: () => Promise.reject(new Error("not asked")),
    setRegionProviders: () => Promise.resolve(),
    regionsOfCarts: () => Promise.resolve(new Map()),
    locking: null,
    workflowEngine: null,
  },
  environment: ENVIRONMENT,
  openGateway: () => harness.gateway,
  openEnvironmentGateway: () => undefined,
})

let account: AccountResponse

beforeEach(async () => {
  await harness.ledger.sql("truncate mp_approval")
  // A rule of any account is a rule for all.
  await harness.ledger.sql("update mp_account set deleted_at = now() where id <> 'mpacc_env'")
  account = await createAccount(
    deps(),
    {
      label: "Typed in",
      base_url: "http://localhost:4199",
      client_id: "one-client",
      client_secret: SECRETS[0],
      currencies: [],
      policies: { refund_second_admin_above: { USD: 100 }, money_out_daily_cap: { USD: 500 } },
    },
    "user_ada",
  )
})

afterEach(async () => {
  const tables = ["mp_account_event", "mp_approval", "mp_account", "mp_credential"]
  const rows = await Promise.all(
    tables.map((table) => harness.ledger.sql(`select * from ${table}`)),
  )
  for (const secret of SECRETS) expect(JSON.stringify(rows)).not.toContain(secret)
})

async function change(adminId: string, body: AccountBody): Promise<string> {
  const { version } = await readAccount(deps(), account.id)
  return codeOf(changeAccount(deps(), account.id, { ...body, version }, adminId))
}

const now = async () => (await readAccount(deps(), account.id)).policies
const events = async () => (await readAccountEvents(deps(), account.id)).events

const NEEDS = "account_needs_second_admin"
const RETYPED = { client_id: "one-client", client_secret: SECRETS[1] }
const GUARDED: readonly (readonly [string, AccountBody])[] = [
  ["refunds without a person", { policies: { refund_orphans: true } }],
  ["refunds in another currency", { policies: { refund_currency: "SOURCE" } }],
  ["a higher limit for refunds", { policies: { refund_second_admin_above: { USD: 101 } } }],
  ["a limit of one currency less", { policies: { refund_second_admin_above: { LRD: 5 } } }],
  ["no limit for refunds", { policies: { refund_second_admin_above: null } }],
  ["money out turned on", { policies: { money_out: true } }],
  ["a higher cap", { policies: { money_out_daily_cap: { USD: 500.01 } } }],
  ["no cap", { policies: { money_out_daily_cap: null } }],
  ["money out by keys", { policies: { money_out_by_api_key: true } }],
  ["another address", { base_url: "http://localhost:4198", ...RETYPED }],
  ["another client", { client_id: "two-client", client_secret: SECRETS[1] }],
  ["another secret", RETYPED],
]

describe("[S16] where an account wants two admins for money", () => {
  it.each(GUARDED)("%s needs them, too", async (_name, body) => {
    const before = await readAccount(deps(), account.id)
    for (const by of ["user_ada", "user_ada", "apk_01JKEY"]) {
      expect([by, await change(by, body)]).toEqual([by, NEEDS])
    }
    expect(await readAccount(deps(), account.id)).toEqual(before)
    expect(await change("user_bob", body)).toBe("none")
    expect((await events())[0]).toMatchObject({
      name: "changed",
      by: "user_bob",
      asked_by: "user_ada",
    })
    expect((await events()).map(({ name }) => name)).toEqual(["changed", "change_asked", "created"])
  })

  it("the second admin has to want the very same", async () => {
    expect(await change("user_ada", { policies: { money_out_daily_cap: { USD: 600 } } })).toBe(
      NEEDS,
    )
    expect(await change("user_bob", { policies: { money_out_daily_cap: { USD: 601 } } })).toBe(
      NEEDS,
    )
    // What needs no second admin may differ.
    const same = { label: "Another name", policies: { money_out_daily_cap: { USD: 600 } } }
    expect(await change("user_bob", same)).toBe("none")
    expect((await now()).money_out_daily_cap).toEqual({ USD: 600 })
  })

  it.each([
    ["a lower limit", { policies: { refund_second_admin_above: { USD: 99, LRD: 5 } } }],
    ["a lower cap", { policies: { money_out_daily_cap: { USD: 1 } } }],
    ["a second limit", { policies: { money_out_second_admin_above: { "*": 1 } } }],
    ["another name, and longer windows", { label: "Other", push_window_minutes: 40 }],
  ])("%s needs one", async (_name, body) => {
    expect(await change("user_ada", body)).toBe("none")
  })

  it("removing it needs them, too", async () => {
    const remove = (by: string) => codeOf(removeAccount(deps(), account.id, by))
    expect(await remove("user_ada")).toBe(NEEDS)
    expect(await remove("user_bob")).toBe("none")
    expect((await events())[0]).toMatchObject({ name: "removed", by: "user_bob" })
  })

  it("they still agree where nothing was saved", async () => {
    const body = { policies: { money_out: true } }
    expect(await change("user_ada", body)).toBe(NEEDS)
    const stale = { ...body, version: account.version }
    await harness.ledger.sql("update mp_account set version = version + 1 where id = $1", [
      account.id,
    ])
    expect(await codeOf(changeAccount(deps(), account.id, stale, "user_bob"))).toBe(
      "changed_meanwhile",
    )
    expect(await change("user_bob", body)).toBe("none")
  })
})

describe("[S16] without such a rule", () => {
  it("the bound of questions is a setting, and holds for the account's checks at once", async () => {
    const bound = async () =>
      (
        await harness.ledger.sql("select checks_per_second_max from mp_account where id = $1", [
          account.id,
        ])
      )[0]
    expect(account.checks_per_second_max).toBe(LIMITS.checksPerSecondMax)
    expect(await bound()).toEqual({ checks_per_second_max: LIMITS.checksPerSecondMax })
    expect(await change("user_ada", { checks_per_second_max: 60 })).toBe("none")
    expect(await bound()).toEqual({ checks_per_second_max: 60 })
    expect((await readAccount(deps(), account.id)).checks_per_second_max).toBe(60)
  })

  it("one admin is enough, and the change is recorded and announced, without the secret", async () => {
    await change("user_ada", { policies: { refund_second_admin_above: null } })
    await change("user_bob", { policies: { refund_second_admin_above: null } })
    const announced: Announcement[] = []
    const emit = (announcements: readonly Announcement[]) => {
      announced.push(...announcements)
      return Promise.resolve()
    }
    await announce({ ...harness.deps, bus: { emit } })
    announced.length = 0
    expect(await change("user_ada", { ...RETYPED, policies: { money_out: true } })).toBe("none")
    const [newest] = await events()
    expect(newest).toMatchObject({
      name: "changed",
      by: "user_ada",
      asked_by: null,
      changes: {
        client_secret: { from: null, to: "typed" },
        "policies.money_out": { from: false, to: true },
      },
    })
    await announce({ ...harness.deps, bus: { emit } })
    await announce({ ...harness.deps, bus: { emit } })
    expect(announced).toEqual([
      {
        name: "merchant_payments.account_event",
        data: {
          id: account.id,
          event_id: newest?.id,
          type: "ACCOUNT",
          event: "changed",
          by: "user_ada",
          fields: ["client_secret", "policies.money_out"],
          occurred_at: newest?.at,
        },
      },
    ])
  })

  it("what the environment changes is written down as well", async () => {
    const environment = accountById(await harness.deps.accounts(), ENVIRONMENT.id)
    if (!environment) throw new Error("there is no account")
    const policies = { ...environment.policies, money_out: true }
    await saveAccount(harness.ledger.database, { ...environment, policies })
    await saveAccount(harness.ledger.database, { ...environment, policies })
    const recorded = await readAccountEvents(deps(), environment.id)
    expect(recorded.events).toMatchObject([
      { name: "changed", by: "environment", changes: { policies: { to: { money_out: true } } } },
    ])
  })
})
