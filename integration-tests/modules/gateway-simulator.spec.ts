/**
 * How the calls of the gateway client make a payment, against the gateway simulator, which shares
 * no code with it and checks each request against the contract.
 */
import { startSimulator } from "../../packages/simulator/src"
import type { Simulator } from "../../packages/simulator/src"
import { parseCurrency, moneyFromMajor } from "../../src/core/money"
import type { CurrencyCode, Money } from "../../src/core/money"
import { systemClock, systemIds } from "../../src/core/ports"
import { createGateway } from "../../src/gateway"
import type { CheckoutSource, Gateway, Outcome } from "../../src/gateway"

/** Waits for the handset. */
const PHONE = "231770000042"

let simulator: Simulator
let gateway: Gateway

beforeEach(async () => {
  simulator = await startSimulator({ port: 0, seed: "1", isStrict: true })
  gateway = gatewayWith({})
})

afterEach(async () => {
  await gateway.close()
  expect(simulator.contractViolations).toEqual([])
  await simulator.close()
})

describe("a collection from a phone", () => {
  it("goes from the operator's name to a paid source", async () => {
    const operator = valueOf(await gateway.predictions.mmoProviderInfo({ phone: PHONE }))
    const source = await created("ORDER")
    expect(source.total).toEqual(usd("42.50"))
    const session = valueOf(
      await gateway.sessions.checkout({ sourceType: "ORDER", sourceId: source.sourceId }),
    )
    const account = await accountFor(source)
    expect(account.isActive).toBe(true)
    expect(operator.currencies).toContain("USD")
    const referenceId = systemIds.reference()
    const execution = valueOf(
      await gateway.executions.collection({
        sessionId: session.id,
        paymentAccountId: account.id,
        currency: currency("USD"),
        referenceId,
      }),
    )
    expect(["PENDING", "PROCESSING"]).toContain(execution.status)
    simulator.handset.approve(referenceId)

    const collected = valueOf(await gateway.status.collection(referenceId))
    expect(collected).toMatchObject({ referenceId, status: "COMPLETED" })
    expect(collected.paymentIntentId).toEqual(expect.any(Number))
    const paid = valueOf(
      await gateway.status.source({ sourceType: "ORDER", sourceId: source.sourceId }),
    )
    expect(paid).toMatchObject({ status: "PAID", total: usd("42.50") })
  })

  it("[N06] is found by its reference when the answer was lost after the commit", async () => {
    const { execute, referenceId } = await readyToExecute()
    simulator.faults.script("executeCollection", ["reset:after"])
    expect(await execute()).toMatchObject({
      kind: "unknown",
      error: { code: "GATEWAY_INDETERMINATE", reference: referenceId },
    })
    expect(valueOf(await gateway.status.collection(referenceId)).status).toBe("PROCESSING")
    expect(simulator.calls["executeCollection"]).toBe(1)
  })

  it("[N10] is unknown when the answer is cut", async () => {
    const { execute } = await readyToExecute()
    simulator.faults.script("executeCollection", ["cut"])
    expect((await execute()).kind).toBe("unknown")
  })

  it("[N05] whose request never took effect is not known to the gateway", async () => {
    const { execute, referenceId } = await readyToExecute()
    simulator.faults.script("executeCollection", ["500:before"])
    expect((await execute()).kind).toBe("unknown")
    expect(await gateway.status.collection(referenceId)).toMatchObject({
      kind: "refused",
      error: { code: "GATEWAY_NOT_FOUND", reference: referenceId },
    })
  })

  it("[N16] goes on when all tokens are revoked in between", async () => {
    const { execute } = await readyToExecute()
    simulator.revokeTokens()
    expect((await execute()).kind).toBe("done")
    expect(simulator.calls["executeCollection"]).toBe(2)
  })
})

