/** Documents and refunds that are not at the gateway, in whatever form it says so. */
import type { ServerResponse } from "node:http"
import { ofMedusa, type Operation } from "../../../src/core/operation"
import { askLanded } from "../../../src/engine/landed-draft"
import { findById } from "../../../src/ledger/find-operations"
import { findLostRefund } from "../../../src/refunds/find-lost-refund"
import { reconcile } from "../../../src/reconciliation/reconcile"
import {
  longList,
  medusaOf,
  operationId,
  writePayments,
  type Payments,
} from "../../support/long-list"
import { useFlowsHarness } from "../../support/use-flows-harness"

const MANY = 100

let list: Awaited<ReturnType<typeof longList>>
const harness = useFlowsHarness({}, async () => {
  list = await longList()
})
afterAll(() => list.close())

const answer =
  (type: string | undefined, body = "") =>
  (response: ServerResponse) => {
    response.writeHead(404, type === undefined ? {} : { "content-type": type })
    response.end(body)
  }

const FORMS = [
  ["the contract's words", answer("application/json", '{"detail":"Not found."}')],
  ["nothing", answer(undefined)],
  ["nothing, called JSON", answer("application/json")],
  ["nothing, called a page", answer("text/html")],
  ["a page", answer("text/html", "<html><body>404 Not Found</body></html>")],
  ["a page, called JSON", answer("application/json", "<html></html>")],
  ["other words in JSON", answer("application/json", '{"message":"no such order","code":17}')],
  ["a problem", answer("application/problem+json", '{"title":"Not Found","status":404}')],
  ["an empty object", answer("application/json", "{}")],
  ["null", answer("application/json", "null")],
  ["half of JSON", answer("application/json", '{"detail":"Not fo')],
  ["plain words", answer("text/plain; charset=utf-16", "gone")],
  ["no readable type", answer(";;;", "gone")],
] as const

it.each(FORMS)(
  "a comparison is complete and asks little about documents that are gone, where a 404 has %s",
  async (title, gone) => {
    const from =
      1 + 1_000 * [...title].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 9_973, 7)
    const payments: Payments = { from, until: from + MANY, at: "2026-01-10T12:00:00Z" }
    await harness.ledger.sql("delete from mp_operation")
    await writePayments(harness.ledger, payments)
    list.list(payments, { rows: () => [], gone })
    const { deps } = harness
    const slept: number[] = []
    const sleep = (ms: number) => Promise.resolve(void slept.push(ms))
    const [report] = await reconcile(
      {
        ...deps,
        clock: { ...deps.clock, sleep },
        gatewayOf: () => list.gateway,
        medusa: { ...deps.medusa, ...medusaOf(payments) },
      },
      { from: new Date("2026-01-10T11:00:00Z"), until: new Date("2026-01-10T13:00:00Z") },
    )
    expect(report).toMatchObject({ is_complete: true, incomplete_because: [] })
    expect(report?.differences.map(({ code }) => code)).toEqual(
      Array(MANY).fill("completed_but_reads_otherwise"),
    )
    const asked = new Map<string, number>()
    for (const path of list.asked) asked.set(path, (asked.get(path) ?? 0) + 1)
    expect(Math.max(...asked.values())).toBeLessThanOrEqual(3)
    expect(list.asked.length).toBeLessThanOrEqual(4 * MANY + 4)
  },
)

it.each(FORMS)(
  "no refund is under the next reference of a payment, where a 404 has %s",
  async (_, gone) => {
    const payments: Payments = { from: 1, until: 2, at: "2026-01-10T12:00:00Z" }
    await harness.ledger.sql("delete from mp_operation")
    await writePayments(harness.ledger, payments)
    list.list(payments, { rows: () => [], gone })
    const row = await findById(harness.deps.database, operationId(1))
    if (!row) throw new Error("the payment was not written")
    const payment = { ...ofMedusa(row), paymentIntentId: 7, credentialId: "mpcred_1" }
    const deps = { ...harness.deps, gatewayOf: () => list.gateway }
    expect(await findLostRefund(deps, { ...payment, credentialId: null })).toBe("none")
    const draft: Operation = { ...payment, type: "REFUND" }
    expect(await askLanded(deps, list.gateway, draft)).toEqual({ kind: "absent" })
  },
)
