/**
 * The customer's receipt, through a real Medusa: the page has what Medusa's order and the ledger
 * have. Who has the link can read it until it ends, and nobody can without the link.
 */
import { isDeepStrictEqual } from "node:util"
import { inEnglish, minorIn, readPaper } from "../support/paper"
import { until } from "../support/until"
import { useHarness } from "./support/harness"
import { addToOrder, makeLink } from "./support/orders"
import { settled } from "./support/payments"
import { isRecorded, refund, refundUntil } from "./support/refunds"
import { ADA, expectOk, from, walletOf, type Region } from "./support/shop"

const harness = useHarness()

const HOSTILE = { ...ADA, first_name: `<b id="x">Ada`, last_name: `O'Brien & "Sons"</b>` }

type Bought = {
  readonly orderId: string
  readonly sessionId: string
  readonly operationId: string
  readonly url: string
}

type Given = {
  readonly region?: Region
  readonly code?: string
  readonly items?: readonly (readonly [handle: string, quantity: number])[]
}

type Status = { readonly payment: { readonly state: string; readonly receipt_url: string | null } }

const statusOf = async (sessionId: string) => {
  const path = `/store/merchant-payments/sessions/${sessionId}`
  return (await expectOk(harness.shop.call<Status>("GET", path))).payment
}

let customers = 0

async function bought(given: Given = {}): Promise<Bought> {
  customers += 1
  // A customer of their own, whose data can be erased without the others'.
  const person = { ...HOSTILE, email: `receipt-${customers}@example.com` }
  const phone = walletOf(given.region)
  const cartId = await harness.shop.cart({ ...given, phone, person })
  const sessionId = await harness.shop.session(cartId)
  await expectOk(harness.shop.start(sessionId))
  expect((await statusOf(sessionId)).receipt_url).toBeNull()
  harness.simulator.handset.approve(phone.slice(1))
  const { order_id: orderId } = await settled(harness, sessionId)
  const [row] = await harness.sql<{ id: string }>(
    "select id from mp_operation where order_id = $1",
    [orderId],
  )
  const { receipt_url: url } = await statusOf(sessionId)
  return { orderId: orderId ?? "", sessionId, operationId: row?.id ?? "", url: url ?? "" }
}

async function visited(url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, { headers: { connection: "close", ...headers } })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

const paperOf = async (url: string) => readPaper((await visited(`${url}?lang=en`)).html)

type Order = {
  readonly display_id: number
  readonly total: number
  readonly tax_total: number
  readonly discount_total: number
  readonly currency_code: string
  readonly items: readonly { readonly total: number; readonly quantity: number }[]
  readonly shipping_methods: readonly { readonly total: number }[]
}

const ORDER_FIELDS =
  "display_id,total,tax_total,discount_total,currency_code,items.total,items.quantity," +
  "shipping_methods.total"

async function medusasOrder(orderId: string): Promise<Order> {
  const path = `/admin/orders/${orderId}?fields=${ORDER_FIELDS}`
  return (await expectOk(harness.admin.call<{ order: Order }>("GET", path))).order
}

/** Half up from Medusa's decimal text, apart from the product's own way. */
function shownIn(amount: number, currency: string): string {
  const digits = currency === "rwf" ? 0 : 2
  const [whole = "0", rest = ""] = String(amount).split(".")
  const kept = BigInt(whole + rest.padEnd(digits, "0").slice(0, digits))
  const isUp = (rest[digits] ?? "0") >= "5"
  const text = String(kept + (isUp ? 1n : 0n)).padStart(digits + 1, "0")
  const value = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return inEnglish(value, currency.toUpperCase())
}

const adminPage = (operationId: string, query = "") =>
  harness.admin.call<{ receipt_page: { html: string; receipt_url: string | null } }>(
    "GET",
    `/admin/merchant-payments/operations/${operationId}/receipt-page${query}`,
  )

