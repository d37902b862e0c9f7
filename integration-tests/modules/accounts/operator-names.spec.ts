/**
 * A gateway that has other names for operators than the plugin: the health page warns, the account
 * shows the gateway's name as a proposal, and an admin takes it by a change of the account.
 */
import type { AccountDeps } from "../../../src/accounts/deps"
import { readAccounts } from "../../../src/accounts/read-accounts"
import { readHealth } from "../../../src/accounts/read-health"
import { changeAccount, createAccount } from "../../../src/accounts/save-account"
import { startPayment } from "../../../src/checkout/start-payment"
import { secretBoxOf } from "../../../src/medusa/secrets/secret-box"
import { accountDepsOf, setupOf } from "../../support/account-deps"
import { PHONE, PUSH } from "../../support/flows-harness"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const ADA = "user_ada"
const KEY = Buffer.alloc(32, 7).toString("base64")

const REGION = {
  id: "reg_1",
  name: "Liberia",
  currency: "LRD",
  countries: ["lr"],
  providerIds: [PUSH],
}

const depsNow = (): AccountDeps =>
  accountDepsOf(harness, {
    box: secretBoxOf({ MERCHANT_PAYMENTS_ENCRYPTION_KEY: KEY }),
    setup: setupOf(() =>
      Promise.resolve({
        providerIds: [PUSH],
        regions: [REGION],
        knownCurrencies: { LRD: 2 },
      }),
    ),
  })

async function namesLine(deps: AccountDeps) {
  const { checks } = await readHealth(deps)
  const line = checks.find(({ name }) => name === "operator_names")
  return { said: `${line?.status}: ${line?.code}`, message: line?.message }
}

it("an operator's name at the gateway is proposed, and the admin's click ends the warning", async () => {
  const deps = depsNow()
  const { sessionId } = harness.cart()
  await startPayment(deps, { sessionId, phone: PHONE })
  const made = await createAccount(
    deps,
    {
      label: "Live",
      base_url: harness.simulator.url,
      client_id: "another-client",
      client_secret: "another-secret",
      currencies: ["LRD"],
    },
    ADA,
  )
  const accountNow = async () => {
    const found = (await readAccounts(deps)).accounts.find(({ id }) => id === made.id)
    if (!found) throw new Error("the account is gone")
    return found
  }
  // The simulator uses the neutral names, so nothing is wrong and nothing is proposed.
  expect(await namesLine(deps)).toMatchObject({ said: "ok: names_right" })
  expect((await accountNow()).learned_names).toEqual([])

  // The payment as a gateway with other names would have predicted it.
  await harness.ledger.sql(
    `update mp_operation set account_id = $1, payer_currency = 'LRD',
            payment_method = 'LIVE_MOMO_LBR', carrier = 'Live Money'`,
    [made.id],
  )
  expect(await namesLine(deps)).toEqual({
    said: "warning: names_learned",
    message: expect.stringMatching(/Shoppers read Operator 1.*Live has no names.*Live Money/),
  })
  const [learned] = (await accountNow()).learned_names
  expect(learned).toMatchObject({ payment_method: "LIVE_MOMO_LBR", carrier: "Live Money" })
  const [first] = learned?.proposals ?? []
  expect(first?.operator).toBe("Operator 1 Mobile Money")

  const click = async (names: Readonly<Record<string, string>> = {}) => {
    const { id, version, wire_names: before } = await accountNow()
    return changeAccount(deps, id, { version, wire_names: { ...before, ...names } }, ADA)
  }
  await click(first?.wire_names)
  expect(await accountNow()).toMatchObject({
    wire_names: { OPERATOR1_MOMO_LBR: "LIVE_MOMO_LBR", "OPERATOR1_MOMO_LBR.label": "Live Money" },
    learned_names: [],
  })
  expect(await namesLine(deps)).toMatchObject({ said: "ok: names_right" })

  // Where settings need two admins, so do names: one click is not enough.
  const { id, version } = await accountNow()
  const policies = { refund_second_admin_above: { "*": 1 } }
  await changeAccount(deps, id, { version, policies }, ADA)
  await expect(click({ "OPERATOR1_MOMO_LBR.label": "Else" })).rejects.toMatchObject({
    key: expect.stringMatching(/^account_needs_second_admin/),
  })
})
