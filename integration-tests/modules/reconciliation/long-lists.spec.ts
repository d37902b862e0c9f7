/** A comparison of very many documents: a real ledger, a real socket, a list that no memory holds. */
import type { FlowDeps } from "../../../src/engine/deps"
import { reconcile } from "../../../src/reconciliation/reconcile"
import { agreementOf } from "../../../src/reconciliation/rules/agreement"
import type { AccountSums } from "../../../src/reconciliation/schemas/reconciliation"
import { LIMITS } from "../../../src/core/limits"
import {
  AS_IT_IS,
  longList,
  medusaOf,
  operationId,
  writePayments,
  type ListedOrder,
  type Listing,
  type Payments,
} from "../../support/long-list"
import { useFlowsHarness } from "../../support/use-flows-harness"

const MANY: Payments = { from: 1, until: 100_001, at: "2026-01-10T12:00:00Z" }
const SOME: Payments = { from: 200_001, until: 203_001, at: "2026-03-10T12:00:00Z" }

let list: Awaited<ReturnType<typeof longList>>

const harness = useFlowsHarness({}, async ({ ledger }) => {
  list = await longList()
  for (const payments of [MANY, SOME]) await writePayments(ledger, payments)
  await ledger.sql("analyze mp_operation")
})

afterAll(() => list.close())

/** The most documents that were handed over at once. */
let most = 0

function depsWith(payments: Payments): FlowDeps {
  const { deps } = harness
  const { gateway } = list
  const counting: typeof gateway = {
    ...gateway,
    orders: {
      ...gateway.orders,
      stream: (filter, take, how) =>
        gateway.orders.stream(
          filter,
          (batch) => {
            most = Math.max(most, batch.length)
            return take(batch)
          },
          how,
        ),
    },
  }
  return {
    ...deps,
    gatewayOf: () => counting,
    medusa: { ...deps.medusa, ...medusaOf(payments) },
  }
}

async function compared(payments: Payments, listing: Listing): Promise<AccountSums> {
  list.list(payments, listing)
  most = 0
  const from = new Date(Date.parse(payments.at) - 3_600_000)
  const until = new Date(Date.parse(payments.at) + 3_600_000)
  const [report, ...others] = await reconcile(depsWith(payments), { from, until })
  if (!report || others.length > 0) throw new Error("there is not one account")
  return report
}

const isGreen = (report: AccountSums) =>
  agreementOf([{ ...report, totals: [...report.totals] }]).is_green

const lists = () => list.asked.filter((path) => path.startsWith("/v1/orders/list"))

it("a comparison of 100,000 documents is whole, and all three sides agree", async () => {
  const report = await compared(MANY, AS_IT_IS)
  expect(report).toMatchObject({
    is_complete: true,
    incomplete_because: [],
    counts: { documents: 100_000, operations: 100_000, payments: 100_000 },
    differences: [],
    left_out: 0,
    totals: [{ currency: "USD", gateway: { paid: { count: 100_000, amount: "1999000.00" } } }],
  })
  expect(isGreen(report)).toBe(true)
  expect(list.bytes()).toBeGreaterThan(LIMITS.listBodyLimitBytes)
  expect(most).toBe(LIMITS.listBatchMax)
  expect(lists()).toEqual(["/v1/orders/list"])
})

it("a comparison finds among 100,000 documents the one that is missing, doubled, of another sum, or of another state", async () => {
  const [missing, doubled, otherSum, otherState] = [12_345, 99_999, 50_000, 77_777]
  const report = await compared(MANY, {
    rows: (row) => {
      if (row.id === missing) return []
      if (row.id === doubled) return [row, { ...row, id: row.id + 1_000_000 }]
      if (row.id === otherSum) return [{ ...row, total_amount: "29.99" }]
      return [row.id === otherState ? { ...row, status: "CANCELED" } : row]
    },
  })
  const found = report.differences.map(({ code, operation_id }) => [code, operation_id])
  expect(new Set(found.map((one) => one.join(" ")))).toEqual(
    new Set([
      `completed_but_reads_otherwise ${operationId(missing)}`,
      `paid_twice ${operationId(doubled)}`,
      `amount_differs ${operationId(otherSum)}`,
      `completed_but_reads_otherwise ${operationId(otherState)}`,
    ]),
  )
  expect(found).toHaveLength(4)
  expect(report.incomplete_because).toEqual([])
  expect(isGreen(report)).toBe(false)
})

