/**
 * For every operation of the client a call that the simulator carries out, with all that has to be there
 * before it: a party for a counterparty, money for a refund. Made through the client itself.
 */
import type { Simulator } from "../../simulator"
import { systemClock, systemIds } from "../../src/core/ports"
import type { CallOptions, Gateway, OperationName, Outcome } from "../../src/gateway"

export type World = { readonly gateway: Gateway; readonly simulator: Simulator }
export type Run = (options?: CallOptions) => Promise<Outcome<unknown>>
export type Operation = Exclude<OperationName, "token.obtain">

/** Waits for the handset unless a plan says otherwise. */
export const PHONE = "231770000042"
const PASSCODE = "246810"
const USD = "USD"
const price = (major: string) => ({ major, currency: USD }) as const

export const inAnHour = () => new Date(systemClock.now().getTime() + 3_600_000)

export function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== "done") throw outcome.error
  return outcome.value
}

export async function partyId({ gateway }: World): Promise<number> {
  return valueOf(await gateway.parties.create({ fullname: "Ada", phone: PHONE })).id
}

export async function counterpartyId(world: World): Promise<number> {
  const party = await partyId(world)
  const request = { relationshipType: "CUSTOMER", partyId: party } as const
  return valueOf(await world.gateway.counterparties.create(request)).id
}

type Kind = "invoices" | "orders"

async function draft(world: World, kind: Kind) {
  return valueOf(
    await world.gateway[kind].create({
      counterpartyId: await counterpartyId(world),
      currency: USD,
      note: "",
      feeBearer: "PAYEE",
      asPaymentLink: true,
    }),
  )
}

/** A document of 42.50 with one line, still to be changed. */
export async function drafted(world: World, kind: Kind) {
  const document = await draft(world, kind)
  const line = { name: "T-shirt", qty: 2, amount: price("21.25") }
  const item = valueOf(await world.gateway[kind].items.add(document.id, line))
  return { ...document, itemId: item.id }
}

export async function published(world: World, kind: Kind) {
  const document = await drafted(world, kind)
  valueOf(await world.gateway[kind].publish(document.id))
  return document
}

const sourceTypeOf = (kind: Kind) => (kind === "orders" ? "ORDER" : "INVOICE")

