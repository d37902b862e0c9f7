/**
 * A change of an account that one admin asks for and another approves, in drawn orders of events
 * (`histories/two-admins.ts`): each request changes the account once at most.
 */
import fc from "fast-check"
import { approveChange } from "../../../src/accounts/approve-change"
import type { AccountDeps } from "../../../src/accounts/deps"
import { readAccount } from "../../../src/accounts/read-accounts"
import { changeAccount } from "../../../src/accounts/save-account"
import { EXAMPLES, momentsOf, playRequests, type Agreed } from "../../histories/two-admins"
import { useTwoPeople } from "../../support/two-people-harness"

const { harness, deps, plain } = useTwoPeople()
const LIMITS_ASKED = [600, 700, 800]

/** Changes that were made because two admins agreed, each with its event. */
async function agreed(): Promise<number> {
  const events = await harness.ledger.sql(
    "select asked_by, done_by from mp_account_event where asked_by is not null and name = 'changed'",
  )
  for (const { asked_by, done_by } of events) expect(done_by).not.toBe(asked_by)
  return events.length
}

async function changes(): Promise<Agreed<AccountDeps>> {
  const before = await agreed()
  return {
    kinds: ["ACCOUNT"],
    deps,
    sql: harness.ledger.sql,
    async ask(given, by, key) {
      const { version } = await readAccount(given, plain().id)
      const policies = { money_out_daily_cap: { LRD: LIMITS_ASKED[key] ?? 0 } }
      await changeAccount(given, plain().id, { policies, version }, by)
    },
    approve: approveChange,
    settle: () => Promise.resolve(),
    moved: async () => (await agreed()) - before,
    sent: () => Promise.resolve([]),
  }
}

it("[D1] an account changes once for each request that another admin approved, in any order of events", async () => {
  const moments = momentsOf([], { minLength: 2, maxLength: 7 })
  await fc.assert(
    fc.asyncProperty(moments, async (drawn) => playRequests(await changes(), drawn)),
    { numRuns: 20, examples: EXAMPLES.map((one): [typeof one] => [one]) },
  )
}, 240_000)
