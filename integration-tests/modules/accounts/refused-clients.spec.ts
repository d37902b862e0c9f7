/**
 * A client that the gateway refuses, in two processes of a store over one ledger: who reads of it,
 * where, how often, and when it is over. The simulator's portal rotates the key.
 */
import { askQuietAccounts } from "../../../src/accounts/ask-quiet-accounts"
import { readAccounts } from "../../../src/accounts/read-accounts"
import { readHealth } from "../../../src/accounts/read-health"
import { LIMITS } from "../../../src/core/limits"
import { startPayment } from "../../../src/checkout/start-payment"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { listRefusedAccounts } from "../../../src/ledger/accounts/refused-clients"
import { readEnvironment } from "../../../src/medusa/environment"
import { secretBoxOf } from "../../../src/medusa/secrets/secret-box"
import { accountClients } from "../../../src/medusa/wiring/account-clients"
import { accountDepsOf, setupOf } from "../../support/account-deps"
import { PHONE } from "../../support/flows-harness"
import { until } from "../../support/until"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const CLIENT = "simulator-client"
let secret = "simulator-secret"

type Process = Awaited<ReturnType<typeof started>>

/** A process of the store; its timers run when the test lets time pass. */
async function started(clientSecret = secret) {
  let nowMs = 0
  let timers: { readonly atMs: number; readonly work: () => void }[] = []
  const environment = readEnvironment(
    {
      MERCHANT_PAYMENTS_BASE_URL: harness.simulator.url,
      MERCHANT_PAYMENTS_CLIENT_ID: CLIENT,
      MERCHANT_PAYMENTS_CLIENT_SECRET: clientSecret,
    },
    { account: { currencies: ["USD"] } },
  )
  const { account, sources } = environment
  if (!account) throw new Error("there is no account")
  const { database } = harness.ledger
  await saveAccount(database, account)
  const box = secretBoxOf({})
  const { logger } = harness.deps
  const clients = accountClients({
    database,
    environment,
    box,
    logger,
    clock: { monotonicMs: () => nowMs },
    later: (ms, work) => void timers.push({ atMs: nowMs + ms, work }),
  })
  const deps = accountDepsOf(harness, {
    ...clients,
    box,
    setup: setupOf(() => Promise.resolve({ providerIds: [], regions: [], knownCurrencies: {} })),
    environment: { id: account.id, account, clientId: CLIENT, sources },
  })
  await clients.accounts()
  const gateway = clients.gatewayOf(account)
  if (!gateway) throw new Error("there is no client")
  return {
    deps,
    gateway,
    /** So much time passes, and what is due by then is done. */
    pass(ms: number) {
      nowMs += ms
      const due = timers.filter(({ atMs }) => atMs <= nowMs)
      timers = timers.filter(({ atMs }) => atMs > nowMs)
      for (const { work } of due) work()
    },
    waits: () => timers.length > 0,
  }
}

const refused = () => listRefusedAccounts(harness.ledger.database)

const logged = (code: string) => harness.logged.filter((line) => line.includes(code))

const notified = async () =>
  (
    await harness.ledger.sql(
      "select kind, channel, facts->>'account' as account from mp_notification order by created_at",
    )
  ).map(({ kind, channel, account }) => `${String(kind)} ${String(channel)} ${String(account)}`)

/** The last that the merchant is told of is this; what is told later would be taken for more. */
const toldOf = (kind: string) =>
  until(async () => (await notified()).at(-1)?.startsWith(kind) === true, `${kind} is told`)

async function health({ deps }: Process) {
  const { status, checks } = await readHealth(deps)
  const accounts = checks.find(({ name }) => name === "accounts")
  return { status, line: `${accounts?.status}: ${accounts?.code}`, message: accounts?.message }
}

/** The gateway's answer is waited for in real time, so that a client's own pauses are over. */
async function believedBy(one: Process): Promise<void> {
  await until(async () => one.waits(), "the watch means to ask again")
  one.pass(LIMITS.clientRefusedAfterMs)
}

