/**
 * A stored secret and the address that it was typed for, after somebody has changed the database by
 * hand.
 */
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { AccountDeps } from "../../../src/accounts/deps"
import { readAccount } from "../../../src/accounts/read-accounts"
import { reencryptSecrets } from "../../../src/accounts/reencrypt"
import { createAccount } from "../../../src/accounts/save-account"
import { testConnection } from "../../../src/accounts/test-connection"
import { startPayment } from "../../../src/checkout/start-payment"
import { readEnvironment } from "../../../src/medusa/environment"
import { secretBoxOf } from "../../../src/medusa/secrets/secret-box"
import { accountClients } from "../../../src/medusa/wiring/account-clients"
import { accountDepsOf } from "../../support/account-deps"
import { PHONE, PUSH, startFlowsHarness, type FlowsHarness } from "../../support/flows-harness"

const OTHER = { clientId: "other-client", clientSecret: "CANARY-other" }
const [KEY, NEXT_KEY] = [randomBytes(32), randomBytes(32)].map((key) => key.toString("base64"))

let harness: FlowsHarness
let asked = 0
const thief = createServer((_request, response) => {
  asked += 1
  response.end("{}")
})
let thiefsUrl = ""

beforeAll(async () => {
  harness = await startFlowsHarness({ merchants: [{ ownerId: 2, name: "Other Shop", ...OTHER }] })
  thief.listen(0, "127.0.0.1")
  await once(thief, "listening")
  thiefsUrl = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`
})

afterAll(async () => {
  thief.close()
  await harness.stop()
})

beforeEach(async () => {
  asked = 0
  await harness.ledger.sql("delete from mp_account_currency")
  await harness.ledger.sql("update mp_account set deleted_at = now(), is_default = false")
})

/** A process of the store, which has read nothing yet. */
function started(variables: Readonly<Record<string, string | undefined>>): AccountDeps {
  const { database } = harness.ledger
  const environment = readEnvironment({}, {})
  const box = secretBoxOf(variables)
  const clock = { monotonicMs: () => 0 }
  const { logger } = harness.deps
  const clients = accountClients({ database, environment, box, logger, clock })
  return accountDepsOf(harness, { ...clients, box })
}

const withKey = () => started({ MERCHANT_PAYMENTS_ENCRYPTION_KEY: KEY })

const typedIn = (deps: AccountDeps, currencies = ["USD"]) =>
  createAccount(
    deps,
    {
      label: "Typed in",
      base_url: harness.simulator.url,
      client_id: OTHER.clientId,
      client_secret: OTHER.clientSecret,
      currencies,
    },
    "user_first",
  )

const outcomeOf = (work: Promise<unknown>) =>
  work.catch((error: { code?: string }) => error.code ?? String(error))

const TO_THE_THIEF = `base_url = $1`

it.each([
  ["the account's address", `update mp_account set ${TO_THE_THIEF} where id = $2`],
  ["the credential's address", `update mp_credential set ${TO_THE_THIEF} where account_id = $2`],
  [
    "both addresses",
    `with one as (update mp_account set ${TO_THE_THIEF} where id = $2)
     update mp_credential set ${TO_THE_THIEF} where account_id = $2`,
  ],
  [
    "both addresses and the client id",
    `with one as (update mp_account set ${TO_THE_THIEF} where id = $2)
     update mp_credential set ${TO_THE_THIEF}, client_id = 'thief' where account_id = $2`,
  ],
])(
  "[S22] a secret is sent nowhere once somebody has changed %s in the database",
  async (_what, sql) => {
    const before = withKey()
    const { id } = await typedIn(before)
    const [known] = await before.accounts()
    expect(known && before.gatewayOf(known)).toBeDefined()
    await harness.ledger.sql(sql, [thiefsUrl, id])
    before.forgetAccounts?.()

    for (const deps of [before, withKey()]) {
      expect(await readAccount(deps, id)).toMatchObject({
        state: "address_changed",
        state_message: expect.stringContaining("check the address"),
      })
      const accounts = await deps.accounts()
      expect(accounts.map((account) => deps.gatewayOf(account))).toEqual([undefined])
      const { sessionId } = harness.cart(PUSH)
      expect(await outcomeOf(startPayment(deps, { sessionId, phone: PHONE }))).toBe(
        "not_configured",
      )
      const tested = await outcomeOf(testConnection(deps, id, {}))
      if (tested !== "secret_required") {
        expect(tested).toMatchObject({ lines: [{ name: "credentials", status: "failed" }] })
      }
    }
    expect(harness.logged.some((line) => line.includes(id) && line.includes("sent nowhere"))).toBe(
      true,
    )
    expect(asked).toBe(0)
  },
)

it("[S22] a secret whose address was changed is not encrypted anew, nor opened for its earlier payments", async () => {
  const deps = withKey()
  const { id, credentials } = await typedIn(deps)
  const [credential] = credentials
  const sealed = () =>
    harness.ledger.sql("select secret_ciphertext, key_id from mp_credential where id = $1", [
      credential?.id,
    ])
  const before = await sealed()
  await harness.ledger.sql(`update mp_credential set ${TO_THE_THIEF} where account_id = $2`, [
    thiefsUrl,
    id,
  ])
  expect(await deps.keptGateway?.(credential?.id ?? "")).toBeUndefined()
  const next = started({
    MERCHANT_PAYMENTS_ENCRYPTION_KEY: NEXT_KEY,
    MERCHANT_PAYMENTS_ENCRYPTION_KEY_PREVIOUS: KEY,
  })
  expect((await reencryptSecrets(next, next.box)).unreadable).toContain(credential?.id)
  expect(await sealed()).toEqual(before)
})

it("[S22] a secret can't be used by another account", async () => {
  const deps = withKey()
  const mine = await typedIn(deps)
  const other = await typedIn(deps, ["LRD"])
  await harness.ledger.sql(
    `update mp_account set credential_id = (select credential_id from mp_account where id = $1)
      where id = $2`,
    [mine.id, other.id],
  )
  deps.forgetAccounts?.()
  expect((await readAccount(deps, other.id)).state).toBe("address_changed")
  expect((await readAccount(deps, mine.id)).state).toBe("ready")
  const accounts = await deps.accounts()
  expect(accounts.filter((account) => deps.gatewayOf(account)).map((one) => one.id)).toEqual([
    mine.id,
  ])
})

it("an account whose address production refuses is named in the log once, with what would allow it", async () => {
  const { id } = await typedIn(withKey())
  const before = process.env["NODE_ENV"]
  process.env["NODE_ENV"] = "production"
  try {
    const deps = withKey()
    const already = harness.logged.length
    for (let times = 0; times < 2; times++) {
      deps.forgetAccounts?.()
      const [account] = await deps.accounts()
      expect(account && deps.gatewayOf(account)).toBeUndefined()
    }
    const said = harness.logged.slice(already).filter((line) => line.includes(id))
    expect(said).toEqual([expect.stringContaining("MERCHANT_PAYMENTS_STAGING_SIMULATOR")])
    expect(said[0]).toContain(`account ${id} can neither be taken nor checked`)
    expect(said[0]).not.toMatch(/InvalidConfiguration|baseUrl/)
  } finally {
    process.env["NODE_ENV"] = before
  }
})
