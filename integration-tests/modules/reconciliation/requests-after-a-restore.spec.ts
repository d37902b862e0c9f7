/**
 * [P19] What two admins agree on, in drawn orders of events, with a backup that is played back at
 * any position of the history (`histories/two-admins.ts`): nothing is sent twice for one intention.
 */
import fc from "fast-check"
import { accountById, saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { momentsOf, playRequests, RESTORED } from "../../histories/two-admins"
import {
  moneyOutOf,
  PAYOUT_FAULTS,
  REFUND_FAULTS,
  refundsOf,
  TRANSFER_FAULTS,
} from "../../support/agreed-kinds"
import { letMoneyOut, usePayoutsHarness } from "../../support/payouts-harness"
import { useRefundHarness } from "../../support/refund-harness"

const tools = usePayoutsHarness({ isLedgerWhole: false })
const refunds = useRefundHarness(undefined, false)
const FIRSTS = ["settle", "back up", "restore", "restore, noticed"] as const

it.each([
  ["payout", "PAYOUT", PAYOUT_FAULTS],
  ["transfer", "TRANSFER", TRANSFER_FAULTS],
] as const)(
  "a %s moves money once for each key that another admin approved, whatever is restored",
  async (_name, type, faults) => {
    await letMoneyOut(tools.harness.ledger, { money_out_second_admin_above: { "*": 0 } })
    const moments = momentsOf(faults, { minLength: 4, maxLength: 9 }, FIRSTS)
    await fc.assert(
      fc.asyncProperty(moments, async (drawn) =>
        playRequests(await moneyOutOf(tools, type), drawn),
      ),
      { numRuns: 25, examples: [[[...RESTORED]]] },
    )
  },
  240_000,
)

it("a refund moves money once for each request that another admin approved, whatever is restored", async () => {
  const account = accountById(await refunds.harness.deps.accounts(), "mpacc_env")
  if (!account) throw new Error("there is no account")
  const policies = { ...account.policies, refund_second_admin_above: { USD: 6 } }
  await saveAccount(refunds.harness.deps.database, { ...account, policies })
  const moments = momentsOf(REFUND_FAULTS, { minLength: 4, maxLength: 9 }, FIRSTS)
  await fc.assert(
    fc.asyncProperty(moments, async (drawn) =>
      playRequests(refundsOf(refunds, await refunds.paid()), drawn),
    ),
    { numRuns: 25, examples: [[[...RESTORED]]] },
  )
}, 240_000)
