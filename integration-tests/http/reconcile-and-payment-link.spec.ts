/**
 * The merchant's command that compares the records of a real store and the simulator. And a payment
 * link, or a prompt, for an order's open amount, through a whole store.
 */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { useMedusaExec } from "./support/medusa-exec"
import { paidOrder } from "./support/refunds"
import {
  addToOrder,
  documentOf,
  draftOrder,
  linksOf,
  linkThatReads,
  makeLink,
  readLink,
  unpaidOrder,
  type Link,
  type LinkAnswer,
} from "./support/orders"
import { operationsOf, orderOf } from "./support/payments"
import { expectOk, HOSTED, PUSH, walletOf } from "./support/shop"
import { until } from "../support/until"
import { CREDENTIALS, useHarness } from "./support/harness"

const harness = useHarness({ simulator: { speed: 20 } })
const medusaExec = useMedusaExec(harness, "reconcile")

/** First: it counts every document. */
describe("the reconcile command", () => {
  const environment = () => ({
    MERCHANT_PAYMENTS_BASE_URL: harness.simulator.url,
    MERCHANT_PAYMENTS_CLIENT_ID: CREDENTIALS.clientId,
    MERCHANT_PAYMENTS_CLIENT_SECRET: CREDENTIALS.clientSecret,
  })

  async function command(...given: string[]) {
    const ended = await medusaExec("reconcile", environment(), ...given)
    expect(`${ended.out}${ended.error}`).not.toContain(CREDENTIALS.clientSecret)
    return ended
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

  it("ends with 0 and one JSON document when the records agree", async () => {
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
          totals: [
            expect.objectContaining({
              currency: "USD",
              bridge: expect.objectContaining({ remainder: { count: 0, amount: "0.00" } }),
            }),
          ],
        },
      ],
    })
  })

  it("[B29] ends with 1 and writes a cancelled order that is still paid into the requested file", async () => {
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

  it("has a support bundle next to it, with a payment's history and the log, without the customer or secrets", async () => {
    const { cartId } = await paid()
    const [operation] = await operationsOf(harness, cartId)
    const [who] = await harness.sql<{ customer_name: string; customer_email: string }>(
      "select customer_name, customer_email from mp_operation where id = $1",
      [operation?.id],
    )
    const { customer_name: name = "", customer_email: email = "" } = who ?? {}
    expect([name, email]).toEqual([expect.stringMatching(/\w/), expect.stringContaining("@")])
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "support-bundle-"))
    const [log, json] = [path.join(folder, "store.log"), path.join(folder, "bundle.json")]
    fs.writeFileSync(log, `merchant payments: ${operation?.id}: ${name} <${email}> is not known\n`)
    const asked = [`operation=${operation?.id}`, `log=${log}`, `json=${json}`]
    const ended = await medusaExec("support-bundle", environment(), ...asked)
    const text = fs.readFileSync(json, "utf8")
    fs.rmSync(folder, { recursive: true })
    expect(ended).toMatchObject({ code: 0, out: "" })
    expect(JSON.parse(text)).toMatchObject({
      versions: { plugin: "0.1.0", medusa: expect.any(String), node: process.version },
      operation: { id: expect.stringMatching(/^mpop#/), state: "completed" },
      log: [expect.stringMatching(/^merchant payments: mpop#[0-9a-f]{10}: /)],
    })
    for (const secret of [CREDENTIALS.clientSecret, email, name, operation?.id, cartId]) {
      expect(text).not.toContain(secret)
    }
    const none = await medusaExec("support-bundle", environment(), "operation=mpop_none")
    expect([none.code, none.error]).toEqual([2, expect.stringContaining("no operation mpop_none")])
  })

  it("ends with 2 and a sentence for wrong options", async () => {
    const { code, out, error } = await command("from=yesterday")
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(error).toContain("reconcile: from= is a day")
  })

  it("is also run by the store each night, once", async () => {
    await harness.sql("truncate mp_reconciliation")
    await harness.sql("update mp_task set due_at = now(), lease_token = null, lease_until = null")
    const [row] = await until(async () => {
      const rows = await harness.sql("select is_complete, differences from mp_reconciliation")
      return rows.length > 0 ? rows : undefined
    }, "the nightly comparison")
    expect(row).toEqual({ is_complete: true, differences: [] })
  })
})

async function madeLink(orderId: string, body: object = {}): Promise<Link> {
  const { payment_link: link } = await expectOk(makeLink(harness, orderId, body))
  if (!link) throw new Error("no link was made")
  return link
}

async function pay(link: Link): Promise<void> {
  const document = await documentOf(harness, link)
  harness.simulator.hosted.pay(document.id, { method: "card" })
}

const MINUTE = 60_000

it("an unpaid order is paid once by its link, and has nothing left to pay", async () => {
  const orderId = await unpaidOrder(harness)
  const { total, summary } = await harness.admin.order(orderId)
  expect(summary.pending_difference).toBe(total)
  const before = await readLink(harness, orderId)
  expect(before).toMatchObject({ payment_link: null, why_not: null })
  // Half up, once, to cents.
  expect(before.open_amount).toBeCloseTo(total, 2)

  const link = await madeLink(orderId)
  expect(link).toMatchObject({ state: "open", amount: before.open_amount, currency: "USD" })
  expect(link.made_by).toMatch(/^user_/)
  const left = new Date(link.expires_at).getTime() - Date.now()
  expect(left / MINUTE).toBeGreaterThan(47 * 60)
  const document = await documentOf(harness, link)
  expect(document).toMatchObject({ status: "ACTIVE", feeBearer: "PAYEE" })
  expect(link.url).toBe(`${harness.simulator.url}${document.hostedPath}`)

  await pay(link)
  await linkThatReads(harness, orderId, "paid")
  const [row] = await linksOf(harness, orderId)
  expect(row?.recorded_at).not.toBeNull()
  const order = await harness.admin.order(orderId)
  expect(order.payment_status).toBe("captured")
  expect(order.summary).toMatchObject({ paid_total: total, pending_difference: 0 })
  const [collection, ...others] = order.payment_collections
  expect(others).toEqual([])
  expect(collection).toMatchObject({ status: "completed", captured_amount: total })
  expect(collection?.payments.flatMap(({ captures }) => captures)).toEqual([
    expect.objectContaining({ amount: total }),
  ])
  expect((await documentOf(harness, link)).charges).toBe(1)
  const again = await makeLink(harness, orderId)
  expect(again).toMatchObject({ status: 409, body: { code: "nothing_to_pay" } })
})

it("a paid order that then costs more is paid the rest by a link", async () => {
  const { orderId, total } = await paidOrder(harness)
  expect((await readLink(harness, orderId)).why_not?.code).toBe("nothing_to_pay")
  await addToOrder(harness, orderId, ["enamel-mug", 2])
  const { open_amount: rest } = await readLink(harness, orderId)
  expect(rest).toBeGreaterThan(0)

  const link = await madeLink(orderId)
  expect(link.amount).toBeCloseTo(rest ?? 0, 2)
  await pay(link)
  await linkThatReads(harness, orderId, "paid")
  const order = await harness.admin.order(orderId)
  expect(order.total).toBeGreaterThan(total)
  expect(order.summary).toMatchObject({ paid_total: order.total, pending_difference: 0 })
  expect(order.payment_collections).toHaveLength(2)
  const captured = order.payment_collections.map(({ captured_amount: amount }) => amount)
  expect(captured.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(order.total, 5)
})

it("a link of an order that is paid otherwise closes by itself", async () => {
  const orderId = await unpaidOrder(harness)
  const link = await madeLink(orderId)
  const { total } = await harness.admin.order(orderId)
  const { payment_collection: other } = await expectOk(
    harness.admin.call<{ payment_collection: { id: string } }>(
      "POST",
      "/admin/payment-collections",
      {
        order_id: orderId,
        amount: total,
      },
    ),
  )
  await expectOk(
    harness.admin.call("POST", `/admin/payment-collections/${other.id}/mark-as-paid`, {
      order_id: orderId,
    }),
  )
  expect(await linkThatReads(harness, orderId, "closed")).toMatchObject({ url: null })
  expect((await documentOf(harness, link)).status).toBe("CANCELED")
})

it("no link is made while another provider's payment waits for its capture", async () => {
  const { admin, shop } = harness
  const { regions } = await expectOk(
    admin.call<{ regions: { id: string; name: string }[] }>("GET", "/admin/regions"),
  )
  const region = regions.find(({ name }) => name === "International")
  await expectOk(
    admin.call("POST", `/admin/regions/${region?.id}`, {
      payment_providers: [PUSH, HOSTED, "pp_system_default"],
    }),
  )
  const cart = await shop.cart()
  await shop.session(cart, "pp_system_default")
  const orderId = (await expectOk(shop.complete(cart))).order?.id ?? ""
  expect((await readLink(harness, orderId)).why_not?.code).toBe("other_payment_open")
  const refused = await makeLink(harness, orderId)
  expect(refused).toMatchObject({ status: 409, body: { code: "other_payment_open" } })
  const payments = (await admin.order(orderId)).payment_collections.flatMap((one) => one.payments)
  for (const { id } of payments)
    await expectOk(admin.call("POST", `/admin/payments/${id}/capture`, {}))
  expect((await readLink(harness, orderId)).why_not?.code).toBe("nothing_to_pay")
})

it("a link of an order that is cancelled is closed at the gateway, and none is made for it", async () => {
  const orderId = await unpaidOrder(harness)
  const link = await madeLink(orderId)
  await expectOk(harness.admin.cancel(orderId))
  await linkThatReads(harness, orderId, "closed")
  expect((await documentOf(harness, link)).status).toBe("CANCELED")
  const refused = await makeLink(harness, orderId)
  expect(refused).toMatchObject({ status: 409, body: { code: "order_closed" } })
  expect((await readLink(harness, orderId)).why_not?.code).toBe("order_closed")
})

it("a link that an admin cancels is closed at the gateway, and the next link is another", async () => {
  const orderId = await unpaidOrder(harness)
  const path = `/admin/merchant-payments/orders/${orderId}/payment-link/cancel`
  const cancel = (body: object = {}) => harness.admin.call<LinkAnswer>("POST", path, body)
  expect(await cancel()).toMatchObject({ status: 409, body: { code: "link_closed" } })
  const link = await madeLink(orderId)
  expect(await cancel({ reason: "none" })).toMatchObject({
    status: 400,
    body: { code: "invalid_request" },
  })
  const answer = await expectOk(cancel())
  expect(answer).toMatchObject({ payment_link: { state: "closed", url: null }, why_not: null })
  expect((await documentOf(harness, link)).status).toBe("CANCELED")
  const next = await madeLink(orderId)
  expect(next.operation_id).not.toBe(link.operation_id)
  await pay(next)
  await linkThatReads(harness, orderId, "paid")
  expect(await cancel()).toMatchObject({ status: 409, body: { code: "already_paid" } })
})

it("an order that can't have a link is refused with the reason", async () => {
  const draft = await draftOrder(harness)
  expect(await makeLink(harness, draft)).toMatchObject({ body: { code: "order_is_draft" } })
  expect(await makeLink(harness, "order_none")).toMatchObject({
    status: 404,
    body: { code: "order_not_found" },
  })
  const withoutPhone = await unpaidOrder(harness, { phone: null })
  expect(await makeLink(harness, withoutPhone)).toMatchObject({ body: { code: "phone_required" } })
  expect(await makeLink(harness, withoutPhone, { phone: "12" })).toMatchObject({
    body: { code: "invalid_phone" },
  })
  expect(await makeLink(harness, withoutPhone, { amount: 1 })).toMatchObject({
    body: { code: "invalid_request" },
  })
  expect(await linksOf(harness, withoutPhone)).toEqual([])
  expect(await madeLink(withoutPhone, { phone: "+231886123456" })).toMatchObject({ state: "open" })
})

describe("a prompt that an admin requests", () => {
  const ask = (orderId: string, phone: string) =>
    harness.admin.call<{ code?: string; operations: { id: string; state: string }[] }>(
      "POST",
      `/admin/merchant-payments/orders/${orderId}/prompt`,
      { phone },
    )
  const paidInMedusa = (orderId: string) =>
    until(async () => {
      const order = await harness.admin.order(orderId)
      return order.summary.pending_difference === 0 ? order : undefined
    }, "the order is paid")

  it("closes the link, goes to that phone once, and pays the order", async () => {
    const orderId = await unpaidOrder(harness)
    const link = await madeLink(orderId)
    const wallet = walletOf()
    const { operations } = await expectOk(ask(orderId, wallet))
    expect(operations).toContainEqual(
      expect.objectContaining({ flow: "push", phone_hint: wallet.slice(-3), prompt: "sent" }),
    )
    expect((await documentOf(harness, link)).status).toBe("CANCELED")
    expect(await ask(orderId, walletOf())).toMatchObject({
      status: 409,
      body: { code: "payment_in_progress" },
    })
    harness.simulator.handset.approve(wallet.slice(1))
    const { total, summary, payment_status: status } = await paidInMedusa(orderId)
    expect([status, summary.paid_total]).toEqual(["captured", total])
    const made = await harness.sql(
      "select asked_by, state from mp_operation where order_id = $1 and flow = 'push'",
      [orderId],
    )
    expect(made).toMatchObject([{ state: "completed", asked_by: link.made_by }])
    expect((await ask(orderId, wallet)).body.code).toBe("nothing_to_pay")
  })

  it("is refused without a number, and for a number without a wallet", async () => {
    const orderId = await unpaidOrder(harness)
    expect(await ask(orderId, " ")).toMatchObject({
      status: 400,
      body: { code: "invalid_request" },
    })
    expect(await ask(orderId, "12")).toMatchObject({ status: 400, body: { code: "invalid_phone" } })
    expect((await harness.admin.order(orderId)).payment_status).toBe("not_paid")
  })
})
