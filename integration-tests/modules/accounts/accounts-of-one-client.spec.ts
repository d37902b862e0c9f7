/**
 * [B53] One merchant client with several accounts: typed in the admin instead of the variables, or
 * removed and typed anew. Its payments are asked about, refunded and compared by any of them, and
 * another merchant's accounts never see them.
 */
import { gatewayFor } from "../../../src/engine/gateway-for"
import type { FlowDeps } from "../../../src/engine/deps"
import { adoptCredential } from "../../../src/ledger/accounts/credentials"
import { listAccounts, saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { findById } from "../../../src/ledger/find-operations"
import { reconcile } from "../../../src/reconciliation/reconcile"
import { lastPeriod } from "../../../src/reconciliation/sql/reconciliations"
import { checkNow } from "../../../src/worker/check-due-operations"
import { DAY, SECOND } from "../../support/an-operation"
import { useReconcileHarness } from "../../support/reconcile-harness"

const { harness, underWay, pay, paid } = useReconcileHarness()

const TYPED = "mpacc_typed"

/** The store whose admin has typed the client in; the environment's account has no variables. */
async function typedAnew(clientId = "simulator-client", isBoth = false): Promise<FlowDeps> {
  const { deps, gateway, ledger, simulator } = harness
  await ledger.sql(
    `insert into mp_account (id, label, base_url, currencies)
     select $1, 'Typed', base_url, '{}' from mp_account where id = 'mpacc_env'
     on conflict (id) do update set deleted_at = null`,
    [TYPED],
  )
  return {
    ...deps,
    accounts: () => listAccounts(ledger.database),
    gatewayOf: ({ id }) => (id === TYPED || isBoth ? gateway : undefined),
    credentialOf: ({ id: accountId }) =>
      adoptCredential(ledger.database, { accountId, baseUrl: simulator.url, clientId }),
  }
}

async function compared(deps: FlowDeps) {
  const reports = await reconcile(deps, await lastPeriod(deps.database, 7 * DAY))
  return {
    differences: reports.flatMap(({ differences }) => differences),
    documents: reports.reduce((sum, { counts }) => sum + (counts["documents"] ?? 0), 0),
    incomplete: reports.flatMap(({ incomplete_because: because }) => because),
  }
}

afterEach(async () => {
  await harness.ledger.sql("update mp_account set deleted_at = null where id = 'mpacc_env'")
  await harness.ledger.sql("delete from mp_reconciliation")
  await harness.ledger.sql("delete from mp_credential where account_id = $1", [TYPED])
  await harness.ledger.sql("delete from mp_account where id = $1", [TYPED])
})

it("[B53] a prompt that was approved before its client was typed in the admin is completed and refundable", async () => {
  const { operation } = await underWay()
  pay(operation)
  const deps = await typedAnew()
  await harness.pass(operation.id, 3 * SECOND)
  await checkNow(deps, operation.id)
  const now = await findById(deps.database, operation.id)
  expect(now).toMatchObject({ state: "completed", accountId: "mpacc_env" })
  expect(now && (await gatewayFor(deps, now))).toBe(harness.gateway)
})

it("[B53] the account of another merchant client asks about none of its payments", async () => {
  const { operation } = await paid()
  expect(await gatewayFor(await typedAnew("another-client"), operation)).toBeUndefined()
})

it("[B53] accounts of one client list each payment once and call none of them unknown", async () => {
  await paid()
  const alone = (await compared(harness.deps)).documents
  await harness.ledger.sql("delete from mp_reconciliation")
  const both = await compared(await typedAnew("simulator-client", true))
  expect(both).toEqual({ differences: [], documents: alone, incomplete: [] })
  const moved = await compared(await typedAnew())
  expect(moved).toEqual({ differences: [], documents: alone, incomplete: [] })
})

it("[B53] a removed account's payments are compared by the account that was typed anew", async () => {
  await paid()
  const alone = (await compared(harness.deps)).documents
  await harness.ledger.sql("delete from mp_reconciliation")
  const deps = await typedAnew()
  await harness.ledger.sql("update mp_account set deleted_at = now() where id = 'mpacc_env'")
  expect(await compared(deps)).toEqual({ differences: [], documents: alone, incomplete: [] })
})

describe("[B53] what another version of the plugin has stored", () => {
  const stored = async () => {
    const [row] = await harness.ledger.sql("select policies from mp_account where id = 'mpacc_env'")
    return row?.["policies"]
  }
  const events = async () =>
    harness.ledger.sql("select changes from mp_account_event where account_id = 'mpacc_env'")

  it("stays when the environment's account is saved, and a boot that changes nothing notes nothing", async () => {
    const [account] = await listAccounts(harness.ledger.database)
    if (!account) throw new Error("no account")
    const write = (policies: object) =>
      harness.ledger.sql("update mp_account set policies = $1 where id = 'mpacc_env'", [
        JSON.stringify(policies),
      ])
    await write({ ...account.policies, of_tomorrow: true })
    await saveAccount(harness.ledger.database, account)
    expect(await stored()).toEqual({ ...account.policies, of_tomorrow: true })
    const before = await events()
    // As a version leaves them that does not know this policy.
    await write({ ...account.policies, cards_at_once: undefined })
    await saveAccount(harness.ledger.database, account)
    expect(await events()).toEqual(before)
    expect(await stored()).toEqual(account.policies)
  })
})