describe("[P28] a list that breaks off", () => {
  it("concludes nothing about missing documents, and says so", async () => {
    const report = await compared(SOME, { ...AS_IT_IS, cutAfter: () => 2_000 })
    expect(report).toMatchObject({
      is_complete: false,
      incomplete_because: ["list_cut"],
      differences: [],
      totals: [{ gateway: null, bridge: null }],
    })
    expect(report.counts["documents"]).toBeLessThan(3_000)
    expect(isGreen(report)).toBe(false)
    // What did not come was not asked about one by one either.
    expect(list.asked.filter((path) => path.startsWith("/v1/status/"))).toEqual([])
  })

  it("still shows differences of the documents that came", async () => {
    const report = await compared(SOME, {
      rows: (row) => [row.id === SOME.from ? { ...row, total_amount: "29.99" } : row],
      cutAfter: () => 2_000,
    })
    expect(report.differences).toMatchObject([
      { code: "amount_differs", operation_id: operationId(SOME.from) },
    ])
  })

  it("is whole when its parts by state are whole", async () => {
    const report = await compared(SOME, {
      rows: (row) => [row.id % 1_000 === 0 ? { ...row, status: "PAID" } : row],
      cutAfter: (status) => (status === null ? 2_000 : Infinity),
    })
    expect(report).toMatchObject({ is_complete: true, differences: [] })
    expect(report.counts["documents"]).toBe(3_000)
    expect(isGreen(report)).toBe(true)
    expect(lists()).toEqual([
      "/v1/orders/list",
      ...["IDLE", "ACTIVE", "PROCESSING", "PAID", "CANCELED"].map(
        (status) => `/v1/orders/list?status=${status}`,
      ),
    ])
  })
})

describe("[B23] a list with a document of another merchant", () => {
  const nothing = {
    incomplete_because: ["gateway_not_read"],
    counts: { documents: 0 },
    differences: [],
    totals: [{ gateway: null, bridge: null }],
  }
  const foreignAt = (at: number) => ({
    rows: (row: ListedOrder) => [
      row.id === SOME.from + at ? { ...row, owner_id: 2 } : { ...row, total_amount: "29.99" },
    ],
  })

  it.each([0, 1, 700, 2_999])(
    "counts for nothing, even what came before document %d",
    async (at) => {
      expect(await compared(SOME, foreignAt(at))).toMatchObject(nothing)
    },
  )

  it("counts for nothing where that document is in a part by state", async () => {
    const listing = {
      ...foreignAt(2_999),
      cutAfter: (status: string | null) => (status ? 3_000 : 2_000),
    }
    expect(await compared(SOME, listing)).toMatchObject(nothing)
  })
})

it("a document that the list names twice counts once, and the list counts as incomplete", async () => {
  const report = await compared(SOME, {
    rows: (row) => (row.id === SOME.from + 1_500 ? [row, row] : [row]),
  })
  expect(report).toMatchObject({
    incomplete_because: ["list_repeats"],
    counts: { documents: 3_000 },
    differences: [],
    totals: [{ gateway: { paid: { count: 3_000 } } }],
  })
  expect(isGreen(report)).toBe(false)
})

it("a document outside the period leaves only its number, whatever the gateway's clock says", async () => {
  const late = { ...SOME, at: "2020-01-01T00:00:00Z" }
  const own = await compared(SOME, AS_IT_IS)
  list.list(late, AS_IT_IS)
  const from = new Date("2026-03-10T11:00:00Z")
  const until = new Date("2026-03-10T13:00:00Z")
  const [report] = await reconcile(depsWith(SOME), { from, until })
  expect(report?.counts).toEqual(own.counts)
  list.list(SOME, AS_IT_IS)
  const nothing = medusaOf({ ...SOME, until: SOME.from })
  const quiet = { from: new Date("2026-05-01T00:00:00Z"), until: new Date("2026-05-02T00:00:00Z") }
  const deps = { ...depsWith(SOME), medusa: { ...harness.deps.medusa, ...nothing } }
  expect(await reconcile(deps, quiet)).toMatchObject([
    { is_complete: true, counts: { documents: 0, operations: 0, payments: 0 } },
  ])
})
