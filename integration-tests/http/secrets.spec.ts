/**
 * A merchant's secrets in a real store: they are found nowhere, the merchant's command moves them to
 * a new key, and the admin shows what is wrong under another key or without one.
 */
import { randomBytes, randomUUID } from "node:crypto"
import type { AccountsResponse } from "../../src/accounts/schemas/accounts"
import type { HealthResponse } from "../../src/accounts/schemas/health"
import type { OneAccountResponse } from "../../src/accounts/schemas/accounts"
import { adminRoutes } from "../fuzz/routes"
import { useMedusaExec } from "./support/medusa-exec"
import { expectOk, PUSH, walletOf, type Answer, type Paid } from "./support/shop"
import { until } from "../support/until"
import { CREDENTIALS, useHarness } from "./support/harness"

const KEY = "MERCHANT_PAYMENTS_ENCRYPTION_KEY"
const PREVIOUS = "MERCHANT_PAYMENTS_ENCRYPTION_KEY_PREVIOUS"
const [FIRST = "", SECOND = "", OTHER = ""] = [1, 2, 3].map(() =>
  randomBytes(32).toString("base64"),
)
const PASSCODE = "CANARY-passcode-7781"
/** How every token of the gateway begins. */
const TOKEN = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url")
const SECRETS = [CREDENTIALS.clientSecret, FIRST, SECOND, OTHER, PASSCODE, TOKEN]

/** Of the store's process; another one at its next start. */
const env: Record<string, string> = {
  MERCHANT_PAYMENTS_BASE_URL: "",
  MERCHANT_PAYMENTS_CLIENT_ID: "",
  MERCHANT_PAYMENTS_CLIENT_SECRET: "",
  [KEY]: FIRST,
}
const harness = useHarness({ env, simulator: { passcode: PASSCODE } })
const medusaExec = useMedusaExec(harness, "secrets")

const ROOT = "/admin/merchant-payments"
type Refused = { readonly code?: string; readonly message?: string }
const answered: string[] = []
const printed: string[] = []

async function ask<T>(method: string, path: string, body?: unknown): Promise<Answer<T & Refused>> {
  const answer = await harness.admin.call<T & Refused>(method, `${ROOT}/${path}`, body)
  answered.push(JSON.stringify(answer.body))
  return answer
}

async function restartWith(keys: Readonly<Record<string, string>>): Promise<void> {
  printed.push(harness.store.output())
  Object.assign(env, { [KEY]: "", [PREVIOUS]: "", ...keys })
  await harness.restart("SIGKILL")
}

const account = async () => {
  const { accounts } = await expectOk(ask<AccountsResponse>("GET", "accounts"))
  const found = accounts.find(({ label }) => label === "Typed in")
  if (!found) throw new Error("the account is gone")
  return found
}

const ciphertext = async () => {
  const [row] = await harness.sql<{ secret_ciphertext: string; key_id: string }>(
    "select secret_ciphertext, key_id from mp_credential where secret_ciphertext is not null",
  )
  return row
}

async function paid(): Promise<void> {
  const phone = walletOf()
  const sessionId = await harness.shop.session(await harness.shop.cart({ phone }), PUSH)
  await expectOk(harness.shop.start(sessionId, { phone }))
  harness.simulator.handset.approve(phone.slice(1))
  await until(async () => {
    const { payment } = await expectOk<Paid>(harness.shop.status(sessionId))
    return payment?.state === "paid"
  }, "the payment")
}

/** Every column of every table of the store, ours and Medusa's. */
async function dump(): Promise<string> {
  const tables = await harness.sql<{ name: string }>(
    "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'",
  )
  const rows: { row: string }[][] = []
  for (const { name } of tables)
    rows.push(await harness.sql(`select t::text as row from ${name} t`))
  expect(tables.some(({ name }) => name === "mp_operation_event")).toBe(true)
  return rows.flatMap((of) => of.map(({ row }) => row)).join("\n")
}

/** The admin's page, and the scripts that it loads at once. */
async function pageSource(): Promise<string> {
  const get = async (path: string) => (await fetch(new URL(path, harness.store.url))).text()
  const page = await get("/app/")
  const scripts = [...page.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path]) => path ?? "")
  expect(scripts.length).toBeGreaterThan(0)
  return [page, ...(await Promise.all(scripts.map(get)))].join("\n")
}

function expectNoSecret(text: string): void {
  for (const secret of SECRETS) {
    const at = text.indexOf(secret)
    expect(at < 0 ? "" : text.slice(Math.max(0, at - 80), at + 20)).toBe("")
  }
}

afterAll(() => {
  expectNoSecret(answered.join("\n"))
  expectNoSecret(printed.join("\n"))
})