const inDays = (days: number, { orderId }: Bought) =>
  harness.sql(
    `update mp_operation
        set money_at = money_at - $2 * interval '1 day',
            recorded_at = recorded_at - $2 * interval '1 day'
      where order_id = $1 or parent_id in (select id from mp_operation where order_id = $1)`,
    [orderId, days],
  )

it.each<[string, Given]>([
  ["with tax on top", { items: [["market-tote", 3]] }],
  ["with a discount", { items: [["market-tote", 3]], code: "WELCOME10" }],
  [
    "in Rwanda, of several lines",
    {
      region: "Rwanda",
      items: [
        ["market-tote", 7],
        ["enamel-mug", 1],
      ],
    },
  ],
  ["in Liberia", { region: "Liberia", code: "WELCOME10", items: [["enamel-mug", 3]] }],
])("an order %s has a receipt that agrees to the last digit", async (_name, given) => {
  const { orderId, url, operationId } = await bought(given)
  const order = await medusasOrder(orderId)
  const currency = order.currency_code
  const { status, headers, html } = await visited(`${url}?lang=en`)
  expect(status).toBe(200)
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": expect.stringMatching(/^no-store/),
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
    "content-security-policy": expect.stringMatching(/^default-src 'none'; style-src 'sha256-/),
  })
  const paper = readPaper(html)
  expect(paper.foot["total"]).toBe(shownIn(order.total, currency))
  expect(paper.foot["tax"] ?? shownIn(0, currency)).toBe(shownIn(order.tax_total, currency))
  expect(paper.foot["discount"] ?? shownIn(0, currency)).toBe(
    shownIn(order.discount_total, currency),
  )
  const rows = [...order.items, ...order.shipping_methods]
  const named = paper.rows.filter(({ kind }) => kind !== "rounding")
  expect(named.map(({ amount }) => amount).sort()).toEqual(
    rows.map(({ total }) => shownIn(total, currency)).sort(),
  )
  const sum = paper.rows.reduce((all, { amount }) => all + minorIn(amount), 0n)
  expect(sum).toBe(minorIn(paper.foot["total"] ?? ""))
  expect(paper.head).toMatchObject({
    order: `#${order.display_id}`,
    customer: `${HOSTILE.first_name} ${HOSTILE.last_name}`,
  })
  expect(html).not.toContain(`<b id=`)
  expect(paper.payments).toMatchObject([{ amount: paper.foot["total"], state: "Paid" }])
  expect(paper.sums).toEqual({ paid: paper.foot["total"] })
  // The gateway's receipt may come between the two readings.
  const admins = await until(async () => {
    const { receipt_page: page } = await expectOk(adminPage(operationId))
    const customers = await paperOf(url)
    return isDeepStrictEqual(readPaper(page.html), customers) ? page : undefined
  }, "the admin's page says what the customer's says")
  expect(admins.receipt_url).toBe(url)
})

it("a receipt page exists before the gateway's receipt, and has its number and link afterwards", async () => {
  const { url, sessionId } = await bought()
  const [before] = (await paperOf(url)).payments
  expect(before?.["state"]).toBe("Paid")
  const path = `/store/merchant-payments/sessions/${sessionId}/receipt`
  const receipt = await until(async () => {
    const { status, body } = await harness.shop.call<{ receipt: Record<string, string> }>(
      "GET",
      path,
    )
    return status === 200 ? body.receipt : undefined
  }, "the gateway's receipt")
  const { html } = await visited(`${url}?lang=en`)
  expect(readPaper(html).payments[0]).toMatchObject({
    number: receipt["number"],
    transaction: receipt["transaction_id"],
    method: expect.stringContaining(`…${receipt["phone_hint"] ?? ""}`),
  })
  expect(html).toContain(`href="${receipt["link"] ?? ""}"`)
})

