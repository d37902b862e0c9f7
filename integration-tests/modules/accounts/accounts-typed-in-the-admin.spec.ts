/** Accounts that admins type in: their clients, their encrypted secrets, and changed credentials. */
import { randomBytes } from "node:crypto"
import type { AccountBody, AccountChangeBody } from "../../../src/accounts/schemas/accounts"
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import { checkNow } from "../../../src/worker/check-due-operations"
import type { AccountDeps } from "../../../src/accounts/deps"
import { readAccount, readAccounts } from "../../../src/accounts/read-accounts"
import { reencryptSecrets } from "../../../src/accounts/reencrypt"
import * as removing from "../../../src/accounts/remove-account"
import * as saving from "../../../src/accounts/save-account"
import { testConnection } from "../../../src/accounts/test-connection"
import { startPayment } from "../../../src/checkout/start-payment"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { releaseDefault } from "../../../src/ledger/accounts/stored-accounts"
import { findById } from "../../../src/ledger/find-operations"
import { readEnvironment } from "../../../src/medusa/environment"
import { secretBoxOf } from "../../../src/medusa/secrets/secret-box"
import { accountClients } from "../../../src/medusa/wiring/account-clients"
import { accountDepsOf } from "../../support/account-deps"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { PHONE, PUSH, startFlowsHarness, type FlowsHarness } from "../../support/flows-harness"

/** The first merchant's second client, and another merchant's only one. */
const SECOND_CLIENT = { clientId: "second-client", clientSecret: "CANARY-second" }
const OTHER = { clientId: "other-client", clientSecret: "CANARY-other" }
const KEY = randomBytes(32).toString("base64")

let harness: FlowsHarness

beforeAll(async () => {
  harness = await startFlowsHarness({
    merchants: [
      { ownerId: 1, name: "Demo Shop", ...SECOND_CLIENT },
      { ownerId: 2, name: "Other Shop", ...OTHER },
    ],
  })
})

afterAll(() => harness.stop())

beforeEach(async () => {
  await harness.ledger.sql("delete from mp_account_currency")
  await harness.ledger.sql(
    "update mp_account set deleted_at = now(), is_default = false where id <> 'mpacc_env'",
  )
})

type ProcessOptions = {
  readonly key?: string | undefined
  readonly previous?: string | undefined
  /** Of the environment; none where left out. */
  readonly currencies?: string[]
}

/** A process of the store, with its environment; time passes for its caches by `later`. */
async function started({ key = KEY, previous, currencies }: ProcessOptions = {}) {
  let nowMs = 0
  const variables = currencies && {
    MERCHANT_PAYMENTS_BASE_URL: harness.simulator.url,
    MERCHANT_PAYMENTS_CLIENT_ID: "simulator-client",
    MERCHANT_PAYMENTS_CLIENT_SECRET: "simulator-secret",
  }
  const environment = readEnvironment(variables ?? {}, currencies && { account: { currencies } })
  const box = secretBoxOf({
    MERCHANT_PAYMENTS_ENCRYPTION_KEY: key,
    MERCHANT_PAYMENTS_ENCRYPTION_KEY_PREVIOUS: previous,
  })
  const { database } = harness.ledger
  if (environment.account) {
    await releaseDefault(database, environment.account.id)
    await saveAccount(database, environment.account)
  }
  const { logger } = harness.deps
  const clients = accountClients({
    database,
    environment,
    box,
    logger,
    clock: { monotonicMs: () => nowMs },
  })
  const deps = accountDepsOf(harness, {
    ...clients,
    box,
    environment: {
      id: "mpacc_env",
      account: environment.account,
      clientId: environment.credentials?.clientId ?? null,
      sources: environment.sources,
    },
  })
  return { deps, later: (ms: number) => void (nowMs += ms) }
}

const typed = (client: { clientId: string; clientSecret: string }, more: AccountBody = {}) => ({
  label: "Typed in",
  base_url: harness.simulator.url,
  client_id: client.clientId,
  client_secret: client.clientSecret,
  currencies: ["USD"],
  ...more,
})

