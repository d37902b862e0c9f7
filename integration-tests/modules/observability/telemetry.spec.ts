/**
 * The spans and metrics of payments and refunds that a shop's OpenTelemetry SDK gets, over a real
 * ledger and the simulator. Without an SDK the same flows leave only a stored trace id.
 */
import { takeStream } from "../../../src/api/event-stream"
import { startPayment } from "../../../src/checkout/start-payment"
import type { MedusaOperation, Operation } from "../../../src/core/operation"
import type { LogFields } from "../../../src/core/ports"
import type { FlowDeps } from "../../../src/engine/deps"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import type { Database } from "../../../src/ledger/database"
import { readEnvironment } from "../../../src/medusa/environment"
import { accountClients } from "../../../src/medusa/wiring/account-clients"
import { fieldLogger } from "../../../src/medusa/wiring/field-logger"
import { beginTrouble } from "../../../src/notifications/sql/trouble"
import { requestPayout } from "../../../src/payouts/request-payout"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { add, METRICS, showMoney } from "../../../src/telemetry/metrics"
import { observeStore } from "../../../src/telemetry/store-gauges"
import { openStreams } from "../../../src/telemetry/streams"
import { beat } from "../../../src/worker/beat"
import { checkDueOperations, checkNow } from "../../../src/worker/check-due-operations"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { PHONE } from "../../support/flows-harness"
import { letMoneyOut, PASSCODE, payoutOf } from "../../support/payouts-harness"
import { startTelemetry, type Telemetry } from "../../support/telemetry"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ partialRefunds: "UNCAPPED", passcode: PASSCODE })

let telemetry: Telemetry
let deps: FlowDeps
let statements = 0
const lines: LogFields[] = []
const written = (_level: unknown, line: unknown) => void lines.push(line as LogFields)
const unused = () => undefined

/** What a process of the store has: its clients, its logger, and the gauges. */
beforeAll(async () => {
  const environment = readEnvironment(
    {
      MERCHANT_PAYMENTS_BASE_URL: harness.simulator.url,
      MERCHANT_PAYMENTS_CLIENT_ID: "simulator-client",
      MERCHANT_PAYMENTS_CLIENT_SECRET: "simulator-secret",
    },
    { account: { currencies: ["USD"] } },
  )
  const { clock, box } = harness.deps
  const store = { log: written, debug: unused, info: unused, warn: unused, error: unused }
  const logger = fieldLogger(store, true)
  const database: Database = {
    query: (...given) => {
      statements += 1
      return harness.ledger.database.query(...given)
    },
  }
  if (environment.account) await saveAccount(database, environment.account)
  const clients = accountClients({ database, environment, box, logger, clock })
  deps = { ...harness.deps, ...clients, database, logger }
})

const rowsOf = (sql: string) => harness.ledger.sql(sql)

async function start(): Promise<MedusaOperation> {
  const { collectionId, sessionId } = harness.cart()
  await startPayment(deps, { sessionId, phone: PHONE })
  return harness.shown(collectionId)
}

async function check({ id }: Operation): Promise<void> {
  await harness.pass(id, 3 * SECOND)
  await checkNow(deps, id)
}

async function paid(): Promise<Operation> {
  const operation = await start()
  harness.simulator.handset.approve(operation.reference ?? "")
  await check(operation)
  return harness.shown(operation.paymentCollectionId)
}