it("a receipt shows a refund only once it is completed", async () => {
  const made = await bought()
  const before = await paperOf(made.url)
  const medusas = await harness.admin.order(made.orderId)
  const [collection] = medusas.payment_collections
  const paymentId = collection?.payments[0]?.id ?? ""
  const order = { ...made, paymentId, collectionId: collection?.id ?? "", total: medusas.total }
  expect((await refund(harness, order, 5)).status).toBe(200)
  await refundUntil(harness, order, isRecorded, "the refund went through")
  const paper = await paperOf(made.url)
  expect(paper.refunds).toMatchObject([{ amount: "USD 5.00", state: "Refunded" }])
  expect(paper.sums["refunded"]).toBe("USD 5.00")
  // Medusa has taken the refund off its order's total by now; the receipt says it once.
  expect((await medusasOrder(made.orderId)).total).toBeLessThan(order.total)
  expect([paper.rows, paper.foot, paper.sums["paid"]]).toEqual([
    before.rows,
    before.foot,
    before.sums["paid"],
  ])
  // The same, had the gateway not said yet what became of it.
  const asIf = (state: string) =>
    harness.sql("update mp_operation set state = $2 where parent_id = $1 and type = 'REFUND'", [
      made.operationId,
      state,
    ])
  for (const [state, said] of [
    ["in_flight", "On its way. Not refunded yet."],
    ["failed", "Did not go through. Not refunded."],
  ] as const) {
    await asIf(state)
    const read = await paperOf(made.url)
    expect([read.refunds[0]?.["state"], read.sums["refunded"]]).toEqual([said, undefined])
  }
  await asIf("completed")
})

it("a receipt of an order that was paid in two parts lists both, and they add up", async () => {
  const made = await bought()
  await addToOrder(harness, made.orderId, ["enamel-mug", 1])
  expect((await paperOf(made.url)).sums["open"]).toMatch(/^USD \d/)
  await expectOk(makeLink(harness, made.orderId))
  const [link] = await harness.sql<{ source_id: string }>(
    "select source_id from mp_operation where order_id = $1 and flow = 'link'",
    [made.orderId],
  )
  harness.simulator.hosted.pay(Number(link?.source_id), { method: "card" })
  const paper = await until(async () => {
    const read = await paperOf(made.url)
    return read.payments.filter(({ state }) => state === "Paid").length === 2 ? read : undefined
  }, "two payments")
  const sum = paper.payments.reduce((all, { amount = "" }) => all + minorIn(amount), 0n)
  expect([paper.sums["open"], minorIn(paper.sums["paid"] ?? "")]).toEqual([undefined, sum])
  // Each part was rounded when it was asked for, so two may be a smallest unit more than the total.
  const total = minorIn(paper.foot["total"] ?? "")
  expect([total - 1n, total, total + 1n]).toContain(sum)
})