const BY = "user_ada"
const createAccount = (deps: AccountDeps, body: AccountBody) => saving.createAccount(deps, body, BY)
const changeAccount = (deps: AccountDeps, id: string, body: AccountChangeBody) =>
  saving.changeAccount(deps, id, body, BY)
const removeAccount = (deps: AccountDeps, id: string) => removing.removeAccount(deps, id, BY)
const removeCredential = (deps: AccountDeps, credential: { id: string; accountId: string }) =>
  removing.removeCredential(deps, credential, BY)

async function begun(deps: AccountDeps): Promise<Operation> {
  const { collectionId, sessionId } = harness.cart(PUSH)
  await startPayment(deps, { sessionId, phone: PHONE })
  return harness.shown(collectionId)
}

async function approved(deps: AccountDeps, operation: Operation): Promise<Operation> {
  harness.simulator.handset.approve(operation.reference ?? "")
  return checked(deps, operation)
}

async function checked(deps: AccountDeps, operation: Operation): Promise<Operation> {
  await harness.pass(operation.id, 3 * SECOND)
  await checkNow(deps, operation.id)
  const found = await findById(harness.ledger.database, operation.id)
  if (!found) throw new Error("gone")
  return found
}

const ownerOf = ({ sourceId }: Operation) =>
  harness.simulator.book.documents().find(({ id }) => id === sourceId)?.ownerId

/** Another process writes the account just before it is written. */
function lateBy({ database }: AccountDeps, id: string): AccountDeps["database"] {
  return {
    query: async (sql, parameters, name) => {
      if (/^\s*(with|update)/i.test(sql)) {
        await database.query("update mp_account set version = version + 1 where id = $1", [id])
      }
      return database.query(sql, parameters, name)
    },
  }
}

describe("two accounts", () => {
  it("take one currency each, and a currency that moves takes its new payments along", async () => {
    const { deps } = await started({ currencies: ["RWF"] })
    const usd = await createAccount(deps, typed(SECOND_CLIENT))
    const lrd = await createAccount(deps, typed(OTHER, { label: "LR", currencies: ["LRD"] }))
    const first = await begun(deps)
    expect([first.accountId, ownerOf(first)]).toEqual([usd.id, 1])
    await changeAccount(deps, usd.id, { version: usd.version, currencies: [] })
    await changeAccount(deps, lrd.id, { version: lrd.version, currencies: ["LRD", "USD"] })
    const second = await begun(deps)
    expect([second.accountId, ownerOf(second)]).toEqual([lrd.id, 2])
    expect((await approved(deps, first)).state).toBe("completed")
    expect((await approved(deps, second)).state).toBe("completed")
  })

  it("can't take the same currency, however many admins try at once", async () => {
    const { deps } = await started()
    const codes = await Promise.all(
      Array.from({ length: 8 }, () => codeOf(createAccount(deps, typed(OTHER)))),
    )
    expect(codes.filter((code) => code === "none")).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set(["none", "currency_taken"]))
    const withEnvironment = (await started({ currencies: ["RWF"] })).deps
    const taken = createAccount(withEnvironment, typed(OTHER, { currencies: ["RWF"] }))
    expect(await codeOf(taken)).toBe("currency_taken")
  })

  it("are changed by one admin at a time", async () => {
    const { deps } = await started()
    const { id, version } = await createAccount(deps, typed(OTHER))
    const codes = await Promise.all(
      ["A", "B", "C", "D"].map((label) => codeOf(changeAccount(deps, id, { version, label }))),
    )
    expect(codes.sort()).toEqual([...Array<string>(3).fill("changed_meanwhile"), "none"])
  })

  it("never have two defaults, however many admins change it at once", async () => {
    const { deps } = await started()
    const isOne = async () =>
      (await readAccounts(deps)).accounts.filter(({ is_default }) => is_default).length
    const currencies = ["USD", "LRD", "RWF", "EUR", "GBP", "KES"]
    const made = await Promise.all(
      currencies.map((currency) =>
        createAccount(deps, typed(OTHER, { currencies: [currency], is_default: true })),
      ),
    )
    expect(await isOne()).toBe(1)
    for (let version = 1; version < 5; version++) {
      const codes = await Promise.all(
        made.map(({ id }) => codeOf(changeAccount(deps, id, { version, is_default: true }))),
      )
      expect(codes).toEqual(made.map(() => "none"))
      expect(await isOne()).toBe(1)
    }
  })

  it("keep their default where a change came too late", async () => {
    const { deps } = await started()
    const first = await createAccount(deps, typed(OTHER))
    const second = await createAccount(deps, typed(OTHER, { currencies: ["LRD"] }))
    const change = { version: 1, is_default: true } as const
    expect(await codeOf(changeAccount(deps, second.id, { ...change, version: 7 }))).toBe(
      "changed_meanwhile",
    )
    const raced = { ...deps, database: lateBy(deps, second.id) }
    expect(await codeOf(changeAccount(raced, second.id, change))).toBe("changed_meanwhile")
    expect((await readAccount(deps, first.id)).is_default).toBe(true)
  })

  it("leave the environment's account read-only, and unconfigured once its variables are gone", async () => {
    const { deps } = await started({ currencies: ["USD"] })
    expect(await codeOf(changeAccount(deps, "mpacc_env", { version: 1 }))).toBe("account_read_only")
    expect(await codeOf(removeAccount(deps, "mpacc_env"))).toBe("account_read_only")
    const account = await readAccount(deps, "mpacc_env")
    expect(account).toMatchObject({ source: "environment", state: "ready" })
    expect(account.sources).toMatchObject({
      base_url: "MERCHANT_PAYMENTS_BASE_URL",
      currencies: "option account.currencies",
      fee_bearer: "default",
    })
    const without = (await started()).deps
    expect(await readAccount(without, "mpacc_env")).toMatchObject({
      state: "no_secret",
      currencies: [],
    })
    expect((await createAccount(without, typed(OTHER))).is_default).toBe(true)
    expect((await begun(without)).accountId).not.toBe("mpacc_env")
  })
})

