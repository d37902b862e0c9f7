/**
 * What a payment would cost (contract notes, section 9). A prediction refuses what the session or
 * the execution would refuse, and uses the same pricing. It is not binding: a rate or a tier may
 * change afterwards.
 */
import type { FeeBearer, OperationType, Provider, SourceType } from "../book/records"
import { isCurrency, minorFromWire, type Currency } from "../money"
import { notFound, refused, wrongState } from "../problem"
import type { World } from "../world"
import { providerFor } from "./accounts"
import { ownDocument, stateOf, totalOf } from "./documents"
import { merchantTypeOf } from "./fees"
import { priced, type Figures } from "./figures"
import { currenciesOf, operatorByMethod, servesOperation } from "./operators"

export type AmountRequest = {
  base_amount: number
  base_currency: string
  target_currency: string
  payment_method: string
  operation_type: OperationType
  provider: Provider
  fee_bearer: FeeBearer
  owner_type?: string
  owner_id?: number
}

export type SourceRequest = {
  target_currency: string
  payment_method: string
  provider: Provider
  source_type: SourceType
  source_id: number
}

/**
 * Figures of an amount without a source. With an owner they use its tier, otherwise the default
 * tier.
 */
export function predictedForAmount(
  world: World,
  callerId: number,
  request: AmountRequest,
): Figures {
  const { operation_type: operationType, payment_method: method } = request
  requireFit(method, request.provider, operationType)
  const currency = knownCurrency("base_currency", request.base_currency)
  const minor = minorFromWire(request.base_amount, currency)
  if (minor === null) throw refused(["query", "base_amount"], `Not an amount in ${currency}`)
  const payerCurrency = payableCurrency(method, request.target_currency)
  if (operationType !== "COLLECTION" && payerCurrency !== currency) {
    throw refused(["query", "target_currency"], "Only a collection is paid in another currency")
  }
  return priced(world, pricedOwner(world, callerId, request), {
    total: { minor, currency },
    payerCurrency,
    feeBearer: request.fee_bearer,
    method,
    operationType,
  })
}

/** Figures of a source that is published, with its own fee bearer and its merchant's tier. */
export function predictedForSource(
  world: World,
  callerId: number,
  request: SourceRequest,
): Figures {
  const { payment_method: method } = request
  requireFit(method, request.provider, "COLLECTION")
  const payerCurrency = payableCurrency(method, request.target_currency)
  const document = ownDocument(world, callerId, request.source_type, request.source_id)
  const { status } = stateOf(world, document)
  if (status === "IDLE" || status === "CANCELED") {
    throw wrongState(["query", "source_id"], `The source is ${status}`)
  }
  return priced(world, callerId, {
    total: totalOf(document),
    payerCurrency,
    feeBearer: document.feeBearer,
    method,
    operationType: "COLLECTION",
  })
}

function requireFit(method: string, provider: Provider, operationType: OperationType): void {
  if (provider !== providerFor(method)) {
    throw refused(["query", "provider"], "Provider and method do not fit")
  }
  if (!servesOperation(method, operationType)) {
    throw refused(["query", "payment_method"], `${method} does not serve a ${operationType}`)
  }
}

function knownCurrency(field: string, code: string): Currency {
  if (isCurrency(code)) return code
  throw refused(["query", field], "Currency is not supported")
}

function payableCurrency(method: string, code: string): Currency {
  const currency = knownCurrency("target_currency", code)
  if (currenciesOf(method).includes(currency)) return currency
  const who = operatorByMethod(method)?.carrier ?? method
  throw refused(["query", "target_currency"], `${who} cannot be paid in this currency`)
}

function pricedOwner(world: World, callerId: number, request: AmountRequest): number | null {
  const { owner_type: type, owner_id: id } = request
  if (type === undefined && id === undefined) return null
  if (type === undefined) throw refused(["query", "owner_type"], "Field required with owner_id")
  if (id === undefined) throw refused(["query", "owner_id"], "Field required with owner_type")
  if (id !== callerId || type !== merchantTypeOf(world, id)) throw notFound("Owner")
  return id
}
