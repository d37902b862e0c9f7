/** What an operator accepts for one payment: learned, shown in a quote, dropped when disproved. */
import { predictQuote } from "../../../src/checkout/offer/predict-quote"
import { startPayment } from "../../../src/checkout/start-payment"
import { moneyFromMajor, parseCurrency } from "../../../src/core/money"
import type { FlowDeps } from "../../../src/engine/deps"
import { Invalid, type Execution, type Failure, type Gateway } from "../../../src/gateway"
import type { Database } from "../../../src/ledger/database"
import { findOperatorLimit, keepOperatorLimit } from "../../../src/ledger/limits/operator-limits"
import { checkNow } from "../../../src/worker/check-due-operations"
import { SECOND } from "../../support/an-operation"
import { freshPhone } from "../../support/production-limits"
import { useFlowsHarness } from "../../support/use-flows-harness"
import { said } from "../../support/said"

const harness = useFlowsHarness()

const METHOD = "OPERATOR1_MOMO_LBR"
const LIMIT = { accountId: "mpacc_env", paymentMethod: METHOD, currency: "USD" }

beforeEach(() => harness.ledger.sql("delete from mp_operator_limit"))

const kept = () => findOperatorLimit(harness.ledger.database, LIMIT)
/** As if it had been said so many days ago. */
async function keep(limit: { least?: string; most?: string }, daysAgo = 1): Promise<void> {
  await keepOperatorLimit(harness.ledger.database, LIMIT, limit)
  await harness.ledger.sql(
    "update mp_operator_limit set learned_at = now() - $1 * interval '1 day'",
    [daysAgo],
  )
}

async function quote(deps: FlowDeps = harness.deps) {
  const [account] = await deps.accounts()
  const currency = parseCurrency("USD")
  const amount = currency && moneyFromMajor("19.99", currency)
  if (!amount) throw new Error("no amount")
  return predictQuote(deps, account, { amount, paymentMethod: METHOD })
}

const over = (gateway: Gateway): FlowDeps => ({ ...harness.deps, gatewayOf: () => gateway })

async function started(deps: FlowDeps = harness.deps) {
  const { collectionId, sessionId } = harness.cart()
  await startPayment(deps, { sessionId, phone: freshPhone() })
  return harness.shown(collectionId)
}

async function found(deps: FlowDeps, { id }: { readonly id: string }, collectionId: string) {
  for (let checks = 0; checks < 2; checks++) {
    await harness.pass(id, 6 * SECOND)
    await checkNow(deps, id)
  }
  return harness.shown(collectionId)
}

/** A gateway whose answers about a collection have these fields. */
const saying = (fields: Partial<Execution>): Gateway => ({
  ...harness.gateway,
  status: {
    ...harness.gateway.status,
    collection: async (reference, options) => {
      const outcome = await harness.gateway.status.collection(reference, options)
      if (outcome.kind !== "done") return outcome
      return { kind: "done", value: { ...outcome.value, ...fields } }
    },
  },
})

function refusing(detail: string): Gateway {
  const facts = { operation: "executions.collection", reason: "status", status: 422 } as const
  const failure: Failure = { kind: "refused", error: new Invalid("", { ...facts, detail }) }
  const { executions } = harness.gateway
  return {
    ...harness.gateway,
    executions: { ...executions, collection: () => Promise.resolve(failure) },
  }
}

it("a quote shows an operator's limit for a month, and no payment is refused because of it", async () => {
  expect(await quote()).toMatchObject({ least: null, most: null })
  await keep({ least: "0.5", most: "10" }, 29)
  expect(await quote()).toMatchObject({ payer_amount: 19.99, least: 0.5, most: 10 })
  expect(await started()).toMatchObject({ state: "in_flight" })
  await keep({}, 31)
  expect(await quote()).toMatchObject({ least: null, most: null })
})

it("a quote is answered without the limit when that can't be read", async () => {
  const { database } = harness.ledger
  const broken: Database = {
    ...database,
    query: (sql, parameters) =>
      sql.includes("mp_operator_limit")
        ? Promise.reject(new Error("down"))
        : database.query(sql, parameters),
  }
  const deps = { ...harness.deps, database: broken }
  expect(await quote(deps)).toMatchObject({ payer_amount: 19.99, least: null, most: null })
})

it.each([
  ["Minimum amount is 50.00 USD", "limit", { least: "50", most: null }],
  ["amount: not allowed", "declined", undefined],
  ["There is a pending transaction on this account", "other_payment_waits", undefined],
  ["String should have at least 8 characters", "unknown", undefined],
])("an execution that is refused with %j ends as %s", async (detail, reason, limit) => {
  const deps = over(refusing(detail))
  const operation = await started(deps)
  const ended = await found(deps, operation, operation.paymentCollectionId)
  expect(ended).toMatchObject({ state: "expired", reason })
  expect(await kept()).toEqual(limit)
})

it.each([
  ["Maximum amount is 10 USD", "limit", { least: null, most: "10" }],
  ["Wrong PIN, at most 3", "wrong_pin", undefined],
  ["Another payment is in progress", "other_payment_waits", undefined],
])(
  "an execution that fails with %j ends as %s, and its limit is kept",
  async (gatewayMessage, reason, limit) => {
    const operation = await started()
    harness.simulator.handset.decline(operation.reference ?? "")
    const deps = over(saying({ gatewayMessage: said(gatewayMessage), walletMessage: undefined }))
    const ended = await found(deps, operation, operation.paymentCollectionId)
    expect(ended).toMatchObject({ state: "failed", reason })
    expect(await kept()).toEqual(limit)
  },
)

describe("a payment of 19.99 that is completed", () => {
  async function completed(): Promise<void> {
    const operation = await started()
    harness.simulator.handset.approve(operation.reference ?? "")
    await checkNow(harness.deps, operation.id)
    const { state } = await harness.shown(operation.paymentCollectionId)
    expect(state).toBe("completed")
  }

  it.each([
    [
      { least: "5", most: "10" },
      { least: "5", most: null },
    ],
    [
      { least: "20", most: "100" },
      { least: null, most: "100" },
    ],
    [
      { least: "19.99", most: "19.99" },
      { least: "19.99", most: "19.99" },
    ],
  ])("turns the limits %j into %j", async (before, after) => {
    await keep(before)
    await completed()
    expect(await kept()).toEqual(after)
  })

  it("doesn't disprove a limit that was learned after it was asked for", async () => {
    await keep({ most: "10" }, -1)
    await completed()
    expect(await kept()).toEqual({ least: null, most: "10" })
  })
})
