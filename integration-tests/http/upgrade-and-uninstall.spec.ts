/**
 * What an operator does with the plugin in a real store, as docs/upgrade.md describes: a forgotten
 * migration, and the uninstallation.
 */
import fs from "node:fs"
import path from "node:path"
import ts from "typescript"
import { NEEDED_MIGRATIONS } from "../../src/medusa/wiring/needed-migrations"
import { migrationSql } from "../support/migration-sql"
import { until } from "../support/until"
import { adminRoutes } from "../fuzz/routes"
import { useHarness } from "./support/harness"
import { useStoreFolder } from "./support/medusa-exec"
import { expectPaidInFull, orderOf, settled } from "./support/payments"
import { paidOrder } from "./support/refunds"
import { expectOk, HOSTED, PUSH, shopAt, walletOf } from "./support/shop"
import { freePort, startStoreProcess } from "./support/store-process"

const harness = useHarness({ simulator: { speed: 4 } })
const store = useStoreFolder(harness, "upgrade")
const ROOT = "/admin/merchant-payments"
const SCRIPT = "./node_modules/medusa-plugin-merchant-payments/.medusa/server/src/scripts"

const REFUSED = {
  status: 503,
  body: {
    code: "tables_not_migrated",
    situation: "tables_not_migrated",
    message: expect.stringContaining("npx medusa db:migrate"),
    facts: {},
  },
}

type Health = { status: string; checks: { name: string; status: string; message: string }[] }

const health = () => harness.admin.call<Health>("GET", `${ROOT}/health`)

const untilWell = () =>
  until(async () => (await health()).status === 200 || undefined, "the setup check is well")