it("a refused client is logged, shown and notified once, however many processes see it, and so is its end", async () => {
  const [first, second] = [await started(), await started()]
  for (const { gateway } of [first, second]) {
    expect((await gateway.fees.tiers()).kind).toBe("done")
  }
  expect(await health(first)).toMatchObject({ line: "ok: accounts_ready" })

  secret = harness.simulator.backOffice.rotateKey(CLIENT).clientSecret
  const shoppers = async (one: Process) => {
    const { sessionId } = harness.cart()
    await expect(startPayment(one.deps, { sessionId, phone: PHONE })).rejects.toMatchObject({
      key: expect.stringMatching(/^not_configured/),
    })
  }
  for (const one of [first, second]) for (let each = 0; each < 3; each++) await shoppers(one)
  expect(await notified()).toEqual([])
  for (const one of [first, second]) await believedBy(one)
  await until(async () => (await refused()).size === 1, "the refusal is believed")
  for (const one of [first, second]) await shoppers(one)
  for (const one of [first, second]) await shoppers(one)

  await until(async () => (await notified()).length > 0, "the merchant is told")
  expect(await notified()).toEqual(["account_refused feed Environment"])
  expect(logged("account_refused")).toEqual([
    expect.stringMatching(/refuses the client id and secret.*Environment \(mpacc_env\).*Copy both/),
  ])
  for (const one of [first, second]) {
    expect(await health(one)).toEqual({
      status: "down",
      line: "failed: accounts_refused",
      message: expect.stringContaining("Environment"),
    })
    const { accounts } = await readAccounts(one.deps)
    expect(accounts[0]).toMatchObject({ state: "ready", state_code: "client_refused" })
  }
  const text = JSON.stringify([harness.logged, await health(first), await notified()])
  expect(text).not.toContain("simulator-secret")
  expect(text).not.toContain(secret)

  // Both processes were restarted with the new secret. No shopper comes.
  const restarted = [await started(), await started()]
  await Promise.all(restarted.map(({ deps }) => askQuietAccounts(deps)))
  await until(async () => (await refused()).size === 0, "the client is accepted again")
  await until(async () => logged("account_accepted").length > 0, "the log says so")
  for (const { gateway } of restarted) expect((await gateway.fees.tiers()).kind).toBe("done")
  await toldOf("account_accepted")
  expect(await notified()).toEqual([
    "account_refused feed Environment",
    "account_accepted feed Environment",
  ])
  expect(logged("account_refused")).toHaveLength(1)
  expect(logged("account_accepted")).toHaveLength(1)
  for (const one of restarted)
    expect(await health(one)).toMatchObject({ line: "ok: accounts_ready" })
})

it("a client without shoppers is checked by the job, and one that is in use is not", async () => {
  await harness.ledger.sql("delete from mp_gateway_minute")
  const one = await started("a wrong secret")
  await askQuietAccounts(one.deps)
  await believedBy(one)
  await until(async () => (await refused()).size === 1, "the refusal is believed")
  await toldOf("account_refused")
  // A restart meanwhile: the new process logs it, and notifies nobody.
  const [lines, messages] = [logged("account_refused").length, await notified()]
  const restarted = await started("a wrong secret")
  await restarted.gateway.fees.tiers()
  await believedBy(restarted)
  await until(async () => logged("account_refused").length === lines + 1, "it is logged again")
  expect(await notified()).toEqual(messages)
  const right = await started()
  await askQuietAccounts(right.deps)
  await until(async () => (await refused()).size === 0, "the client is accepted again")
  await toldOf("account_accepted")

  await until(
    async () => (await harness.ledger.sql("select from mp_gateway_minute")).length > 0,
    "the calls are counted",
  )
  const before = { ...harness.simulator.calls }
  await askQuietAccounts((await started()).deps)
  expect(harness.simulator.calls).toEqual(before)
})

it("one refusal that does not repeat is notified to nobody", async () => {
  const one = await started()
  expect((await one.gateway.fees.tiers()).kind).toBe("done")
  const before = await notified()
  const { faults } = harness.simulator
  faults.script(
    "listFeeTiers",
    Array.from({ length: LIMITS.tokenSendsPerCallMax }, () => "401"),
  )
  expect((await one.gateway.fees.tiers()).kind).toBe("refused")
  faults.clear()
  one.pass(LIMITS.clientRefusedAfterMs)
  await until(async () => !one.waits(), "the watch has asked once more")
  expect((await one.gateway.fees.tiers()).kind).toBe("done")
  expect(await notified()).toEqual(before)
  expect((await refused()).size).toBe(0)
})

it("a client that may not read the fee plans counts as accepted, and its gateway as answering", async () => {
  await harness.ledger.sql("delete from mp_gateway_minute")
  const { faults } = harness.simulator
  faults.script("listFeeTiers", ["403", "403", "403"])
  const one = await started()
  await askQuietAccounts(one.deps)
  faults.clear()
  await until(
    async () => (await harness.ledger.sql("select from mp_gateway_minute")).length > 0,
    "the calls are counted",
  )
  const { checks } = await readHealth(one.deps)
  expect(checks.find(({ name }) => name === "last_call")).toMatchObject({ code: "last_answer" })
  expect(one.waits()).toBe(false)
  expect((await refused()).size).toBe(0)
})