describe("without an SDK", () => {
  it("a payment is paid, and keeps a trace id for its log lines", async () => {
    const operation = await paid()
    expect(operation.recordedAt).not.toBeNull()
    expect(operation.traceParent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  })
})

describe("with the shop's SDK", () => {
  let payment: Operation
  let closeStream: () => void
  let endGauges: () => void

  beforeAll(async () => {
    harness.simulator.faults.clear()
    telemetry = startTelemetry()
    // Not counted: no store has asked for sums of money yet.
    add("merchant_payments.money", 7, {
      "payment.type": "COLLECTION",
      "payment.currency": "USD",
    })
    showMoney(true)
    const streams = () => openStreams(deps)
    const observed = { database: deps.database, leases: () => 2, streams }
    endGauges = observeStore(() => observed)
    closeStream = takeStream(deps, "payses_stream", "network")
    payment = await paid()
    await refund(payment)
    await declined()
    await paused()
    const { sessionId } = harness.cart()
    expect(await codeOf(startPayment(deps, { sessionId, phone: "12" }))).toBe("invalid_phone")
    expect(await codeOf(requestPayout(deps, payoutOf()))).toBe("money_out_off")
    await letMoneyOut(harness.ledger)
    await requestPayout(deps, payoutOf())
    await inReview(await start())
    await beginTrouble(deps.database, "operator:LIBERIA_OPERATOR_A")
    await beat(deps)
    await checkDueOperations(deps, { atMost: 50 })
  })

  afterAll(async () => {
    closeStream()
    endGauges()
    await telemetry.stop()
  })

  async function refund({ id }: Operation): Promise<void> {
    await sendRefund(deps, {
      operationId: id,
      medusaAmount: "19.99",
      capturedAmount: "19.99",
      medusaRefundId: null,
      askedBy: "medusa",
      code: "refund_by_medusa",
      isWaitedFor: false,
    })
    harness.later(10 * SECOND)
    for (const one of await findRefundsOf(deps.database, id)) await check(one)
    harness.presently()
  }

  async function declined(): Promise<void> {
    const operation = await start()
    harness.simulator.handset.decline(operation.reference ?? "")
    await check(operation)
    await check(operation)
  }

  async function paused(): Promise<void> {
    const operation = await start()
    harness.simulator.faults.script("getCollectionStatus", ["429:3600"])
    await check(operation)
    harness.simulator.faults.clear()
    await rowsOf("update mp_account set checks_paused_until = now() + interval '1 hour'")
  }

  const inReview = ({ id }: Operation) =>
    rowsOf(
      `update mp_operation set state = 'review', reason = 'late_payment', next_check_at = null,
              collected_minor = amount_minor, lease_token = null, lease_until = null
        where id = '${id}'`,
    )

  it("[D13] no sum of money is a metric until the store says so", async () => {
    showMoney(false)
    const names = [...(await telemetry.collect())].flatMap(([name, { dataPoints }]) =>
      dataPoints.length > 0 ? [name] : [],
    )
    expect(names).toContain("merchant_payments.review")
    expect(names).not.toContain("merchant_payments.review.money")
    showMoney(true)
  })

  it("every metric is written, and no other", async () => {
    const metrics = await telemetry.collect()
    const empty = [...metrics].filter(([, { dataPoints }]) => dataPoints.length === 0)
    expect(empty.map(([name]) => name)).toEqual([])
    expect([...metrics.keys()].sort()).toEqual(Object.keys(METRICS).sort())
  })

  it("the metrics' values are those of the ledger", async () => {
    const metrics = await telemetry.collect()
    const valueOf = (name: keyof typeof METRICS, given: object = {}) =>
      metrics
        .get(name)
        ?.dataPoints.filter(({ attributes }) =>
          Object.entries(given).every(([key, value]) => attributes[key] === value),
        )
        .reduce((sum, { value }) => sum + (typeof value === "number" ? value : value.count), 0)
    const completed = { "payment.state": "completed" }
    expect(valueOf("merchant_payments.operations", completed)).toBe(2)
    const usd = { "payment.currency": "USD" }
    const given = { ...usd, "payment.type": "COLLECTION" }
    expect(valueOf("merchant_payments.money", given)).toBeCloseTo(19.99)
    expect(valueOf("merchant_payments.review.money", usd)).toBeCloseTo(19.99)
    expect(valueOf("merchant_payments.confirm.seconds")).toBe(1)
    expect(valueOf("merchant_payments.gateway.rate_limited")).toBe(1)
    expect(valueOf("merchant_payments.pauses")).toBe(1)
    expect(valueOf("merchant_payments.accounts.paused")).toBe(1)
    expect(valueOf("merchant_payments.starts", { "error.type": "invalid_phone" })).toBe(1)
    expect(valueOf("merchant_payments.leases")).toBe(2)
    expect(valueOf("merchant_payments.streams")).toBe(1)
    expect(valueOf("merchant_payments.workers")).toBe(1)
    expect(valueOf("merchant_payments.methods.disrupted")).toBe(1)
  })

  it("the gauges cost one statement for each collection", async () => {
    const before = statements
    await telemetry.collect()
    expect(statements - before).toBe(1)
  })

  it("the gauges of the process are written while the database is away", async () => {
    const query = jest.spyOn(harness.ledger.database, "query").mockRejectedValue(new Error("away"))
    const metrics = await telemetry.collect()
    query.mockRestore()
    const [up] = metrics.get("merchant_payments.database")?.dataPoints ?? []
    const [leases] = metrics.get("merchant_payments.leases")?.dataPoints ?? []
    expect([up?.value, leases?.value]).toEqual([0, 2])
  })

  it("each check is linked to the start of its payment", async () => {
    const spans = telemetry.spans()
    const [, trace = "", span = ""] = (payment.traceParent ?? "").split("-")
    const started = spans.find((one) => one.spanContext().spanId === span)
    expect(started).toMatchObject({ name: "start payment" })
    const linked = spans.filter(({ links }) =>
      links.some(({ context }) => context.traceId === trace && context.spanId === span),
    )
    expect(linked.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["check merchant_payments.due", "settle payment"]),
    )
    expect(linked.every((one) => one.spanContext().traceId !== trace)).toBe(true)
  })

  it("a gateway call is a client span below the work that made it", () => {
    const spans = telemetry.spans()
    const call = spans.find(({ attributes }) => attributes["gateway.call"] === "status.collection")
    expect(call?.attributes).toMatchObject({
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "server.address": "localhost",
    })
    const above = spans.find((one) => one.spanContext().spanId === call?.parentSpanContext?.spanId)
    expect(above?.name).toBe("check merchant_payments.due")
    const names = new Set(spans.map(({ name }) => name))
    const begun = ["start payment", "send refund", "send payout"]
    expect([...names]).toEqual(expect.arrayContaining(begun))
  })

  it("a payout's calls are below its span, which has its outcome", () => {
    const spans = telemetry.spans()
    const [refused, sent] = spans.filter(({ name }) => name === "send payout")
    expect(refused?.attributes).toMatchObject({
      "payment.outcome": "refused",
      "error.type": "money_out_off",
    })
    expect(sent?.attributes).not.toHaveProperty("error.type")
    const below = spans.filter(
      ({ parentSpanContext }) => parentSpanContext?.spanId === sent?.spanContext().spanId,
    )
    expect(below.map(({ attributes }) => attributes["gateway.call"])).toContain("executions.payout")
  })

  it("[S05] no attribute has an id, a phone number or an amount", async () => {
    const rows = await rowsOf("select * from mp_operation")
    const columns = Object.keys(rows[0] ?? {})
    const ids = columns.filter((name) => /(^|_)id$|reference|token|trace_parent/.test(name))
    const amounts = columns.filter((name) => /amount|minor/.test(name))
    const of = (names: readonly string[]) =>
      rows.flatMap((row) => names.flatMap((name) => (row[name] ? [String(row[name])] : [])))
    const providers = new Set(rows.map((row) => String(row["provider_id"])))
    const secret = [...of(ids), PHONE.slice(1), PHONE.slice(-9)].filter(
      (one) => one.length > 4 && !providers.has(one),
    )
    const sums = new Set([...of(amounts), "19.99"])
    const attributes = await telemetry.told()
    expect(attributes.length).toBeGreaterThan(100)
    const found = attributes.filter(({ name, value }) => {
      const text = String(value)
      const isStatus = name === "http.response.status_code"
      return (
        secret.some((one) => text.includes(one)) ||
        (!isStatus && sums.has(text)) ||
        (!isStatus && name !== "url.template" && /\d{5}/.test(text))
      )
    })
    expect(found).toEqual([])
  })

  it("a log line of a later check carries the id of the start, the operation and the account", async () => {
    const operation = await start()
    lines.length = 0
    harness.simulator.faults.script("getCollectionStatus", ["shape"])
    await check(operation)
    const [, trace] = (operation.traceParent ?? "").split("-")
    expect(lines).toContainEqual(
      expect.objectContaining({
        correlation: trace,
        operation: operation.id,
        account: "mpacc_env",
        message: expect.stringContaining("merchant payments: "),
      }),
    )
  })
})