it("[S04] no secret is in an answer, a table, an event, the log or the admin's page", async () => {
  const made = await expectOk(
    ask<OneAccountResponse>("POST", "accounts", {
      label: "Typed in",
      base_url: harness.simulator.url,
      client_id: CREDENTIALS.clientId,
      client_secret: CREDENTIALS.clientSecret,
      currencies: ["USD"],
      policies: { money_out: true },
    }),
  )
  await expectOk(ask("POST", `accounts/${made.account.id}/test`, {}))
  await paid()
  await expectOk(
    ask("POST", "payouts", {
      idempotency_key: randomUUID(),
      amount: "5.00",
      currency: "USD",
      name: "Ada Carpenter",
      phone: "+231770000042",
      passcode: PASSCODE,
    }),
  )
  for (const route of adminRoutes()) {
    const [method = "", path = ""] = route.split(" ")
    if (method === "GET" && !path.includes(":")) await ask("GET", path)
  }
  const [tables, page] = [await dump(), await pageSource()]
  // What is no secret is there: these are the places where one would be.
  for (const place of [tables, answered.join("\n")]) expect(place).toContain(CREDENTIALS.clientId)
  expect(page).toContain("/merchant-payments")
  expectNoSecret(tables)
  expectNoSecret(page)
  expectNoSecret(harness.store.output())
})

it("a secret gets another ciphertext each time it is saved", async () => {
  const texts = new Set([(await ciphertext())?.secret_ciphertext])
  for (let save = 0; save < 3; save++) {
    const { id, version } = await account()
    const body = { version, client_secret: CREDENTIALS.clientSecret }
    await expectOk(ask("POST", `accounts/${id}`, body))
    texts.add((await ciphertext())?.secret_ciphertext)
  }
  expect(texts.size).toBe(4)
  expectNoSecret([...texts].join("\n"))
})

it("a secret moves to a new key by the command", async () => {
  const before = await ciphertext()
  await restartWith({ [KEY]: SECOND, [PREVIOUS]: FIRST })
  expect(await account()).toMatchObject({ state: "ready" })
  const done = await medusaExec("reencrypt", { [KEY]: SECOND, [PREVIOUS]: FIRST })
  expect([done.code, JSON.parse(done.out)]).toEqual([
    0,
    { reencrypted: 1, current: 0, unreadable: [] },
  ])
  expectNoSecret(`${done.out}${done.error}`)
  const after = await ciphertext()
  expect(after?.key_id).not.toBe(before?.key_id)
  expect(after?.secret_ciphertext).not.toBe(before?.secret_ciphertext)
})

/** Whatever cannot be read, each page of the admin has its answer. */
async function expectPagesAnswer(): Promise<void> {
  for (const route of adminRoutes()) {
    const [method = "", path = ""] = route.split(" ")
    if (method !== "GET" || path.includes(":") || path === "health") continue
    const { status, body } = await ask("GET", path)
    const isNotConfigured = status === 503 && body.code === "not_configured"
    expect([path, status < 500 || isNotConfigured]).toEqual([path, true])
  }
}

const line = async (name: string) => {
  const { body } = await ask<HealthResponse>("GET", "health")
  return body.checks.find((check) => check.name === name)
}

it("a secret under another key makes the account say so, and the pages go on", async () => {
  await restartWith({ [KEY]: OTHER })
  expect(await account()).toMatchObject({ state: "secret_unreadable", has_secret: true })
  expect(await line("accounts")).toMatchObject({
    status: "failed",
    message: expect.stringContaining("put the encryption key back"),
  })
  await expectPagesAnswer()
  const sessionId = await harness.shop.session(await harness.shop.cart(), PUSH)
  const start = await harness.shop.start(sessionId, { phone: walletOf() })
  expect([start.status, start.body.code]).toEqual([503, "not_configured"])
  const { code, out } = await medusaExec("reencrypt", { [KEY]: OTHER })
  const said = JSON.parse(out) as { unreadable: string[] }
  expect([code, said]).toEqual([
    1,
    { reencrypted: 0, current: 0, unreadable: [expect.any(String)] },
  ])
  expect(
    await harness.sql("select 1 from mp_credential where secret_ciphertext is not null"),
  ).toHaveLength(1)
})

it("a secret without a key is not saved in the clear, and the page says how to make a key", async () => {
  await restartWith({})
  const { encryption } = await expectOk(ask<AccountsResponse>("GET", "accounts"))
  expect(encryption).toMatchObject({ has_key: false })
  expect(encryption.message).toContain("openssl rand -base64 32")
  expect((await line("encryption_key"))?.status).not.toBe("ok")
  await expectPagesAnswer()
  const { id, version } = await account()
  const refused = await ask("POST", `accounts/${id}`, { version, client_secret: "another-CANARY" })
  expect(refused.body.code).toBe("encryption_key_missing")
  expect(await dump()).not.toContain("another-CANARY")
  const { code, error } = await medusaExec("reencrypt", {})
  expect(code).toBe(2)
  expect(error).toContain(KEY)
})

it("[S04] a secret can be read again once its key is back", async () => {
  await restartWith({ [KEY]: SECOND })
  expect(await account()).toMatchObject({ state: "ready" })
  await paid()
  printed.push(harness.store.output())
})