/** All that an execution needs, and the request of it. */
export async function readyToCollect(world: World, kind: Kind = "orders") {
  const { gateway } = world
  const document = await published(world, kind)
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

export async function collected(world: World, kind: Kind = "orders") {
  const ready = await readyToCollect(world, kind)
  world.simulator.plan({ outcome: "approve", times: 1 })
  const execution = valueOf(await world.gateway.executions.collection(ready.request))
  return { ...ready, intentId: execution.paymentIntentId ?? 0 }
}

export async function readyToPayOut(world: World) {
  const account = valueOf(
    await world.gateway.paymentAccounts.create({
      accountName: "Ada",
      provider: "MOBILE_MONEY_GATEWAY",
      method: "OPERATOR1_MOMO_LBR",
      partyId: await partyId(world),
      phone: PHONE,
      operationType: "PAYOUT",
    }),
  )
  return { payoutAccountId: account.id, amount: price("10.00") }
}

async function readyToTransfer(world: World) {
  const wallet = world.simulator.backOffice.wallets().find(({ currency }) => currency === USD)
  return {
    fromWalletId: wallet?.id ?? 0,
    toCounterpartyId: await counterpartyId(world),
    amount: price("10.00"),
    expiresAt: inAnHour(),
  }
}

async function readyToRefund(world: World) {
  const { intentId } = await collected(world)
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
export async function readyToExecute(world: World, way: "payout" | "transfer" | "refund") {
  const { sessions } = world.gateway
  const referenceId = systemIds.reference()
  if (way === "payout") {
    const asked = await readyToPayOut(world)
    const { id } = valueOf(await sessions.payout(asked))
    return { sessionId: id, payoutAccountId: asked.payoutAccountId, referenceId, passcode }
  }
  const { id } =
    way === "transfer"
      ? valueOf(await sessions.transfer(await readyToTransfer(world)))
      : valueOf(await sessions.refund(await readyToRefund(world)))
  return { sessionId: id, referenceId, payoutAccountId: 0, passcode }
}

async function executed(world: World, way: "payout" | "transfer" | "refund"): Promise<string> {
  const request = await readyToExecute(world, way)
  valueOf(await world.gateway.executions[way](request))
  return request.referenceId
}

/** Prepares, and returns the call. */
export const SCENES: Readonly<Record<Operation, (world: World) => Promise<Run>>> = {
  "parties.create": ({ gateway }) =>
    ready((how) => gateway.parties.create({ fullname: "Ada", phone: PHONE }, how)),
  "parties.list": async (world) => {
    await partyId(world)
    return (how) => world.gateway.parties.list({}, how)
  },
  "parties.retrieve": async (world) => {
    const id = await partyId(world)
    return (how) => world.gateway.parties.retrieve(id, how)
  },
  "counterparties.create": async (world) => {
    const party = await partyId(world)
    const request = { relationshipType: "CUSTOMER", partyId: party } as const
    return (how) => world.gateway.counterparties.create(request, how)
  },
  "counterparties.list": async (world) => {
    await counterpartyId(world)
    return (how) => world.gateway.counterparties.list({ relationshipType: "CUSTOMER" }, how)
  },
  "counterparties.retrieve": async (world) => {
    const id = await counterpartyId(world)
    return (how) => world.gateway.counterparties.retrieve(id, how)
  },
  "counterparties.update": async (world) => {
    const id = await counterpartyId(world)
    return (how) => world.gateway.counterparties.update(id, { relationshipType: "PARTNER" }, how)
  },
  ...documentScenes("invoices"),
  ...documentScenes("orders"),

  "checkouts.create": ({ gateway }) =>
    ready((how) =>
      gateway.checkouts.create(
        {
          mode: "HOSTED",
          sourceType: "ORDER",
          partyPhone: PHONE,
          currency: USD,
          items: [{ name: "T-shirt × 2", amount: price("42.50") }],
        },
        how,
      ),
    ),
  "sessions.checkout": async (world) => {
    const { id } = await published(world, "orders")
    const source = { sourceType: "ORDER", sourceId: id } as const
    return (how) => world.gateway.sessions.checkout(source, how)
  },
  "sessions.payout": async (world) => {
    const request = await readyToPayOut(world)
    return (how) => world.gateway.sessions.payout(request, how)
  },
  "sessions.transfer": async (world) => {
    const request = await readyToTransfer(world)
    return (how) => world.gateway.sessions.transfer(request, how)
  },
  "sessions.refund": async (world) => {
    const request = await readyToRefund(world)
    return (how) => world.gateway.sessions.refund(request, how)
  },
  "executions.collection": async (world) => {
    const { request } = await readyToCollect(world)
    return (how) => world.gateway.executions.collection(request, how)
  },
  "executions.payout": async (world) => {
    const request = await readyToExecute(world, "payout")
    return (how) => world.gateway.executions.payout(request, how)
  },
  "executions.transfer": async (world) => {
    const request = await readyToExecute(world, "transfer")
    return (how) => world.gateway.executions.transfer(request, how)
  },
  "executions.refund": async (world) => {
    const request = await readyToExecute(world, "refund")
    return (how) => world.gateway.executions.refund(request, how)
  },
  "status.collection": async (world) => {
    const { request } = await collected(world)
    return (how) => world.gateway.status.collection(request.referenceId, how)
  },
  "status.payout": async (world) => {
    const reference = await executed(world, "payout")
    return (how) => world.gateway.status.payout(reference, how)
  },
  "status.transfer": async (world) => {
    const reference = await executed(world, "transfer")
    return (how) => world.gateway.status.transfer(reference, how)
  },
  "status.refund": async (world) => {
    const reference = await executed(world, "refund")
    return (how) => world.gateway.status.refund(reference, how)
  },
  "status.source": async (world) => {
    const { source } = await collected(world)
    return (how) => world.gateway.status.source(source, how)
  },

  "paymentAccounts.create": async (world) => {
    const party = await partyId(world)
    const request = {
      accountName: "Ada",
      provider: "MOBILE_MONEY_GATEWAY",
      method: "OPERATOR1_MOMO_LBR",
      partyId: party,
      phone: PHONE,
    }
    return (how) => world.gateway.paymentAccounts.create(request, how)
  },
  "predictions.amountAndFees": ({ gateway }) =>
    ready((how) =>
      gateway.predictions.amountAndFees(
        {
          baseAmount: price("42.50"),
          targetCurrency: "LRD",
          paymentMethod: "OPERATOR1_MOMO_LBR",
          provider: "MOBILE_MONEY_GATEWAY",
          operationType: "COLLECTION",
          feeBearer: "PAYER",
        },
        how,
      ),
    ),
  "predictions.sourceAmountAndFees": async (world) => {
    const { id } = await published(world, "orders")
    const request = {
      sourceType: "ORDER",
      sourceId: id,
      targetCurrency: "LRD",
      paymentMethod: "OPERATOR1_MOMO_LBR",
      provider: "MOBILE_MONEY_GATEWAY",
    } as const
    return (how) => world.gateway.predictions.sourceAmountAndFees(request, how)
  },
  "predictions.mmoProviderInfo": ({ gateway }) =>
    ready((how) => gateway.predictions.mmoProviderInfo({ phone: PHONE }, how)),
  "predictions.cardProviderInfo": ({ gateway }) =>
    ready((how) =>
      gateway.predictions.cardProviderInfo({ paymentMethodId: "card_brand1_lr" }, how),
    ),
  "fees.gateway": ({ gateway }) =>
    ready((how) =>
      gateway.fees.gateway(
        { paymentMethod: "OPERATOR1_MOMO_LBR", operationType: "COLLECTION" },
        how,
      ),
    ),
  "fees.platform": async ({ gateway }) => {
    const [tier] = valueOf(await gateway.fees.tiers())
    const request = { operationType: "COLLECTION", feeTierName: tier?.name ?? "" } as const
    return (how) => gateway.fees.platform(request, how)
  },
  "fees.merchantTier": ({ gateway }) =>
    ready((how) => gateway.fees.merchantTier({ ownerType: "ORGANIZATION", ownerId: 1 }, how)),
  "fees.tiers": ({ gateway }) => ready((how) => gateway.fees.tiers(how)),
  "links.pay": async (world) => {
    const { number } = await published(world, "orders")
    const request = { sourceType: "ORDER", sourceNumber: number } as const
    return (how) => world.gateway.links.pay(request, how)
  },
  "links.receipt": async (world) => {
    const { document } = await collected(world)
    const request = { sourceType: "ORDER", sourceNumber: document.number } as const
    return (how) => world.gateway.links.receipt(request, how)
  },
  "merchants.info": ({ gateway }) =>
    ready((how) => gateway.merchants.info({ merchantId: 1, merchantType: "ORGANIZATION" }, how)),
  "realtimeKeys.collection": async (world) => {
    const { request } = await collected(world)
    const { sessionId, referenceId } = request
    return (how) =>
      world.gateway.realtimeKeys.collection({ sessionId, referenceId, sourceType: "ORDER" }, how)
  },
}

const ready = (run: Run): Promise<Run> => Promise.resolve(run)

type DocumentOperation<K extends Kind> = Extract<Operation, `${K}.${string}`>

function documentScenes<K extends Kind>(
  kind: K,
): Record<DocumentOperation<K>, (world: World) => Promise<Run>>
function documentScenes(kind: Kind): Record<string, (world: World) => Promise<Run>> {
  const withDraft =
    (run: (world: World, draft: { id: number; itemId: number; number: string }) => Run) =>
    async (world: World) =>
      run(world, await drafted(world, kind))
  return {
    [`${kind}.create`]: async (world) => {
      const request = {
        counterpartyId: await counterpartyId(world),
        currency: USD,
        note: "",
        feeBearer: "PAYER",
        asPaymentLink: false,
      } as const
      return (how) => world.gateway[kind].create(request, how)
    },
    [`${kind}.list`]: withDraft(
      ({ gateway }) =>
        (how) =>
          gateway[kind].list({}, how),
    ),
    [`${kind}.retrieve`]: withDraft(
      ({ gateway }, { id }) =>
        (how) =>
          gateway[kind].retrieve(id, how),
    ),
    [`${kind}.retrieveByNumber`]: withDraft(
      ({ gateway }, { number }) =>
        (how) =>
          gateway[kind].retrieveByNumber(number, how),
    ),
    [`${kind}.update`]: withDraft(
      ({ gateway }, { id }) =>
        (how) =>
          gateway[kind].update(id, { note: "changed" }, how),
    ),
    [`${kind}.publish`]: withDraft(
      ({ gateway }, { id }) =>
        (how) =>
          gateway[kind].publish(id, how),
    ),
    [`${kind}.cancel`]: withDraft(
      ({ gateway }, { id }) =>
        (how) =>
          gateway[kind].cancel(id, how),
    ),
    [`${kind}.items.add`]: withDraft(
      ({ gateway }, { id }) =>
        (how) =>
          gateway[kind].items.add(id, { name: "Mug", qty: 1, amount: price("5.00") }, how),
    ),
    [`${kind}.items.update`]: withDraft(
      ({ gateway }, { id, itemId }) =>
        (how) =>
          gateway[kind].items.update(id, itemId, { qty: 3 }, how),
    ),
    [`${kind}.items.remove`]: withDraft(
      ({ gateway }, { id, itemId }) =>
        (how) =>
          gateway[kind].items.remove(id, itemId, how),
    ),
    [`${kind}.receipt`]: async (world) => {
      const { document } = await collected(world, kind)
      return (how) => world.gateway[kind].receipt(document.id, how)
    },
    [`${kind}.receiptByNumber`]: async (world) => {
      const { document } = await collected(world, kind)
      return (how) => world.gateway[kind].receiptByNumber(document.number, how)
    },
  }
}
