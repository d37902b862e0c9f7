/**
 * What has to be there before an operation can be carried out, made in the simulator through the
 * client.
 */
import type { Simulator } from "../../packages/simulator/src"
import { systemClock, systemIds } from "../../src/core/ports"
import type { CallOptions, Gateway, OperationName, Outcome } from "../../src/gateway"

export type Harness = { readonly gateway: Gateway; readonly simulator: Simulator }
export type Run = (options?: CallOptions) => Promise<Outcome<unknown>>
export type Operation = Exclude<OperationName, "token.obtain">

/** Waits for the handset unless a plan says otherwise. */
export const PHONE = "231770000042"
const PASSCODE = "246810"
export const USD = "USD"
export const price = (major: string) => ({ major, currency: USD }) as const

const inAnHour = () => new Date(systemClock.now().getTime() + 3_600_000)

export function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== "done") throw outcome.error
  return outcome.value
}

export async function partyId({ gateway }: Harness): Promise<number> {
  return valueOf(await gateway.parties.create({ fullname: "Ada", phone: PHONE })).id
}

export async function counterpartyId(harness: Harness): Promise<number> {
  const party = await partyId(harness)
  const request = { relationshipType: "CUSTOMER", partyId: party } as const
  return valueOf(await harness.gateway.counterparties.create(request)).id
}

export type Kind = "invoices" | "orders"

async function draft(harness: Harness, kind: Kind) {
  return valueOf(
    await harness.gateway[kind].create({
      counterpartyId: await counterpartyId(harness),
      currency: USD,
      note: "",
      feeBearer: "PAYEE",
      asPaymentLink: true,
    }),
  )
}

/** A document of 42.50 with one line, still to be changed. */
export async function drafted(harness: Harness, kind: Kind) {
  const document = await draft(harness, kind)
  const line = { name: "T-shirt", qty: 2, amount: price("21.25") }
  const item = valueOf(await harness.gateway[kind].items.add(document.id, line))
  return { ...document, itemId: item.id }
}

export async function published(harness: Harness, kind: Kind) {
  const document = await drafted(harness, kind)
  valueOf(await harness.gateway[kind].publish(document.id))
  return document
}

const sourceTypeOf = (kind: Kind) => (kind === "orders" ? "ORDER" : "INVOICE")

/** All that an execution needs, and the request of it. */
export async function readyToCollect(harness: Harness, kind: Kind = "orders") {
  const { gateway } = harness
  const document = await published(harness, kind)
  const source = { sourceType: sourceTypeOf(kind), sourceId: document.id } as const
  const session = valueOf(await gateway.sessions.checkout(source))
  const detail = valueOf(await gateway[kind].retrieve(document.id))
  const account = valueOf(
    await gateway.paymentAccounts.create({
      accountName: "Ada",
      provider: "MOBILE_MONEY_GATEWAY",
      method: "OPERATOR1_MOMO_LBR",
      partyId: detail.counterparty?.party?.id ?? 0,
      phone: PHONE,
    }),
  )
  const request = {
    sessionId: session.id,
    paymentAccountId: account.id,
    currency: USD,
    referenceId: systemIds.reference(),
  } as const
  return { document, source, request }
}

export async function collected(harness: Harness, kind: Kind = "orders") {
  const ready = await readyToCollect(harness, kind)
  harness.simulator.plan({ outcome: "approve", times: 1 })
  const execution = valueOf(await harness.gateway.executions.collection(ready.request))
  return { ...ready, intentId: execution.paymentIntentId ?? 0 }
}

export async function readyToPayOut(harness: Harness) {
  const account = valueOf(
    await harness.gateway.paymentAccounts.create({
      accountName: "Ada",
      provider: "MOBILE_MONEY_GATEWAY",
      method: "OPERATOR1_MOMO_LBR",
      partyId: await partyId(harness),
      phone: PHONE,
      operationType: "PAYOUT",
    }),
  )
  return { payoutAccountId: account.id, amount: price("10.00") }
}

export async function readyToTransfer(harness: Harness) {
  const wallet = harness.simulator.backOffice.wallets().find(({ currency }) => currency === USD)
  return {
    fromWalletId: wallet?.id ?? 0,
    toCounterpartyId: await counterpartyId(harness),
    amount: price("10.00"),
    expiresAt: inAnHour(),
  }
}

export async function readyToRefund(harness: Harness) {
  const { intentId } = await collected(harness)
  return { originalPaymentIntentId: intentId, amount: price("10.00"), expiresAt: inAnHour() }
}

const passcode = {
  token: { code: PASSCODE },
  device: {
    name: "till",
    type: "SERVER",
    platform: "NODE",
    userAgent: "shop",
    clientIp: "127.0.0.1",
  },
}

/** The request of an execution of money that goes out, its session open. */
export async function readyToExecute(harness: Harness, way: "payout" | "transfer" | "refund") {
  const { sessions } = harness.gateway
  const referenceId = systemIds.reference()
  if (way === "payout") {
    const asked = await readyToPayOut(harness)
    const { id } = valueOf(await sessions.payout(asked))
    return { sessionId: id, payoutAccountId: asked.payoutAccountId, referenceId, passcode }
  }
  const { id } =
    way === "transfer"
      ? valueOf(await sessions.transfer(await readyToTransfer(harness)))
      : valueOf(await sessions.refund(await readyToRefund(harness)))
  return { sessionId: id, referenceId, payoutAccountId: 0, passcode }
}

export async function executed(
  harness: Harness,
  way: "payout" | "transfer" | "refund",
): Promise<string> {
  const request = await readyToExecute(harness, way)
  valueOf(await harness.gateway.executions[way](request))
  return request.referenceId
}