describe.each(["ORDER", "INVOICE"] as const)("an %s", (sourceType) => {
  const acts = () => (sourceType === "ORDER" ? gateway.orders : gateway.invoices)

  it("is published when it starts IDLE", async () => {
    await restart({ newSourceStatus: "IDLE" })
    const source = await created(sourceType)
    expect(source.status).toBe("IDLE")
    expect(valueOf(await acts().publish(source.sourceId)).status).toBe("ACTIVE")
  })

  it("is canceled once; the second time is refused", async () => {
    const source = await created(sourceType)
    expect(valueOf(await acts().cancel(source.sourceId))).toMatchObject({
      id: source.sourceId,
      status: "CANCELED",
      ownerId: expect.any(Number),
    })
    expect((await acts().cancel(source.sourceId)).kind).toBe("refused")
  })

  it("[N19] that does not exist is refused", async () => {
    expect(await acts().cancel(999_999)).toMatchObject({
      kind: "refused",
      error: { code: "GATEWAY_NOT_FOUND" },
    })
  })
})

describe("credentials", () => {
  it("are proven without a call", async () => {
    expect(await gateway.token.check()).toEqual({ kind: "done", value: { expiresInMinutes: 60 } })
  })

  it("[N17] that are wrong send nothing", async () => {
    const stranger = gatewayWith({ clientSecret: "CANARY-wrong" })
    const outcome = await stranger.status.collection(systemIds.reference())
    expect(outcome).toMatchObject({
      kind: "not_sent",
      error: { code: "GATEWAY_UNAUTHENTICATED" },
    })
    expect(stranger.token.failures).toBe(1)
    expect(simulator.calls["getCollectionStatus"]).toBeUndefined()
    expect(JSON.stringify(outcome)).not.toContain("CANARY")
    await stranger.close()
  })
})

function gatewayWith(change: { clientSecret?: string }): Gateway {
  return createGateway({
    baseUrl: simulator.url,
    clientId: "simulator-client",
    clientSecret: "simulator-secret",
    ...change,
  })
}

async function restart(options: Parameters<typeof startSimulator>[0]): Promise<void> {
  await gateway.close()
  await simulator.close()
  simulator = await startSimulator({ port: 0, seed: "1", isStrict: true, ...options })
  gateway = gatewayWith({})
}

async function created(sourceType: "ORDER" | "INVOICE"): Promise<CheckoutSource> {
  const expiresAt = new Date(systemClock.now().getTime() + 30 * 60_000)
  return valueOf(
    await gateway.checkouts.create({
      mode: "HOSTED",
      sourceType,
      partyPhone: PHONE,
      partyName: "Ada",
      partyRelationship: "CUSTOMER",
      currency: currency("USD"),
      items: [
        { name: "T-shirt × 2", amount: usd("39.98") },
        { name: "Shipping", amount: usd("2.52") },
      ],
      referenceId: "cart_1",
      dueDate: expiresAt,
      successUrl: "https://shop.example/paid",
      cancelUrl: "https://shop.example/cart",
      expiresAt,
    }),
  )
}

async function accountFor(source: CheckoutSource) {
  const operator = valueOf(await gateway.predictions.mmoProviderInfo({ phone: PHONE }))
  return valueOf(
    await gateway.paymentAccounts.create({
      accountName: "Ada",
      provider: operator.provider,
      method: operator.paymentMethod,
      partyId: source.partyId,
      phone: PHONE,
    }),
  )
}

async function readyToExecute() {
  const source = await created("ORDER")
  const [session, account] = await Promise.all([
    gateway.sessions.checkout({ sourceType: "ORDER", sourceId: source.sourceId }),
    accountFor(source),
  ])
  const referenceId = systemIds.reference()
  const request = {
    sessionId: valueOf(session).id,
    paymentAccountId: account.id,
    currency: currency("USD"),
    referenceId,
  }
  return { referenceId, execute: () => gateway.executions.collection(request) }
}

function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== "done") throw outcome.error
  return outcome.value
}

function currency(code: string): CurrencyCode {
  const parsed = parseCurrency(code)
  if (!parsed) throw new Error(`${code} is no currency`)
  return parsed
}

function usd(amount: string): Money {
  const parsed = moneyFromMajor(amount, currency("USD"))
  if (!parsed) throw new Error(`${amount} is no amount`)
  return parsed
}