/** What the plugin has logged since the store was started. */
const logged = (...levels: readonly string[]): string[] =>
  harness.store
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{") && line.includes("merchant payments:"))
    .map((line) => JSON.parse(line) as { level: string; message: string })
    .flatMap(({ level, message }) => (levels.includes(level) ? [message] : []))

const complaints = () => logged("error", "warn")

async function begun(phone = walletOf()) {
  const cartId = await harness.shop.cart({ phone })
  const sessionId = await harness.shop.session(cartId)
  return { phone, cartId, sessionId }
}

const OTHER = "pp_system_default"

/** A cart whose payment is with a provider of Medusa's own. */
async function paidOtherwise(): Promise<string> {
  const { regions } = await expectOk(
    harness.admin.call<{ regions: { id: string }[] }>("GET", "/admin/regions?name=International"),
  )
  const offered = { payment_providers: [OTHER, PUSH, HOSTED] }
  await expectOk(harness.admin.call("POST", `/admin/regions/${regions[0]?.id ?? ""}`, offered))
  const cartId = await harness.shop.cart()
  await harness.shop.session(cartId, OTHER)
  return cartId
}

/** The admin's routes that move money. */
const DOORS = [
  "payouts",
  "transfers",
  "orders/:id/prompt",
  "orders/:id/payment-link",
  "operations/:id/retry",
  "operations/:id/resolve",
  "operations/:id/check",
]

/** Bodies that each route would take, for those that move money. */
const GOOD: Readonly<Record<string, object>> = {
  "POST payouts": {
    idempotency_key: "9c7a1cc2-6d3e-4c53-9b4c-1f6f1a0b2f10",
    amount: 5,
    currency: "usd",
    name: "Ada Carpenter",
    phone: "+231770000042",
    note: "for the carpenter",
    passcode: "1234",
  },
  "POST transfers": {
    idempotency_key: "0b0f7f5e-0a4c-4d8e-8f57-6a3b0f1f3a11",
    amount: 5,
    currency: "usd",
    from_wallet_id: 1,
    to_counterparty_id: 1,
  },
  "POST orders/:id/prompt": { phone: "+231770000042" },
  "POST operations/:id/resolve": { action: "accept", note: "looked it up" },
}

describe("a store whose tables were never made", () => {
  it("[P29] boots, logs what to do in one line, and takes money after the migration without a restart", async () => {
    const { cartId, sessionId, phone } = await begun()
    await harness.store.kill()
    for (const statement of await migrationSql("down")) await harness.sql(statement)
    const ran = await harness.sql<{ name: string }>(
      "delete from mikro_orm_migrations where name = any ($1) returning name",
      [NEEDED_MIGRATIONS],
    )
    expect(ran.map(({ name }) => name).sort()).toEqual(NEEDED_MIGRATIONS)
    await harness.restart()
    expect(await harness.shop.start(sessionId)).toMatchObject(REFUSED)
    expect(complaints()).toEqual([
      expect.stringMatching(/lacks .*: Migration\d{14}, .* more\. .*npx medusa db:migrate/),
    ])

    const { code, error } = await store.medusa(
      { LOG_LEVEL: "info" },
      "db:migrate",
      "--skip-scripts",
    )
    expect([code, error]).toEqual([0, expect.any(String)])
    await untilWell()
    // The environment's account is there as well, which the boot could not store.
    await expectOk(harness.shop.start(sessionId))
    harness.simulator.handset.approve(phone.slice(1))
    const { order_id: orderId } = await settled(harness, sessionId)
    await expectPaidInFull(harness, orderId ?? "", await harness.shop.total(cartId))
    expect(complaints()).toHaveLength(1)
  })
})

const LAST = NEEDED_MIGRATIONS.at(-1) ?? ""

describe("an upgraded store that was not migrated", () => {
  /** As the last migration left it, and as it is before that has run. */
  const LACKS = `
    alter table mp_operation rename column closing to closing_not_yet;
    update mikro_orm_migrations set name = name || '_not_yet' where name = '${LAST}'`
  const MIGRATED = `
    alter table mp_operation rename column closing_not_yet to closing;
    update mikro_orm_migrations set name = '${LAST}' where name = '${LAST}_not_yet'`

  it("[P29] takes no money by any route, and finishes payments under way once it is migrated", async () => {
    const order = await paidOrder(harness)
    const inFlight = await begun()
    await expectOk(harness.shop.start(inFlight.sessionId))
    const waiting = await begun()
    const otherCart = await paidOtherwise()
    await harness.store.kill()
    await harness.sql(LACKS)
    const calls = JSON.stringify(harness.simulator.calls)
    await harness.restart()
    harness.simulator.handset.approve(inFlight.phone.slice(1))
    try {
      expect(await harness.shop.start(waiting.sessionId)).toMatchObject(REFUSED)
      expect(await harness.shop.status(inFlight.sessionId)).toMatchObject(REFUSED)
      expect(await harness.shop.cancel(inFlight.sessionId)).toMatchObject(REFUSED)
      const methods = `/store/merchant-payments/methods?cart_id=${waiting.cartId}`
      expect(await harness.shop.call("GET", methods)).toMatchObject(REFUSED)
      const line = { variant_id: await harness.shop.variant("market-tote"), quantity: 1 }
      const items = `/store/carts/${inFlight.cartId}/line-items`
      expect(await harness.shop.call("POST", items, line)).toMatchObject(REFUSED)
      // A cart that is paid with another provider, and one that has chosen none yet, go on.
      for (const cartId of [otherCart, await harness.shop.cart()]) {
        await expectOk(harness.shop.call("POST", `/store/carts/${cartId}/line-items`, line))
      }
      await harness.shop.session(otherCart, OTHER)
      await expectOk(harness.shop.complete(otherCart))
      const refund = await harness.admin.refund(order.paymentId, order.total)
      expect([refund.status, refund.body.message]).toEqual([
        400,
        expect.stringMatching(/^tables_not_migrated: .*npx medusa db:migrate/),
      ])
      expect(await harness.shop.complete(waiting.cartId)).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/^tables_not_migrated: /) },
      })
      await expectAdminRefused(order.orderId)
      expect(await health()).toMatchObject({
        status: 503,
        body: {
          status: "down",
          checks: [
            { name: "database", status: "ok" },
            { name: "tables", status: "failed", message: expect.stringContaining(LAST) },
          ],
        },
      })
      expect(complaints()).toEqual([expect.stringContaining(LAST)])
      expect(JSON.stringify(harness.simulator.calls)).toBe(calls)
    } finally {
      await harness.sql(MIGRATED)
    }
    await untilWell()
    const { order_id: orderId } = await settled(harness, inFlight.sessionId)
    await expectPaidInFull(harness, orderId ?? "", await harness.shop.total(inFlight.cartId))
    await expectOk(harness.shop.start(waiting.sessionId))
    harness.simulator.handset.approve(waiting.phone.slice(1))
    expect(await settled(harness, waiting.sessionId)).toMatchObject({ state: "paid" })
    expect(logged("info")).toEqual([expect.stringContaining("the tables fit now")])
  })

  /** Every route of the admin: none answers from tables that do not fit, and none breaks. */
  async function expectAdminRefused(orderId: string): Promise<void> {
    const answers: string[] = []
    for (const route of adminRoutes()) {
      if (route === "GET health") continue
      const [method = "", address = ""] = route.split(" ")
      const path = address.replace("orders/:id", `orders/${orderId}`).replace(/:\w+/g, "mpop_1")
      const body = method === "GET" ? undefined : (GOOD[route] ?? {})
      const answer = await harness.admin.call<{ code?: string }>(method, `${ROOT}/${path}`, body)
      answers.push(`${route}: ${answer.status} ${answer.body.code ?? ""}`)
    }
    const refused = / 503 tables_not_migrated$/
    const notAsked = / (4\d\d) \w+$/
    expect(answers.filter((one) => !refused.test(one) && !notAsked.test(one))).toEqual([])
    const reading = answers.filter((one) => one.startsWith("GET") && !refused.test(one))
    expect(reading).toEqual(["GET fees/prediction: 400 invalid_request"])
    const money = answers.filter((one) => DOORS.some((door) => one.startsWith(`POST ${door}:`)))
    expect(money).toHaveLength(DOORS.length)
    expect(money.filter((one) => !refused.test(one))).toEqual([])
  }
})

