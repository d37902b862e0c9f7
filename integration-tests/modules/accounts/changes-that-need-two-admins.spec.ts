/**
 * What is recorded and announced of an account's changes, and of those that need two admins. Which
 * changes need two is in `two-people.spec.ts`.
 */
import { LIMITS } from "../../../src/core/limits"
import { randomBytes } from "node:crypto"
import type { AccountResponse, AccountBody } from "../../../src/accounts/schemas/accounts"
import type { Announcement } from "../../../src/worker/rules/announcements"
import type { AccountDeps } from "../../../src/accounts/deps"
import { approveChange } from "../../../src/accounts/approve-change"
import { readAccount, readAccountEvents, readAccounts } from "../../../src/accounts/read-accounts"
import { changeAccount, createAccount } from "../../../src/accounts/save-account"
import { announce } from "../../../src/worker/announce"
import { accountById, saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { secretBoxOf } from "../../../src/medusa/secrets/secret-box"
import { accountDepsOf, NO_ENVIRONMENT } from "../../support/account-deps"
import { codeOf } from "../../support/code-of"
import { useFlowsHarness } from "../../support/use-flows-harness"

const SECRETS = ["CANARY-first", "CANARY-second"]
const harness = useFlowsHarness()
const box = secretBoxOf({ MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64") })

const deps = (): AccountDeps => accountDepsOf(harness, { box, openGateway: () => harness.gateway })

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
async function approve(adminId: string): Promise<string> {
  const [{ id } = { id: "" }] = (await readAccounts(deps())).waiting
  return codeOf(approveChange(deps(), { id, adminId, note: undefined }))
}

describe("[S16] a change that needs two admins", () => {
  it("is made in the second admin's name, and its events name both", async () => {
    expect(await change("user_ada", RETYPED)).toBe(NEEDS)
    expect(await approve("user_bob")).toBe("none")
    const [newest, ...others] = await events()
    expect(newest).toMatchObject({ name: "changed", by: "user_bob", asked_by: "user_ada" })
    expect(others.map(({ name }) => name)).toEqual(["change_asked", "created"])
  })

  it("waits on where nothing was saved", async () => {
    expect(await change("user_ada", { policies: { money_out: true } })).toBe(NEEDS)
    await harness.ledger.sql("update mp_account set deleted_at = now() where id = $1", [account.id])
    expect(await approve("user_bob")).not.toBe("none")
    await harness.ledger.sql("update mp_account set deleted_at = null where id = $1", [account.id])
    expect(await approve("user_bob")).toBe("none")
    expect(await now()).toMatchObject({ money_out: true })
  })
})

describe("[S16] a change that one admin makes", () => {
  it("of the checks per second holds for the account at once", async () => {
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

  it("is recorded and announced, without the secret", async () => {
    await change("user_ada", { policies: { refund_second_admin_above: null } })
    await approve("user_bob")
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

  it("by the environment's variables is recorded as well", async () => {
    const environment = accountById(await harness.deps.accounts(), NO_ENVIRONMENT.id)
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
