/**
 * Limits, caps and daily sums belong to the merchant's client at its gateway: a second account of
 * the same client, without rules, sends no more than the first one.
 */
import { randomUUID } from "node:crypto"
import type { FlowDeps } from "../../../src/engine/deps"
import {
  adoptCredential,
  learnOwner,
  succeedCredential,
} from "../../../src/ledger/accounts/credentials"
import { accountById, saveAccount, type Account } from "../../../src/ledger/accounts/find-accounts"
import { findClientPolicies } from "../../../src/ledger/accounts/merchant-client"
import { storedPolicies } from "../../../src/core/schemas/settings"
import { listWaiting } from "../../../src/ledger/requests"
import { approvePayout } from "../../../src/payouts/approve-payout"
import { payoutView } from "../../../src/payouts/payout-view"
import { currency } from "../../support/an-operation"
import { payoutOf, usePayoutsHarness } from "../../support/payouts-harness"

const { harness, walletId, pay, codeOf, sentIn } = usePayoutsHarness()
const NEEDS = "money_out_needs_second_admin"
const RULES = { money_out_daily_cap: { USD: 500 }, money_out_second_admin_above: { USD: 100 } }
/** A credential belongs to a client at an address. */
type Client = { readonly clientId: string; readonly baseUrl: string }

const client = (given: Partial<Client> = {}): Client => ({
  clientId: "simulator-client",
  baseUrl: harness.simulator.url,
  ...given,
})

async function anAccount(of: Client, policies: object): Promise<Account & Client> {
  const environment = accountById(await harness.deps.accounts(), "mpacc_env")
  if (!environment) throw new Error("there is no account")
  const account: Account = {
    ...environment,
    id: `mpacc_${randomUUID()}`,
    isDefault: false,
    baseUrl: of.baseUrl,
    currencies: [currency("USD")],
    policies: storedPolicies.parse({ money_out: true, ...policies }),
  }
  await saveAccount(harness.ledger.database, account)
  await credentialOf({ ...account, ...of })
  return { ...account, ...of }
}

const credentialOf = ({ id, baseUrl, clientId }: Account & Client) =>
  adoptCredential(harness.ledger.database, { accountId: id, baseUrl, clientId })

/** A process for which the account takes the currency; all of them reach the same wallet. */
const through = (account: Account & Client): FlowDeps => ({
  ...harness.deps,
  accounts: () => Promise.resolve([account]),
  credentialOf: () => credentialOf(account),
  gatewayOf: () => harness.gateway,
})

const payout = (account: Account & Client, amount: number, askedBy = "user_ada") =>
  codeOf(pay(payoutOf({ amount, askedBy }), through(account)))

/** Another admin approves what waits. */
async function approve(account: Account & Client) {
  const deps = through(account)
  const [request] = await listWaiting(deps.database, deps.people, ["PAYOUT"])
  const answer = { id: request?.id ?? "", adminId: "user_bob", note: undefined }
  return payoutView(await approvePayout(deps, answer))
}

/** Spends most of the cap, in parts that one admin may send: two agree from the second on. */
async function spend(account: Account & Client): Promise<void> {
  await payout(account, 90)
  expect(await payout(account, 390)).toBe(NEEDS)
  expect(await approve(account)).toMatchObject({ amount: 390 })
}

let guarded: Account & Client

beforeEach(async () => {
  await harness.ledger.sql("update mp_operation set created_at = created_at - interval '1 day'")
  await harness.ledger.sql("truncate mp_approval")
  await harness.ledger.sql("update mp_account set deleted_at = now() where id <> 'mpacc_env'")
  await harness.ledger.sql("update mp_credential set owner_id = null, numbers_of = null")
  harness.simulator.backOffice.deposit(walletId(), 1_000)
  guarded = await anAccount(client(), RULES)
})

