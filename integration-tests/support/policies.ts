/** The rules of a harness's account, as an admin sets them. */
import type { AccountPolicies } from "../../src/core/account-settings"
import { saveAccount } from "../../src/ledger/accounts/find-accounts"
import type { FlowsHarness } from "./flows-harness"

export async function setPolicies(
  { deps, ledger }: Pick<FlowsHarness, "deps" | "ledger">,
  change: Partial<AccountPolicies>,
): Promise<void> {
  const [account] = await deps.accounts()
  if (!account) throw new Error("there is no account")
  const policies = { ...account.policies, ...change }
  await saveAccount(ledger.database, { ...account, policies })
}
