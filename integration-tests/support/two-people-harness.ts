/** Accounts of which one has all rules for two admins, and the admins who change them. */
import { randomBytes } from "node:crypto"
import { approveChange } from "../../src/accounts/approve-change"
import type { AccountDeps } from "../../src/accounts/deps"
import { readAccount, readAccounts } from "../../src/accounts/read-accounts"
import type { AccountBody, AccountResponse } from "../../src/accounts/schemas/accounts"
import { changeAccount, createAccount } from "../../src/accounts/save-account"
import { secretBoxOf } from "../../src/medusa/secrets/secret-box"
import { accountDepsOf } from "./account-deps"
import { codeOf } from "./code-of"
import { useFlowsHarness } from "./use-flows-harness"

export const [ADA, BOB, EVE, KEY] = ["user_ada", "user_bob", "user_eve", "apk_01JKEY"]
export const NEEDS = "account_needs_second_admin"
export const SECRET = "CANARY-kept"
export const typed = (client: string, more: AccountBody = {}): AccountBody => ({
  label: client,
  base_url: "http://localhost:4199",
  client_id: client,
  client_secret: SECRET,
  currencies: [],
  ...more,
})

const GUARDED = {
  currencies: ["USD"],
  policies: {
    money_out: true,
    money_out_daily_cap: { USD: 500 },
    money_out_second_admin_above: { USD: 100 },
    refund_second_admin_above: { USD: 100 },
  },
}

export const GUARDED_EUR = { currencies: ["EUR"] }

/** Registers the suite's hooks; what it returns can be called inside tests only. */
export function useTwoPeople() {
  const harness = useFlowsHarness()
  const box = secretBoxOf({ MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64") })

  const deps = (): AccountDeps =>
    accountDepsOf(harness, { box, openGateway: () => harness.gateway })

  const add = (by: string, body: AccountBody) => createAccount(deps(), body, by)
  async function change(by: string, id: string, body: AccountBody): Promise<AccountResponse> {
    const { version } = await readAccount(deps(), id)
    return changeAccount(deps(), id, { ...body, version }, by)
  }

  let plain: AccountResponse
  let guard: AccountResponse

  beforeEach(async () => {
    const { sql } = harness.ledger
    await sql("truncate mp_approval")
    await sql("delete from mp_account_currency")
    await sql(
      "update mp_account set deleted_at = now(), is_default = false where id <> 'mpacc_env'",
    )
    const { id } = await add(ADA, typed("former-client", { currencies: ["LRD"] }))
    const policies = { money_out_daily_cap: { LRD: 500 } }
    plain = await change(ADA, id, { client_id: "plain-client", client_secret: SECRET, policies })
    guard = await add(ADA, typed("guard-client", GUARDED))
  })

  afterEach(async () => {
    const rows = await harness.ledger.sql("select * from mp_approval")
    expect(JSON.stringify(rows)).not.toContain(SECRET)
  })

  const waitingIds = async () => (await readAccounts(deps())).waiting.map(({ id }) => id)

  /** The other admin's approval of the newest change that waits. */
  async function approve(by: string, id?: string, given = deps()): Promise<string> {
    const [newest = ""] = id === undefined ? await waitingIds() : [id]
    return codeOf(approveChange(given, { id: newest, adminId: by, note: "as agreed" }))
  }

  async function liftTheRule(): Promise<void> {
    const lifted = { money_out_second_admin_above: null, refund_second_admin_above: null }
    expect(await codeOf(change(ADA, guard.id, { policies: lifted }))).toBe(NEEDS)
    expect(await approve(BOB)).toBe("none")
  }

  return {
    harness,
    deps,
    add,
    change,
    waitingIds,
    approve,
    liftTheRule,
    /** Takes LRD, and has no rule; a former client of it drains. */
    plain: () => plain,
    /** Takes USD, and has all rules. */
    guard: () => guard,
  }
}