describe("[D1] a second account", () => {
  const SAME: readonly (readonly [string, () => Promise<Account & Client>])[] = [
    ["without rules of the same client at the same address", () => anAccount(client(), {})],
    [
      "without rules of another client of the same merchant",
      async () => {
        const other = await anAccount(client({ clientId: "second-client" }), {})
        for (const one of [guarded, other]) {
          await learnOwner(harness.ledger.database, (await credentialOf(one)).id, 1)
        }
        return other
      },
    ],
    [
      "without rules of the client that the first one had before",
      async () => {
        const former = await credentialOf(guarded)
        const second = await anAccount(client(), {})
        guarded = { ...guarded, clientId: "third-client" }
        const { id: to } = await credentialOf(guarded)
        const proven = { from: former.id, to, ownerId: null }
        await succeedCredential(harness.ledger.database, proven)
        return second
      },
    ],
  ]

  it.each(SAME)("%s has the first one's limit, cap and sums", async (_name, make) => {
    const second = await make()
    const before = sentIn()
    expect(await payout(second, 101)).toBe(NEEDS)
    expect(await payout(second, 900)).toBe("money_out_above_cap")
    expect(sentIn()).toBe(before)
    await spend(guarded)
    expect(await payout(second, 20.01)).toBe("money_out_above_cap")
    expect(await payout(second, 20)).toBe(NEEDS)
    expect(await approve(second)).toMatchObject({ amount: 20 })
    expect(await payout(guarded, 1)).toBe("money_out_above_cap")
  })

  it.each([
    ["at another gateway", () => client({ baseUrl: "https://other.example" })],
    ["of another merchant", () => client({ clientId: "other-client" })],
  ])("%s has separate limits", async (_name, of) => {
    const second = await anAccount(of(), {})
    await learnOwner(harness.ledger.database, (await credentialOf(guarded)).id, 1)
    await learnOwner(harness.ledger.database, (await credentialOf(second)).id, 2)
    await spend(guarded)
    expect(await payout(second, 101)).toMatchObject({ amount: 101 })
  })

  it("counts what a removed account of the client sent", async () => {
    await payout(guarded, 90)
    await harness.ledger.sql("update mp_account set deleted_at = now() where id = $1", [guarded.id])
    const again = await anAccount(client(), RULES)
    expect(await payout(again, 11)).toBe(NEEDS)
  })

  it("with other rules is held to the lower of two limits, in each currency", async () => {
    const second = await anAccount(client(), {
      money_out_daily_cap: { "*": 50, USD: 1_000 },
      money_out_second_admin_above: { USD: 30 },
    })
    expect(await payout(guarded, 31)).toBe(NEEDS)
    expect(await payout(second, 501)).toBe("money_out_above_cap")
    const lrd = { ...guarded, currencies: [currency("LRD")] }
    const request = payoutOf({ amount: 51, currency: "LRD" })
    expect(await codeOf(pay(request, through(lrd)))).toBe("money_out_above_cap")
  })

  it("shares its cap with the first at the same moment, in processes that don't know each other's account", async () => {
    await harness.ledger.sql("update mp_account set policies = $2 where id = $1", [
      guarded.id,
      JSON.stringify({ money_out: true, money_out_daily_cap: { USD: 100 } }),
    ])
    const second = await anAccount(client(), {})
    const before = sentIn()
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, n) => payout(n % 2 === 0 ? guarded : second, 30)),
    )
    expect(all.filter((one) => one === "money_out_above_cap")).toHaveLength(9)
    expect(sentIn()).toBe(before + 3)
  })
})

it("[D1] a refund is held to the limit of each account of the client, and of its removed account", async () => {
  const limits = async (account: Account & Client) => {
    const { id: credentialId } = await credentialOf(account)
    const place = { accountId: account.id, credentialId }
    const every = await findClientPolicies(harness.ledger.database, place)
    return every.map((one) => one.refund_second_admin_above).filter(Boolean)
  }
  const second = await anAccount(client(), { refund_second_admin_above: { USD: 5 } })
  const other = await anAccount(client({ clientId: "other-client" }), {})
  expect(await limits(guarded)).toEqual([{ USD: 5 }])
  expect(await limits(other)).toEqual([])
  await harness.ledger.sql("update mp_account set deleted_at = now() where id = $1", [second.id])
  expect(await limits(guarded)).toEqual([])
  expect(await limits(second)).toEqual([{ USD: 5 }])
})