describe("the link to a receipt", () => {
  it("stays the same, in the requested language or the browser's", async () => {
    const { url, sessionId } = await bought()
    expect((await statusOf(sessionId)).receipt_url).toBe(url)
    expect(new URL(url).pathname).toMatch(/^\/merchant-payments\/receipt\/[\w-]{32}$/)
    const titles = async (query: string, spoken = "") =>
      /<html lang="(\w+)">/.exec(
        (await visited(url + query, { "accept-language": spoken })).html,
      )?.[1]
    expect(await titles("?lang=fr")).toBe("fr")
    expect(await titles("?lang=rw", "fr")).toBe("rw")
    expect(await titles("", "fr-CA, en;q=0.5")).toBe("fr")
    expect(await titles("?lang=xx", "de")).toBe("en")
  })

  it("ends, and then shows only where to ask", async () => {
    const made = await bought()
    await inDays(89, made)
    expect((await visited(made.url)).status).toBe(200)
    await inDays(2, made)
    const { status, html } = await visited(made.url)
    expect(status).toBe(410)
    expect(html).toContain("The receipt still exists. Ask ")
    for (const personal of ["Ada", "Brien", "Town", made.orderId, "USD"]) {
      expect(html).not.toContain(personal)
    }
    expect((await statusOf(made.sessionId)).receipt_url).toBeNull()
    const { receipt_page: page } = await expectOk(adminPage(made.operationId))
    expect([page.receipt_url, readPaper(page.html).payments.length]).toEqual([null, 1])
  })

  it("[S28] ends with the customer's data, and the admin's page names nobody", async () => {
    const made = await bought()
    const { order } = await expectOk(
      harness.admin.call<{ order: { customer_id: string } }>(
        "GET",
        `/admin/orders/${made.orderId}?fields=customer_id`,
      ),
    )
    const path = `/admin/merchant-payments/customers/${order.customer_id}/data`
    const erased = await harness.admin.call("DELETE", path)
    expect([erased.status, erased.body]).toEqual([200, expect.anything()])
    expect((await visited(made.url)).status).toBe(410)
    expect((await statusOf(made.sessionId)).receipt_url).toBeNull()
    const { receipt_page: page } = await expectOk(adminPage(made.operationId))
    expect(page.receipt_url).toBeNull()
    for (const personal of ["Ada", "Brien", "Town"]) expect(page.html).not.toContain(personal)
  })

  it("can be replaced by an admin, and the old link is unknown from then on", async () => {
    const made = await bought()
    const path = `/admin/merchant-payments/operations/${made.operationId}/receipt-link`
    const { receipt_url: fresh } = await expectOk(
      harness.admin.call<{ receipt_url: string }>("POST", path, {}),
    )
    expect(fresh).not.toBe(made.url)
    expect((await visited(made.url)).status).toBe(404)
    expect((await visited(fresh)).status).toBe(200)
    expect((await statusOf(made.sessionId)).receipt_url).toBeNull()
    expect((await harness.shop.call("POST", path, {})).status).toBe(401)
    const said = await harness.admin.call<{ code: string }>("POST", path, { token: "mine" })
    expect([said.status, said.body.code]).toEqual([400, "invalid_request"])
  })

  it("can't be guessed: an order's id and anything else get 404, then 429", async () => {
    const made = await bought()
    const { origin } = new URL(made.url)
    const guess = (token: string, network = "203.0.113.7") =>
      visited(`${origin}/merchant-payments/receipt/${token}`, from(network))
    for (const token of [
      made.orderId,
      made.sessionId,
      made.operationId,
      made.url.slice(-32).replace(/.$/, (last) => (last === "A" ? "B" : "A")),
      "%00",
      "x".repeat(2_000),
    ]) {
      const { status, html } = await guess(token)
      expect([token, status]).toEqual([token, 404])
      for (const personal of ["Ada", "Town", "USD"]) expect(html).not.toContain(personal)
    }
    const statuses = new Set<number>()
    for (let n = 0; n < 60; n++) statuses.add((await guess(`guess${n}`)).status)
    expect(statuses).toEqual(new Set([404, 429]))
    // Another network is not slowed down, nor is a link that this one opened before.
    expect((await visited(made.url, from("198.51.100.9"))).status).toBe(200)
  })

  it("does not exist for an unpaid payment, whose page is refused", async () => {
    const phone = walletOf()
    const cartId = await harness.shop.cart({ phone })
    const sessionId = await harness.shop.session(cartId)
    await expectOk(harness.shop.start(sessionId))
    harness.simulator.handset.decline(phone.slice(1))
    expect((await settled(harness, sessionId)).state).toBe("failed")
    expect((await statusOf(sessionId)).receipt_url).toBeNull()
    const [row] = await harness.sql<{ id: string }>(
      "select id from mp_operation where cart_id = $1",
      [cartId],
    )
    const { status, body } = await adminPage(row?.id ?? "")
    expect([status, body]).toMatchObject([404, { code: "receipt_not_ready" }])
    expect((await adminPage("mpop_none")).status).toBe(404)
    expect((await adminPage(row?.id ?? "", "?lang=xx")).status).toBe(400)
  })
})