describe("uninstalling", () => {
  type Left = {
    may_remove: boolean
    is_out: boolean
    regions: { id: string; name: string; provider_ids: string[] }[]
    under_way: number
    need_decision: number
    operations: string[]
  }

  const leave = async (...given: string[]) => {
    const { code, out, error } = await store.medusa(
      {},
      "exec",
      `${SCRIPT}/leave-regions.js`,
      ...given,
    )
    return { code, error, left: (out === "" ? {} : JSON.parse(out)) as Left }
  }

  const choosable = async () => {
    type Choosable = { payment_providers: { id: string; is_enabled: boolean }[] }
    const path = "/admin/payments/payment-providers?is_enabled=true"
    const { payment_providers: found } = await expectOk(harness.admin.call<Choosable>("GET", path))
    return found.map(({ id }) => id)
  }

  const listed = () =>
    harness.sql<{ region: string; provider: string }>(
      `select r.name as region, rp.payment_provider_id as provider
         from region_payment_provider rp join region r on r.id = rp.region_id
        where rp.deleted_at is null order by r.name, rp.payment_provider_id`,
    )

  it("[M15] the plugin takes it out of the regions only once no money needs it, and then no payment begins", async () => {
    const before = await listed()
    const others = before.filter(({ provider }) => !provider.endsWith("_merchant"))
    expect(others.length).toBeLessThan(before.length)
    const { phone, sessionId, cartId } = await begun()
    const late = await begun()
    await expectOk(harness.shop.start(sessionId))
    // Medusa would make no order of a cart whose region has not its provider any more.
    for (const given of [["look"], []]) {
      const { code, left } = await leave(...given)
      expect({ code, left }).toMatchObject({
        code: 1,
        left: { may_remove: false, is_out: false, under_way: 1, need_decision: 0 },
      })
      expect(left.operations).toEqual([expect.stringMatching(/^mpop_/)])
      expect(left.regions).toHaveLength(new Set(before.map(({ region }) => region)).size)
      expect(await listed()).toEqual(before)
    }
    harness.simulator.handset.approve(phone.slice(1))
    expect(await settled(harness, sessionId)).toMatchObject({ state: "paid" })
    await orderOf(harness, cartId)
    expect(await leave("look")).toMatchObject({ code: 1, left: { is_out: false, under_way: 0 } })
    expect(await listed()).toEqual(before)

    expect(await leave()).toMatchObject({ code: 0, left: { may_remove: true, is_out: true } })
    expect(await listed()).toEqual(others)
    // What the form of a region in the admin offers.
    expect(await choosable()).toEqual(["pp_system_default"])
    expect(await harness.shop.start(late.sessionId)).toMatchObject({
      status: 503,
      body: { code: "not_configured" },
    })
    expect(await leave()).toMatchObject({ code: 0, left: { may_remove: true, regions: [] } })
    expect(await choosable()).toEqual(["pp_system_default"])
    expect(await leave("loook")).toMatchObject({ code: 2, error: expect.stringContaining("look") })
  })

  it("[M15] the plugin leaves regions that can be found and cleaned without it", async () => {
    const { id } = (
      await expectOk(
        harness.admin.call<{ regions: { id: string }[] }>("GET", "/admin/regions?name=Liberia"),
      )
    ).regions[0] ?? { id: "" }
    const offered = { payment_providers: ["pp_system_default", PUSH, HOSTED] }
    // As where the command was never run: Medusa itself lists each provider that it once loaded.
    await harness.sql(
      "update payment_provider set is_enabled = true where id <> 'pp_card_merchant'",
    )
    await expectOk(harness.admin.call("POST", `/admin/regions/${id}`, offered))
    withoutPlugin()
    const bare = await startStoreProcess({
      folder: store.folder,
      databaseUrl: await store.databaseUrl(),
      port: await freePort(),
      env: { DEMO_IS_UP_TO_DATE: "1" },
    })
    try {
      const shop = shopAt(bare.url, bare.publishableKey)
      const offers = async () =>
        (
          await expectOk(
            shop.call<{ payment_providers: { id: string }[] }>(
              "GET",
              `/store/payment-providers?region_id=${id}`,
            ),
          )
        ).payment_providers.map((one) => one.id)
      // What a shopper meets where the regions were forgotten: an offer that fails.
      expect((await offers()).sort()).toEqual([HOSTED, PUSH, "pp_system_default"].sort())
      const cartId = await shop.cart({ region: "Liberia" })
      await expect(shop.session(cartId, PUSH)).rejects.toThrow(/^500: .*unknown error/)
      expect(bare.output()).toContain(`Unable to retrieve the payment provider with id: ${PUSH}`)

      const cleaned = await store.medusa({}, "exec", "./clean-regions.js")
      expect([cleaned.code, cleaned.out]).toEqual([0, expect.stringContaining(id)])
      expect(await offers()).toEqual(["pp_system_default"])
      await shop.session(cartId, "pp_system_default")

      // The same by the SQL of docs/upgrade.md.
      await harness.sql(
        `update region_payment_provider set deleted_at = null
          where region_id = $1 and payment_provider_id = any ($2)`,
        [id, [PUSH, HOSTED]],
      )
      expect(await offers()).toHaveLength(3)
      const page = fs.readFileSync(path.resolve(__dirname, "../../docs/upgrade.md"), "utf8")
      await harness.sql(/```sql\n(select r\.name[^]*?)```/.exec(page)?.[1] ?? "")
      expect(await offers()).toEqual(["pp_system_default"])
      const still = await harness.sql(
        "select id from payment_provider where is_enabled order by id",
      )
      expect(still).toEqual([{ id: "pp_system_default" }])
    } finally {
      await bare.kill()
    }
  })

  /** The store's configuration as it is after the plugin was removed, and the cleaning script. */
  function withoutPlugin(): void {
    fs.writeFileSync(
      path.join(store.folder, "medusa-config.js"),
      `const { defineConfig } = require("@medusajs/framework/utils")
       const { DATABASE_URL, JWT_SECRET: jwtSecret, COOKIE_SECRET: cookieSecret } = process.env
       const http = { storeCors: "", adminCors: "", authCors: "", jwtSecret, cookieSecret }
       module.exports = defineConfig({
         admin: { disable: true },
         projectConfig: { databaseUrl: DATABASE_URL, http },
       })`,
    )
    const script = fs.readFileSync(
      path.resolve(__dirname, "../../examples/store/clean-regions.ts"),
      "utf8",
    )
    const { outputText } = ts.transpileModule(script, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    })
    fs.writeFileSync(path.join(store.folder, "clean-regions.js"), outputText)
  }
})
