/**
 * For every operation of the client a call that the simulator carries out, with all that has to be
 * there before it: a party for a counterparty, money for a refund.
 */
import { documentScenes } from "./gateway-document-scenes"
import {
  PHONE,
  USD,
  price,
  valueOf,
  partyId,
  counterpartyId,
  published,
  readyToCollect,
  collected,
  readyToPayOut,
  readyToTransfer,
  readyToRefund,
  readyToExecute,
  executed,
} from "./gateway-ground"
import type { World, Run, Operation } from "./gateway-ground"

export type { Operation, Run, World } from "./gateway-ground"

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
