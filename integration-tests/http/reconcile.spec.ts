/**
 * The three books of a real store and the simulator, compared by the command that a merchant runs.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { operationsOf, orderOf } from "./support/payments"
import { expectOk, HOSTED, walletOf } from "./support/shop"
import { until } from "./support/until"
import { CREDENTIALS, useHarness } from "./support/harness"

const ROOT = path.resolve(__dirname, "../..")
const MEDUSA = path.join(ROOT, "node_modules/@medusajs/cli/cli.js")
/** As docs/reconciliation.md says it. */
const SCRIPT =
  "./node_modules/medusa-plugin-merchant-payments/.medusa/server/src/scripts/reconcile.js"
/** Below the checkout, so that Medusa is found upwards, as the demo's store finds it. */
const FOLDER = path.join(ROOT, ".demo", `command-${process.pid}`)

/** A store's folder as `medusa build` and `npm install` leave it: what is built, its packages. */
beforeAll(() => {
  const store = path.join(ROOT, "demo/store")
  fs.cpSync(path.join(store, ".medusa/server"), FOLDER, { recursive: true })
  fs.copyFileSync(path.join(store, "package.json"), path.join(FOLDER, "package.json"))
  fs.symlinkSync(path.join(store, "node_modules"), path.join(FOLDER, "node_modules"))
})

afterAll(() => fs.rmSync(FOLDER, { recursive: true }))

const harness = useHarness()

type Ended = { readonly code: number | null; readonly out: string; readonly error: string }

/** `npx medusa exec SCRIPT …` in the store's folder, beside the running store. */
async function command(...given: string[]): Promise<Ended> {
  const [database] = await harness.sql<{ url: string }>("select current_database() as url")
  const databaseUrl = new URL(process.env["TEST_POSTGRES_URL"] ?? "")
  databaseUrl.pathname = `/${database?.url ?? ""}`
  const child = spawn(process.execPath, [MEDUSA, "exec", SCRIPT, ...given], {
    cwd: FOLDER,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      NODE_ENV: "demo",
      LOG_LEVEL: "error",
      MEDUSA_DISABLE_TELEMETRY: "true",
      DATABASE_URL: databaseUrl.href,
      JWT_SECRET: "test-jwt-secret",
      COOKIE_SECRET: "test-cookie-secret",
      MERCHANT_PAYMENTS_BASE_URL: harness.simulator.url,
      MERCHANT_PAYMENTS_CLIENT_ID: CREDENTIALS.clientId,
      MERCHANT_PAYMENTS_CLIENT_SECRET: CREDENTIALS.clientSecret,
    },
  })
  let out = ""
  let error = ""
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (error += chunk.toString()))
  const [code] = (await once(child, "close")) as [number | null]
  expect(`${out}${error}`).not.toContain(CREDENTIALS.clientSecret)
  return { code, out, error }
}

async function paid(providerId?: string): Promise<{ cartId: string; orderId: string }> {
  const phone = walletOf()
  const cartId = await harness.shop.cart({ phone })
  await expectOk(harness.shop.start(await harness.shop.session(cartId, providerId)))
  const [operation] = await operationsOf(harness, cartId)
  if (providerId === HOSTED) {
    harness.simulator.hosted.pay(Number(operation?.source_id), { method: "card" })
  } else harness.simulator.handset.approve(phone.slice(1))
  return { cartId, orderId: await orderOf(harness, cartId) }
}

it("ends with 0 and one JSON document when the books agree", async () => {
  await paid()
  await paid(HOSTED)
  const { code, out, error } = await command()
  expect({ code, error }).toMatchObject({ code: 0 })
  expect(JSON.parse(out)).toEqual({
    from: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    to: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    accounts: [
      {
        account_id: "mpacc_env",
        is_complete: true,
        incomplete_because: [],
        counts: { documents: 2, operations: 2, payments: 2 },
        differences: [],
        left_out: 0,
      },
    ],
  })
})

it("[B29] ends with 1 and names a cancelled order that is still paid, into the file that was asked for", async () => {
  const { orderId } = await paid()
  // As somebody who works in the database would.
  await harness.sql(`update "order" set status = 'canceled', canceled_at = now() where id = $1`, [
    orderId,
  ])
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "reconciliation-"))
  const file = path.join(folder, "result.json")
  try {
    const { code, out } = await command("from=2020-01-01", `json=${file}`)
    expect({ code, out }).toEqual({ code: 1, out: "" })
    const { accounts } = JSON.parse(fs.readFileSync(file, "utf8"))
    expect(accounts).toMatchObject([
      {
        counts: { order_canceled_but_paid: 1 },
        differences: [{ code: "order_canceled_but_paid", done: "listed", order_id: orderId }],
      },
    ])
  } finally {
    fs.rmSync(folder, { recursive: true })
    await harness.sql(`update "order" set status = 'pending', canceled_at = null where id = $1`, [
      orderId,
    ])
  }
})

it("ends with 2 and a sentence for options that make no sense", async () => {
  const { code, out, error } = await command("from=yesterday")
  expect({ code, out }).toEqual({ code: 2, out: "" })
  expect(error).toContain("reconcile: from= is a day")
})

it("is done by the store itself, each night, once", async () => {
  await harness.sql("truncate mp_reconciliation")
  await harness.sql("update mp_task set due_at = now(), lease_token = null, lease_until = null")
  const [row] = await until(async () => {
    const rows = await harness.sql("select is_complete, differences from mp_reconciliation")
    return rows.length > 0 ? rows : undefined
  }, "the nightly comparison")
  expect(row).toEqual({ is_complete: true, differences: [] })
})
