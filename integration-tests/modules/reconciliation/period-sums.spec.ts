/**
 * One definition of a day's money: list, figures, bridge and file add up to the same, wherever each
 * payment's money is by now.
 */
import type { FlowDeps } from "../../../src/engine/deps"
import type { Operation } from "../../../src/core/operation"
import { agreementOf } from "../../../src/reconciliation/rules/agreement"
import { readPeriod } from "../../../src/reconciliation/read-period"
import { resolveOperation } from "../../../src/review/resolve"
import type { MoneyFilter } from "../../../src/review/sql/list-filter"
import { totalsOf as listTotalsOf } from "../../../src/review/list-totals"
import { DAY } from "../../support/an-operation"
import { background } from "../../support/background"
import { readPeriodFile } from "../../support/period-file"
import { useReconcileHarness } from "../../support/reconcile-harness"

const { harness, underWay, paid, overpaid, checkAfter, quick, settled } = useReconcileHarness(
  { partialRefunds: "UNCAPPED" },
  { isClockKept: true },
)
const { begin, ended } = background()

async function decided(operation: Operation, action: "accept_asked" | "dismiss"): Promise<void> {
  await resolveOperation(harness.deps, {
    operationId: operation.id,
    action,
    note: "settled at the counter",
    adminId: "user_ada",
  })
}

/** All of it goes straight back, and Medusa has no part in it. */
async function givenBack(): Promise<void> {
  await resolveOperation(quick(), {
    operationId: (await overpaid()).id,
    action: "refund",
    note: "one too many",
    adminId: "user_ada",
    expectedAmount: 20.99,
  })
  await settled()
}

const sumOf = (rows: readonly Record<string, string>[], column: string) =>
  rows.reduce((sum, row) => sum + BigInt((row[column] || "0.00").replace(".", "")), 0n)

async function sumsOf(deps: FlowDeps) {
  const midnight = Math.floor(Date.now() / DAY) * DAY
  const days = { from: new Date(midnight - DAY), until: new Date(midnight + 2 * DAY) }
  await readPeriod(deps, begin, { ...days, accountId: undefined, isFresh: true })
  await ended()
  const answer = await readPeriod(deps, begin, { ...days, accountId: undefined, isFresh: false })
  const [account] = answer.accounts
  const [totals] = account?.totals ?? []
  if (!account || !totals?.bridge) throw new Error("the period was not compared")
  const listed = async (place: MoneyFilter) => {
    const filter = { money: place, createdFrom: days.from, createdTo: days.until }
    const [usd] = (await listTotalsOf(deps.database, filter)) ?? []
    return { count: usd?.payments.count ?? 0, amount: usd?.payments.amount ?? "0.00" }
  }
  const accounts = answer.accounts
  const rows = await readPeriodFile(deps, { ...days, accounts, isDifferencesOnly: false })
  return { answer, account, totals, bridge: totals.bridge, listed, rows }
}

it("a day's money has the same sum in list, figures, bridge and file, wherever it is", async () => {
  await paid()
  const noted = await overpaid()
  await decided(noted, "accept_asked")
  await checkAfter(noted, 0)
  await decided(await overpaid(), "dismiss")
  const waiting = await overpaid()
  await givenBack()
  await underWay()

  const { answer, account, totals, bridge, listed, rows } = await sumsOf(harness.deps)
  const received = { count: 5, amount: "103.95" }
  expect(totals.gateway?.paid).toEqual(received)
  expect(totals.ledger.received).toEqual(received)
  expect(answer.figures.by_currency).toEqual([{ currency: "USD", ...received }])
  expect(await listed("received")).toEqual(received)
  const payments = rows.filter(({ type, gross }) => type === "PAYMENT" && gross !== "")
  expect(payments).toHaveLength(received.count)
  expect(sumOf(payments, "gross")).toBe(10_395n)

  // Each place opens the rows that make it.
  expect(bridge.under_review).toEqual({ count: 1, amount: "20.99" })
  expect(await listed("under_review")).toEqual(bridge.under_review)
  expect(bridge.dismissed).toEqual({ count: 1, amount: "20.99" })
  expect(await listed("dismissed")).toEqual(bridge.dismissed)
  expect(bridge.recorded).toEqual({ count: 2, amount: "40.98" })
  expect(await listed("recorded")).toEqual(bridge.recorded)
  expect(bridge.given_back).toEqual({ count: 1, amount: "20.99" })
  expect(await listed("given_back")).toEqual(bridge.given_back)
  expect(totals.refunds).toMatchObject({
    ledger: { count: 1, amount: "20.99" },
    recorded: { count: 0, amount: "0.00" },
    medusa: { count: 0, amount: "0.00" },
  })
  expect(bridge.remainder).toEqual({ count: 0, amount: "0.00" })
  expect(totals.ledger.recorded).toEqual({ count: 2, amount: "39.98" })

  // A row whose amounts differ says why.
  const cellsOf = ({ id }: Operation) => rows.find(({ operation_id }) => operation_id === id)
  expect(cellsOf(waiting)).toMatchObject({
    gateway_amount: "20.99",
    ledger_amount: "19.99",
    difference: "amount_differs",
  })
  expect(cellsOf(noted)).toMatchObject({
    gateway_amount: "20.99",
    medusa_captured: "19.99",
    difference: "rest_decided",
  })
  expect(rows.find(({ type }) => type === "REFUND")).toMatchObject({
    gross: "-20.99",
    medusa_refunded: "",
    difference: "given_back",
  })
  const { is_green, open } = agreementOf([account])
  expect(is_green).toBe(false)
  expect(open).toContainEqual({
    kind: "waits",
    what: "under_review",
    currency: "USD",
    sum: { count: 1, amount: "20.99" },
    sums: null,
  })
})
