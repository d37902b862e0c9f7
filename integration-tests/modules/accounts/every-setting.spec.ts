/** Every setting of an account is kept as it was sent, by a new account and by a change. */
import fc from "fast-check"
import { accountBody } from "../../../src/accounts/schemas/accounts"
import { readAccount } from "../../../src/accounts/read-accounts"
import type { AccountBody } from "../../../src/accounts/schemas/accounts"
import { changeAccount, createAccount } from "../../../src/accounts/save-account"
import {
  ACCOUNT_POLICIES,
  ACCOUNT_SETTINGS,
  type AccountPolicies,
  type SettingsBody,
} from "../../../src/core/account-settings"
import { listAccounts, saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { accountDepsOf } from "../../support/account-deps"
import { drawnFrom } from "../../support/drawn-settings"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const BY = "user_ada"

const drawn = fc
  .tuple(drawnFrom<SettingsBody>(ACCOUNT_SETTINGS), drawnFrom<AccountPolicies>(ACCOUNT_POLICIES))
  .map(([settings, policies]) => ({
    ...settings,
    base_url: `https://${settings.label}.example`,
    // With a rule of two admins a change waits for another.
    policies: {
      ...policies,
      refund_second_admin_above: null,
      money_out_second_admin_above: null,
    },
  }))

it("a setting is read as it was written, by the page and by the environment", async () => {
  const deps = accountDepsOf(harness)
  const { database } = harness.ledger
  await harness.ledger.sql("delete from mp_account_currency")
  await harness.ledger.sql("update mp_account set currencies = '{}'")
  const taken = (body: object) => accountBody.parse(body) as AccountBody
  await fc.assert(
    fc.asyncProperty(drawn, drawn, async (first, then) => {
      const { id, version } = await createAccount(deps, taken(first), BY)
      expect(await readAccount(deps, id)).toMatchObject(first)
      await changeAccount(deps, id, { ...taken(then), version }, BY)
      expect(await readAccount(deps, id)).toMatchObject(then)
      const account = (await listAccounts(database)).find((one) => one.id === id)
      if (!account) throw new Error(`the account ${id} is gone`)
      await saveAccount(database, account)
      expect(await readAccount(deps, id)).toMatchObject(then)
      await harness.ledger.sql("delete from mp_account_currency")
      await harness.ledger.sql("update mp_account set deleted_at = now() where id = $1", [id])
    }),
    { numRuns: 25 },
  )
})
