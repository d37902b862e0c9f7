/**
 * A refund that one admin asks for and another approves, in drawn orders of events
 * (`histories/two-admins.ts`). One intention is one movement of money.
 */
import fc from "fast-check"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { EXAMPLES, momentsOf, playRequests } from "../../histories/two-admins"
import { REFUND_FAULTS, refundsOf } from "../../support/agreed-kinds"
import { useRefundHarness } from "../../support/refund-harness"

const tools = useRefundHarness()
const { harness, paid } = tools

beforeEach(async () => {
  const [account] = await harness.deps.accounts()
  if (!account) throw new Error("there is no account")
  const policies = { ...account.policies, refund_second_admin_above: { USD: 6 } }
  await saveAccount(harness.deps.database, { ...account, policies })
})

it("[S17] a refund moves money once for each request that another admin approved, in any order of events", async () => {
  const moments = momentsOf(REFUND_FAULTS, { minLength: 2, maxLength: 7 })
  await fc.assert(
    fc.asyncProperty(moments, async (drawn) => playRequests(refundsOf(tools, await paid()), drawn)),
    { numRuns: 20, examples: EXAMPLES.map((one): [typeof one] => [one]) },
  )
}, 240_000)