describe("a secret", () => {
  it("reaches every process once its cache ends, encrypted anew each time it is saved", async () => {
    const [here, there] = [await started(), await started()]
    const { id } = await createAccount(here.deps, typed(OTHER, { client_secret: "CANARY-typo" }))
    expect(await codeOf(begun(there.deps))).toBe("not_configured")
    const texts: unknown[] = []
    for (const version of [1, 2]) {
      await changeAccount(here.deps, id, { version, client_secret: OTHER.clientSecret })
      const [row] = await harness.ledger.sql(
        "select secret_ciphertext from mp_credential where account_id = $1",
        [id],
      )
      texts.push(row?.["secret_ciphertext"])
    }
    expect(texts[0]).not.toBe(texts[1])
    there.later(LIMITS.accountsCacheMs)
    expect((await begun(there.deps)).state).toBe("in_flight")
  })

  it("is stored only where there is an encryption key", async () => {
    const { deps } = await started({ key: "" })
    expect(await codeOf(createAccount(deps, typed(OTHER)))).toBe("encryption_key_missing")
    const settings = { label: "Typed in", base_url: harness.simulator.url }
    expect(await createAccount(deps, settings)).toMatchObject({ state: "no_secret" })
  })

  it("is sent only to the address that it was typed for", async () => {
    const { deps } = await started()
    const { id, version } = await createAccount(deps, typed(OTHER))
    const elsewhere = { base_url: "https://evil.example" }
    expect(await codeOf(changeAccount(deps, id, { version, ...elsewhere }))).toBe("secret_required")
    expect(await codeOf(testConnection(deps, id, elsewhere))).toBe("secret_required")
    expect(await codeOf(testConnection(deps, id, { client_id: "x" }))).toBe("secret_required")
    expect(
      await codeOf(testConnection(deps, "new", typed(OTHER, { base_url: "http://x.example" }))),
    ).toBe("invalid_request")
  })

  it("under another key reads as unreadable, and other accounts go on", async () => {
    const { deps } = await started({ currencies: ["LRD"] })
    const { id } = await createAccount(deps, typed(OTHER))
    const operation = await begun(deps)
    const wrong = (await started({ key: randomBytes(32).toString("base64"), currencies: ["LRD"] }))
      .deps
    expect(await readAccount(wrong, id)).toMatchObject({ state: "secret_unreadable" })
    const { lines } = await testConnection(wrong, id, {})
    expect(lines).toMatchObject([{ name: "credentials", status: "failed" }])
    expect(await codeOf(begun(wrong))).toBe("not_configured")
    const others = (await wrong.accounts()).filter((account) => account.id === "mpacc_env")
    expect(others.map((account) => wrong.gatewayOf(account) !== undefined)).toEqual([true])
    expect((await checked(wrong, operation)).state).toBe("in_flight")
    expect((await approved(deps, operation)).state).toBe("completed")
  })

  it("moves to a new key, and the old key can be removed", async () => {
    const { deps } = await started()
    const { id } = await createAccount(deps, typed(OTHER))
    const fresh = randomBytes(32).toString("base64")
    const both = await started({ key: fresh, previous: KEY })
    expect(await readAccount(both.deps, id)).toMatchObject({ state: "ready" })
    const done = await reencryptSecrets(both.deps, both.deps.box)
    expect(done.reencrypted).toBeGreaterThan(0)
    expect((await reencryptSecrets(both.deps, both.deps.box)).reencrypted).toBe(0)
    const after = (await started({ key: fresh })).deps
    expect(await readAccount(after, id)).toMatchObject({ state: "ready" })
    expect((await begun(after)).state).toBe("in_flight")
  })
})

