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
} from "./gateway-fixture"
import type { Harness, Run, Operation } from "./gateway-fixture"

export type { Operation, Run, Harness } from "./gateway-fixture"

/** Prepares, and returns the call. */
export const SCENES: Readonly<Record<Operation, (harness: Harness) => Promise<Run>>> = {
  "parties.create": ({ gateway }) =>
    ready((how) => gateway.parties.create({ fullname: "Ada", phone: PHONE }, how)),
  "parties.list": async (harness) => {
    await partyId(harness)
    return (how) => harness.gateway.parties.list({}, how)
  },
  "parties.retrieve": async (harness) => {
    const id = await partyId(harness)
    return (how) => harness.gateway.parties.retrieve(id, how)
  },
  "counterparties.create": async (harness) => {
    const party = await partyId(harness)
    const request = { relationshipType: "CUSTOMER", partyId: party } as const
    return (how) => harness.gateway.counterparties.create(request, how)
  },
  "counterparties.list": async (harness) => {
    await counterpartyId(harness)
    return (how) => harness.gateway.counterparties.list({ relationshipType: "CUSTOMER" }, how)
  },
  "counterparties.retrieve": async (harness) => {
    const id = await counterpartyId(harness)
    return (how) => harness.gateway.counterparties.retrieve(id, how)
  },
  "counterparties.update": async (harness) => {
    const id = await counterpartyId(harness)
    return (how) => harness.gateway.counterparties.update(id, { relationshipType: "PARTNER" }, how)
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
  "sessions.checkout": async (harness) => {
    const { id } = await published(harness, "orders")
    const source = { sourceType: "ORDER", sourceId: id } as const
    return (how) => harness.gateway.sessions.checkout(source, how)
  },
  "sessions.payout": async (harness) => {
    const request = await readyToPayOut(harness)
    return (how) => harness.gateway.sessions.payout(request, how)
  },
  "sessions.transfer": async (harness) => {
    const request = await readyToTransfer(harness)
    return (how) => harness.gateway.sessions.transfer(request, how)
  },
  "sessions.refund": async (harness) => {
    const request = await readyToRefund(harness)
    return (how) => harness.gateway.sessions.refund(request, how)
  },
  "executions.collection": async (harness) => {
    const { request } = await readyToCollect(harness)
    return (how) => harness.gateway.executions.collection(request, how)
  },
  "executions.payout": async (harness) => {
    const request = await readyToExecute(harness, "payout")
    return (how) => harness.gateway.executions.payout(request, how)
  },
  "executions.transfer": async (harness) => {
    const request = await readyToExecute(harness, "transfer")
    return (how) => harness.gateway.executions.transfer(request, how)
  },
  "executions.refund": async (harness) => {
    const request = await readyToExecute(harness, "refund")
    return (how) => harness.gateway.executions.refund(request, how)
  },
  "status.collection": async (harness) => {
    const { request } = await collected(harness)
    return (how) => harness.gateway.status.collection(request.referenceId, how)
  },
  "status.payout": async (harness) => {
    const reference = await executed(harness, "payout")
    return (how) => harness.gateway.status.payout(reference, how)
  },
  "status.transfer": async (harness) => {
    const reference = await executed(harness, "transfer")
    return (how) => harness.gateway.status.transfer(reference, how)
  },
  "status.refund": async (harness) => {
    const reference = await executed(harness, "refund")
    return (how) => harness.gateway.status.refund(reference, how)
  },
  "status.source": async (harness) => {
    const { source } = await collected(harness)
    return (how) => harness.gateway.status.source(source, how)
  },

  "paymentAccounts.create": async (harness) => {
    const party = await partyId(harness)
    const request = {
      accountName: "Ada",
      provider: "MOBILE_MONEY_GATEWAY",
      method: "OPERATOR1_MOMO_LBR",
      partyId: party,
      phone: PHONE,
    }
    return (how) => harness.gateway.paymentAccounts.create(request, how)
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
  "predictions.sourceAmountAndFees": async (harness) => {
    const { id } = await published(harness, "orders")
    const request = {
      sourceType: "ORDER",
      sourceId: id,
      targetCurrency: "LRD",
      paymentMethod: "OPERATOR1_MOMO_LBR",
      provider: "MOBILE_MONEY_GATEWAY",
    } as const
    return (how) => harness.gateway.predictions.sourceAmountAndFees(request, how)
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
  "links.pay": async (harness) => {
    const { number } = await published(harness, "orders")
    const request = { sourceType: "ORDER", sourceNumber: number } as const
    return (how) => harness.gateway.links.pay(request, how)
  },
  "links.receipt": async (harness) => {
    const { document } = await collected(harness)
    const request = { sourceType: "ORDER", sourceNumber: document.number } as const
    return (how) => harness.gateway.links.receipt(request, how)
  },
  "merchants.info": ({ gateway }) =>
    ready((how) => gateway.merchants.info({ merchantId: 1, merchantType: "ORGANIZATION" }, how)),
  "realtimeKeys.collection": async (harness) => {
    const { request } = await collected(harness)
    const { sessionId, referenceId } = request
    return (how) =>
      harness.gateway.realtimeKeys.collection({ sessionId, referenceId, sourceType: "ORDER" }, how)
  },
}

const ready = (run: Run): Promise<Run> => Promise.resolve(run)
