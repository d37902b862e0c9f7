/**
 * The reconciliation over HTTP, in a real store: three currencies, refunds, differences made real
 * on each side, as JSON and as a file; who is let in, and what nonsense is told.
 */
import fc from "fast-check"
import type { ReconciliationResponse } from "../../src/reconciliation/schemas/reconciliation"
import type { Overview } from "../../src/reconciliation/schemas/overview"
import type { OperationList } from "../../src/review/schemas/operations"
import { COLUMNS } from "../../src/reconciliation/period-file"
import { operationsOf, orderOf } from "./support/payments"
import { expectOk, HOSTED, walletOf, type Region } from "./support/shop"
import { ADMIN } from "./support/store-process"
import { until } from "../support/until"
import { useHarness } from "./support/harness"
import { runs } from "../support/whole-tables"

const harness = useHarness()

const ROOT = "/admin/merchant-payments"
const PATH = `${ROOT}/reconciliation`
const today = () => new Date().toISOString().slice(0, 10)

type Refused = { readonly code?: string; readonly message?: string; readonly field?: string | null }

const read = (query = "fresh=true") =>
  harness.admin.call<ReconciliationResponse & Refused>("GET", `${PATH}?${query}`)

const poll = () => expectOk(read("fresh=false"))
const polled = () =>
  until(async () => {
    const answer = await poll()
    return answer.is_running ? undefined : answer
  }, "the comparison has ended")

/** A click, after the comparisons of other days, and then as the page polls. */
async function compared() {
  await until(async () => (await read()).status !== 409, "the comparison has begun")
  const answer = await polled()
  const [account] = answer.accounts
  if (!account) throw new Error("there is no account")
  return { ...answer, account }
}

async function paid(region: Region, providerId?: string) {
  const phone = walletOf(region)
  const cartId = await harness.shop.cart({ phone, region })
  const total = await harness.shop.total(cartId)
  await expectOk(harness.shop.start(await harness.shop.session(cartId, providerId)))
  const [operation] = await operationsOf(harness, cartId)
  if (providerId === HOSTED) {
    harness.simulator.hosted.pay(Number(operation?.source_id), { method: "card" })
  } else harness.simulator.handset.approve(phone.slice(1))
  const orderId = await orderOf(harness, cartId)
  return { cartId, orderId, total, operationId: operation?.id ?? "" }
}

const sheet = (query: string) => fetched(`${ROOT}/sheet?${query}`)
const download = (query = "") => fetched(`${PATH}?format=csv${query}`)