describe("[B23] an account whose client changes", () => {
  it("to another client of the same merchant goes on with its payments", async () => {
    const { deps } = await started()
    const first = { clientId: "simulator-client", clientSecret: "simulator-secret" }
    const { id, version } = await createAccount(deps, typed(first))
    const operation = await begun(deps)
    const { client_id, client_secret } = typed(SECOND_CLIENT)
    const { credentials } = await changeAccount(deps, id, { version, client_id, client_secret })
    expect(credentials.map(({ status }) => status).sort()).toEqual(["active", "draining"])
    expect((await approved(deps, operation)).state).toBe("completed")
    const next = await readAccount(deps, id)
    expect(next.credentials.map(({ owner_id }) => owner_id)).toEqual([1, 1])
  })

  it("to another merchant's client checks the old payments with the old one, until it is dropped", async () => {
    const { deps } = await started()
    const { id, version } = await createAccount(deps, typed(SECOND_CLIENT))
    const [paid, pending] = [await begun(deps), await begun(deps)]
    const { client_id, client_secret } = typed(OTHER)
    await changeAccount(deps, id, { version, client_id, client_secret })
    expect((await approved(deps, paid)).state).toBe("completed")
    expect(ownerOf(await begun(deps))).toBe(2)
    const old = pending.credentialId ?? ""
    const drop = () => codeOf(removeCredential(deps, { id: old, accountId: id }))
    expect(await drop()).toBe("account_in_use")
    expect((await approved(deps, pending)).state).toBe("completed")
    expect(await drop()).toBe("none")
    const [row] = await harness.ledger.sql(
      "select secret_ciphertext from mp_credential where id = $1",
      [old],
    )
    expect(row).toEqual({ secret_ciphertext: null })
  })
})

describe("an account that is removed", () => {
  it("stays while its payments are under way, and its gateway is kept for them afterwards", async () => {
    const { deps } = await started()
    const { id } = await createAccount(deps, typed(OTHER))
    const operation = await begun(deps)
    expect(await codeOf(removeAccount(deps, id))).toBe("account_in_use")
    const paid = await approved(deps, operation)
    expect(paid.recordedAt).not.toBeNull()
    expect(await codeOf(removeAccount(deps, id))).toBe("none")
    expect(await codeOf(readAccount(deps, id))).toBe("account_not_found")
    expect(await codeOf(begun(deps))).toBe("not_configured")
    expect(await deps.keptGateway?.(paid.credentialId ?? "")).toBeDefined()
    expect((await createAccount(deps, typed(OTHER))).state).toBe("ready")
  })
})
