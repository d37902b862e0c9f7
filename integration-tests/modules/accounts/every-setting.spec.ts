/** Every setting of an account is kept as it was sent, by a new account and by a change. */
import fc from "fast-check"
import { accountBody } from "../../../src/accounts/schemas/accounts"
import type { AccountDeps } from "../../../src/accounts/deps"
import { readAccount, readAccountEvents } from "../../../src/accounts/read-accounts"
import { canonical } from "../../../src/core/canonical"
import type { AccountBody } from "../../../src/accounts/schemas/accounts"
import { changeAccount, createAccount } from "../../../src/accounts/save-account"
import {
  ACCOUNT_POLICIES,
  ACCOUNT_SETTINGS,
  type AccountPolicies,
  type SettingsBody,
} from "../../../src/core/account-settings"
import type { AccountId } from "../../../src/core/ids"
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
type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never

/** The settings that the newest event of an account names. */
async function notedLast(deps: AccountDeps, id: AccountId): Promise<string[]> {
  const { events } = await readAccountEvents(deps, id)
  return Object.keys(events[0]?.changes ?? {}).sort()
}

function changedBetween(before: Drawn, after: Drawn): string[] {
  const facts = ({ policies, ...settings }: Drawn) => [
    ...Object.entries(settings),
    ...Object.entries(policies).map(([name, value]) => [`policies.${name}`, value] as const),
  ]
  const was = new Map<string, unknown>(facts(before))
  const isChanged = ([name, value]: readonly [string, unknown]) =>
    canonical(was.get(name)) !== canonical(value)
  return facts(after)
    .filter(isChanged)
    .map(([name]) => name)
    .sort()
}

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
      expect(await notedLast(deps, id)).toEqual(changedBetween(first, then))
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