async function fetched(path: string) {
  const { token } = await expectOk(
    harness.shop.call<{ token: string }>("POST", "/auth/user/emailpass", ADMIN),
  )
  const response = await until(async () => {
    const fetched = await fetch(`${harness.store.url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    // A comparison is under way: the file is there when it has ended.
    return fetched.status === 409 ? undefined : fetched
  }, "the file")
  const bytes = Buffer.from(await response.arrayBuffer())
  return { response, text: bytes.toString("utf8") }
}

const rowsOf = (text: string) =>
  text
    .slice(1)
    .split("\r\n")
    .slice(1, -1)
    .map((line) => {
      const cells = line.split(",")
      return Object.fromEntries(COLUMNS.map((column, n) => [column, cells[n] ?? ""]))
    })

it("[S02] nobody is let in without a login, and a secret API key is", async () => {
  expect((await harness.shop.call("GET", PATH)).status).toBe(401)
  const { api_key: key } = await expectOk(
    harness.admin.call<{ api_key: { token: string } }>("POST", "/admin/api-keys", {
      title: "books",
      type: "secret",
    }),
  )
  const authorization = `Basic ${Buffer.from(`${key.token}:`).toString("base64")}`
  expect((await harness.shop.call("GET", PATH, undefined, { authorization })).status).toBe(200)
})

describe("bad input", () => {
  it.each([
    ["from=yesterday", "from"],
    ["from=2026-01-05&to=2026-01-04", "to"],
    ["from=2099-01-01", "from"],
    ["format=pdf", "format"],
    ["account_id=%00", "account_id"],
    ["from=2026-01-01&from=2026-01-02", "from"],
    ["page=1", null],
  ])("%s is refused, as JSON and as a file", async (query, field) => {
    for (const also of ["", "&format=csv"]) {
      if (query.startsWith("format") && also !== "") continue
      const { status, body } = await read(`${query}${also}`)
      expect([status, body.code, body.field]).toEqual([400, "invalid_request", field])
    }
  })

  it("has a code of its own for too long a period, and for an account that there is not", async () => {
    const long = await read("from=2026-01-01&to=2026-02-01")
    expect([long.status, long.body]).toEqual([
      400,
      {
        code: "period_too_long",
        situation: "period_too_long",
        facts: { days: 31, payments: 100_000 },
        message: expect.any(String),
        days_max: 31,
        payments_max: 100_000,
      },
    ])
    const unowned = await read("account_id=mpacc_none&format=csv")
    expect([unowned.status, unowned.body.code]).toEqual([404, "account_not_found"])
  })

  it("[S07] is never a 500, whatever is asked for", async () => {
    const keys = ["from", "to", "account_id", "format", "fresh", "only", "from[]", "x"]
    const nearly = fc.constantFrom(
      ...["2026-11-22", "2026-02-31", "275760-09-13", "csv", "json", "true", "differences", "\0"],
      ...["2026-11-22T00:00:00Z", "2026-11-22T00:00:00+99:00", "-1", "%00", "'", "mpacc_env"],
    )
    const query = fc.array(fc.tuple(fc.constantFrom(...keys), fc.oneof(nearly, fc.string())), {
      maxLength: 3,
    })
    await fc.assert(
      fc.asyncProperty(query, async (given) => {
        const text = new URLSearchParams(given.map(([key, value]) => [key, value])).toString()
        const { status } = await read(text)
        // 409: the comparison of other days is under way.
        expect([200, 400, 404, 409]).toContain(status)
      }),
      { numRuns: runs(60) },
    )
  })
})

describe("three currencies and a refund", () => {
  let usd: Awaited<ReturnType<typeof paid>>
  let rwf: typeof usd
  let lrd: typeof usd

  beforeAll(async () => {
    usd = await paid("International")
    rwf = await paid("Rwanda")
    lrd = await paid("Liberia", HOSTED)
    const [payment] = (await harness.admin.order(usd.orderId)).payment_collections.flatMap(
      ({ payments }) => payments,
    )
    await expectOk(harness.admin.refund(payment?.id ?? "", 5))
    await until(async () => {
      const [row] = await harness.sql(
        "select from mp_operation where type = 'REFUND' and state = 'completed'",
      )
      return row
    }, "the refund at its end")
  })

  it("agree on all sides, each currency for itself", async () => {
    const { account, is_complete, figures } = await compared()
    expect(is_complete).toBe(true)
    expect(account.differences).toEqual([])
    expect(account.totals.map(({ currency }) => currency)).toEqual(["LRD", "RWF", "USD"])
    for (const { cartId, total } of [usd, rwf, lrd]) {
      const [row] = await harness.sql<{ currency_code: string; amount: string }>(
        `select currency_code, amount_minor::text as amount from mp_operation
          where cart_id = $1 and type = 'COLLECTION'`,
        [cartId],
      )
      const own = account.totals.find(({ currency }) => currency === row?.currency_code)
      const amount = own?.ledger.completed.amount ?? ""
      expect(amount.replace(".", "")).toBe(row?.amount)
      expect(own).toMatchObject({
        gateway: { paid: { count: 1, amount } },
        ledger: { completed: { count: 1 } },
        medusa: { captured: { count: 1, amount, exact: String(total) } },
      })
      expect(figures.by_currency).toContainEqual({ currency: own?.currency, count: 1, amount })
    }
    const back = { count: 1, amount: "5.00" }
    expect(account.totals.find(({ currency }) => currency === "USD")?.refunds).toMatchObject({
      gateway: back,
      ledger: back,
      medusa: { ...back, exact: "5" },
    })
    expect(figures.success).toMatchObject({ completed: 3, failed: 0, expired: 0, rate: 1 })
    expect(figures.by_operator).toHaveLength(3)
  })

  it("are on the home page, in the list and in the accountant's sheet, to the last digit", async () => {
    const overview = await expectOk(
      harness.admin.call<Overview & { gateway: { code: string } }>("GET", `${ROOT}/overview`),
    )
    expect(overview.time_zone).toBe("UTC")
    expect(overview.gateway.code).toBe("last_answer")
    expect(overview.waiting).toEqual({ count: 0, sums: [] })
    expect(overview.tries.success).toMatchObject({ completed: 3, rate: 1 })
    const month = overview.periods.find(({ period }) => period === "this_month")
    expect(month?.sums.map(({ currency }) => currency)).toEqual(["LRD", "RWF", "USD"])
    expect(month?.sums.map(({ refunded }) => refunded)).toEqual(["0.00", "0", "-5.00"])
    const { response, text } = await sheet(`from=${month?.from}&to=${month?.to}&locale=fr`)
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(response.headers.get("content-disposition")).toMatch(
      /filename="comptable-[\d-to]+\.csv"/,
    )
    const totals = text.split("\r\n").filter((line) => line.startsWith(";;Total;"))
    const comma = (amount: string) => amount.replace(".", ",")
    expect(totals.map((line) => line.split(";").slice(7, 13))).toEqual(
      month?.sums.map(({ currency, received, fees, refunded, net, sent }) =>
        [currency, received, fees, refunded, net, sent].map(comma),
      ),
    )
    const moved = `moved_from=${month?.from}&moved_to=${month?.to}&totals=true`
    const { totals: listed } = await expectOk(
      harness.admin.call<OperationList>("GET", `${ROOT}/operations?${moved}`),
    )
    expect(listed?.map(({ net_after_refunds: net }) => net)).toEqual(
      month?.sums.map(({ net }) => net),
    )
  })

  it.each([
    ["overview?time_zone=Mars/Base", "time_zone"],
    ["overview?page=1", null],
    ["sheet?locale=de", "locale"],
    ["sheet?format=xlsx", "format"],
    ["sheet?from=2026-01-05&to=2026-01-04", "to"],
    ["sheet?time_zone=%00", "time_zone"],
    ["operations?moved_from=yesterday", "moved_from"],
  ])("%s is refused, with the field that is wrong", async (path, field) => {
    const { status, body } = await harness.admin.call<Refused>("GET", `${ROOT}/${path}`)
    expect([status, body.code, body.field]).toEqual([400, "invalid_request", field])
  })

  it("are rows of a file that spreadsheet programs open", async () => {
    const { response, text } = await download()
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="reconciliation-${today()}.csv"`,
    )
    expect(text.startsWith(`\uFEFF${COLUMNS.join(",")}\r\n`)).toBe(true)
    const rows = rowsOf(text)
    expect(rows.map(({ type, currency }) => [type, currency]).sort()).toEqual([
      ["PAYMENT", "LRD"],
      ["PAYMENT", "RWF"],
      ["PAYMENT", "USD"],
      ["REFUND", "USD"],
    ])
    const order = await harness.sql<{ display_id: number }>(
      `select display_id from "order" where id = $1`,
      [usd.orderId],
    )
    expect(rows.find(({ operation_id }) => operation_id === usd.operationId)).toMatchObject({
      order_id: usd.orderId,
      order_number: String(order[0]?.display_id),
      refunded: "-5.00",
      gateway_status: "PAID",
      ledger_state: "completed",
      medusa_captured: String(usd.total),
      medusa_refunded: "-5",
      difference: "",
    })
    expect(rows.find(({ type }) => type === "REFUND")).toMatchObject({
      refunded: "-5.00",
      gross: "-5.00",
      net: "-5.00",
      gateway_status: "COMPLETED",
      medusa_refunded: "-5",
    })
    expect(rows.find(({ currency }) => currency === "RWF")?.["gross"]).toMatch(/^\d+$/)
  })

  it("hold no formula, whatever the gateway calls an operator", async () => {
    await harness.sql(`update mp_operation set carrier = '=cmd|x!A1' where id = $1`, [
      rwf.operationId,
    ])
    const { text } = await download()
    expect(text).toContain(",'=cmd|x!A1,")
    expect(text).not.toMatch(/[,\n"][=+@]/)
  })

  it("differ where each of the sides was changed behind the others' back, and agree again", async () => {
    await harness.sql(
      `update capture set amount = amount - 1,
              raw_amount = jsonb_build_object('value', (amount - 1)::text, 'precision', 20)
        where payment_id in (select p.id from payment p join mp_operation o
                               on o.payment_session_id = p.payment_session_id where o.id = $1)`,
      [lrd.operationId],
    )
    await harness.sql(`update "order" set status = 'canceled', canceled_at = now() where id = $1`, [
      rwf.orderId,
    ])
    await harness.sql(
      `update refund set amount = amount + 1,
              raw_amount = jsonb_build_object('value', (amount + 1)::text, 'precision', 20)`,
    )
    try {
      const { account } = await compared()
      const of = (code: string) => account.differences.find((one) => one.code === code)
      expect(of("amount_differs")).toMatchObject({
        done: "listed",
        operation_id: lrd.operationId,
        order_id: lrd.orderId,
        ledger_amount: { currency: "LRD" },
        medusa_amount: { currency: "LRD" },
        en: expect.stringContaining("different amounts"),
      })
      expect(of("order_canceled_but_paid")).toMatchObject({ order_id: rwf.orderId })
      expect(of("refund_unknown")).toMatchObject({ operation_id: usd.operationId })
      const { text } = await download("&only=differences")
      expect(
        rowsOf(text)
          .map(({ difference }) => difference)
          .sort(),
      ).toEqual(["amount_differs", "order_canceled_but_paid", "refund_unknown"])
    } finally {
      await harness.sql(
        `update capture set amount = amount + 1,
                raw_amount = jsonb_build_object('value', (amount + 1)::text, 'precision', 20)
          where payment_id in (select p.id from payment p join mp_operation o
                                 on o.payment_session_id = p.payment_session_id where o.id = $1)`,
        [lrd.operationId],
      )
      await harness.sql(`update "order" set status = 'pending', canceled_at = null where id = $1`, [
        rwf.orderId,
      ])
      await harness.sql(
        `update refund set amount = amount - 1,
                raw_amount = jsonb_build_object('value', (amount - 1)::text, 'precision', 20)`,
      )
    }
    expect((await compared()).account.differences).toEqual([])
  })
})

it("a gateway that is down leaves the other sides, says so, and no file claims to be compared", async () => {
  harness.simulator.faults.script(
    "listOrders",
    Array.from({ length: 40 }, () => "500"),
  )
  try {
    const { account, is_complete } = await compared()
    expect(is_complete).toBe(false)
    expect(account.incomplete_because).toMatchObject([{ code: "gateway_not_read" }])
    expect(account.totals.map(({ gateway }) => gateway)).toEqual([null, null, null])
    const { text } = await download()
    expect(new Set(rowsOf(text).map(({ compared_at }) => compared_at))).toEqual(new Set([""]))
  } finally {
    harness.simulator.faults.clear()
  }
})

it("a comparison lists each kind of document once, and moves no money", async () => {
  // Not the version: the job may write down what it learns of a payment meanwhile.
  const money = () =>
    harness.sql(
      `select id, state, amount_minor, collected_minor, refunded_minor, reserved_refund_minor
         from mp_operation order by id`,
    )
  const before = await money()
  harness.simulator.resetCalls()
  await compared()
  const { listOrders, listInvoices } = harness.simulator.calls
  expect(listInvoices).toBe(1)
  expect(listOrders).toBeGreaterThan(0)
  const moving = Object.keys(harness.simulator.calls).filter((name) =>
    /execute|refund|create/i.test(name),
  )
  expect(moving).toEqual([])
  expect(await money()).toEqual(before)
})
