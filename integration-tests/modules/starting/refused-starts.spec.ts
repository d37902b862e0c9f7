/** Starts that the gateway refuses: what is used anyway, what the shopper reads, what is counted. */
import { startPayment } from "../../../src/checkout/start-payment"
import { Invalid, RateLimited, Unavailable, type Failure, type Gateway } from "../../../src/gateway"
import type { FlowDeps, ShopperAsk } from "../../../src/engine/deps"
import type { Refusal } from "../../../src/core/refusal"
import { findOperatorLimit } from "../../../src/ledger/limits/operator-limits"
import { freshPhone } from "../../support/production-limits"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()

type Existing = { readonly paymentAccountId: number; readonly partyId?: number }

function refused(detail: string, existing?: Existing): Failure {
  const facts = { operation: "paymentAccounts.create", reason: "status", status: 422 } as const
  const fields = [{ path: "insensitive_account_number", message: detail }]
  return { kind: "refused", error: new Invalid("", { ...facts, fields, existing }) }
}

const down: Failure = {
  kind: "unknown",
  error: new Unavailable("", { operation: "predictions.mmoProviderInfo", reason: "deadline" }),
}

const tooOften: Failure = {
  kind: "refused",
  error: new RateLimited("", {
    operation: "predictions.mmoProviderInfo",
    reason: "status",
    status: 429,
    retryAfterMs: 30_000,
  }),
}

const withAccounts = (answer: () => Failure): Gateway => ({
  ...harness.gateway,
  paymentAccounts: { create: async () => answer() },
})

const withoutOperators = (answer: Failure): Gateway => ({
  ...harness.gateway,
  predictions: { ...harness.gateway.predictions, mmoProviderInfo: async () => answer },
})

const over = (gateway: Gateway): FlowDeps => ({ ...harness.deps, gatewayOf: () => gateway })

const start = (deps: FlowDeps, phone: string, paymentMethod?: string) =>
  startPayment(deps, { sessionId: harness.cart().sessionId, phone, paymentMethod }).then(
    ({ state }) => state as string,
    ({ key }: Refusal) => key as string,
  )

const executions = () => harness.simulator.book.executions()

async function endOthers(): Promise<void> {
  await harness.ledger.sql("update mp_operation set state = 'expired', next_check_at = null")
}

describe("a wallet that the gateway already has", () => {
  it("is charged again through the payment account of the first time", async () => {
    const phone = freshPhone()
    expect(await start(harness.deps, phone)).toBe("waiting_for_payer")
    const first = executions().at(-1)
    await endOthers()
    const deps = over(withAccounts(() => refused("This number is already registered")))
    expect(await start(deps, phone)).toBe("waiting_for_payer")
    expect(executions().at(-1)).not.toBe(first)
    expect(executions().at(-1)?.accountId).toBe(first?.accountId)
  })

  it("is never used for another number", async () => {
    await start(harness.deps, freshPhone())
    const before = executions().length
    const deps = over(withAccounts(() => refused("This number is already registered")))
    expect(await start(deps, freshPhone())).toBe("gateway_refused.number_known")
    expect(executions()).toHaveLength(before)
  })

  it("is the one that the refusal names, if that is of the same party", async () => {
    const phone = freshPhone()
    await start(harness.deps, phone)
    const [kept] = await harness.ledger.sql(
      "select party_id, payment_accounts from mp_payer order by created_at desc limit 1",
    )
    const [id = 0] = Object.values(kept?.["payment_accounts"] as Record<string, number>)
    const partyId = Number(kept?.["party_id"])
    await harness.ledger.sql("delete from mp_payer")
    await endOthers()
    const named = (of: number) =>
      over(withAccounts(() => refused("already registered", { paymentAccountId: id, partyId: of })))
    expect(await start(named(partyId + 1), phone)).toBe("gateway_refused.number_known")
    expect(await start(named(partyId), phone)).toBe("waiting_for_payer")
  })
})

describe("a shopper who names the operator", () => {
  it.each<[string, Failure]>([
    ["knows none", refused("No mobile money operator serves this number")],
    ["is down", down],
    ["is asked too often", tooOften],
  ])("is believed when the gateway %s", async (_name, answer) => {
    const deps = over(withoutOperators(answer))
    expect(await start(deps, freshPhone(), "OPERATOR2_MONEY_LBR")).toBe("waiting_for_payer")
    expect(executions().at(-1)).toMatchObject({ method: "OPERATOR2_MONEY_LBR" })
    expect(await start(deps, freshPhone())).not.toBe("waiting_for_payer")
    expect(await start(deps, freshPhone(), "NO_SUCH_METHOD")).not.toBe("waiting_for_payer")
  })
})

it("a shopper whose number the gateway can't look up is asked to name the operator", async () => {
  expect(await start(over(withoutOperators(down)), freshPhone())).toBe(
    "gateway_unavailable.operator",
  )
})

it.each([null, "PAYER"])(
  "[N01] a gateway that answers nothing is said to be down, not to lack the operator (fee bearer %s)",
  async (bearer) => {
    await harness.ledger.sql("update mp_account set fee_bearer = $1", [bearer])
    const nothing: Record<string, unknown> = { create: () => Promise.resolve(down) }
    const deps = over({
      ...withoutOperators(down),
      checkouts: nothing as Gateway["checkouts"],
      orders: { ...harness.gateway.orders, ...nothing },
      parties: { ...harness.gateway.parties, ...nothing },
    })
    expect(await start(deps, freshPhone())).toBe("gateway_unavailable")
    await harness.ledger.sql("update mp_account set fee_bearer = null")
  },
)

it("a start that is refused for good isn't counted for the phone", async () => {
  const given: ShopperAsk[] = []
  const shopperLimit = {
    take: () => Promise.resolve(0),
    uncount: async (ask: ShopperAsk) => void given.push(ask),
  }
  const phone = freshPhone()
  const deps = { ...over(withAccounts(() => refused("odd number"))), shopperLimit }
  expect(await start(deps, phone)).toBe("invalid_phone")
  expect(given).toEqual([{ counted: { phone: phone.slice(1) } }])
  given.length = 0
  expect(await start({ ...harness.deps, shopperLimit }, phone)).toBe("waiting_for_payer")
  expect(given).toEqual([])
})

it("a start with a refused amount is answered with too_small, and the limit is kept", async () => {
  const deps = over(withAccounts(() => refused("Minimum amount is 50.00 USD")))
  expect(await start(deps, freshPhone())).toBe("gateway_refused.too_small")
  const [account] = await harness.deps.accounts()
  const of = { accountId: account?.id ?? "", paymentMethod: "OPERATOR1_MOMO_LBR", currency: "USD" }
  const limit = await findOperatorLimit(harness.deps.database, of)
  expect(limit).toEqual({ least: "50", most: null })
})

describe("a second cart of a phone whose prompt is out", () => {
  it("is refused as payment_in_progress, by the gateway's words or by the ledger", async () => {
    const phone = freshPhone()
    await start(harness.deps, phone)
    const odd: Failure = {
      kind: "refused",
      error: new Invalid("", {
        operation: "paymentAccounts.create",
        reason: "status",
        status: 403,
        detail: "refused",
      }),
    }
    const byLedger = over(withAccounts(() => odd))
    expect(await start(byLedger, phone)).toBe("payment_in_progress.phone")
    expect(await start(byLedger, freshPhone())).toBe("gateway_refused.shopper")
    const byWords = over(withAccounts(() => refused("There is a pending transaction")))
    expect(await start(byWords, freshPhone())).toBe("payment_in_progress.phone")
  })
})
