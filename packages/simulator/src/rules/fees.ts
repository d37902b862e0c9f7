/**
 * Fee plans and fee rates (specification, "Merchant fee assignment"; contract notes, section 9).
 * The rates are made up. Only collections cost a fee: the contract does not show what a payout, a
 * transfer or a refund costs, or who bears it.
 *
 * A merchant has its assigned tier, or else the default one. Predictions and executions use the
 * same function, so they can't differ.
 */
import type { FeeAssignment } from "../book/fee-records"
import type { OperationType, Provider } from "../book/records"
import { notFound } from "../problem"
import type { World } from "../world"
import { providerFor } from "./accounts"
import { operatorByMethod, OPERATORS, servesOperation } from "./operators"

/** 100 basis points are 1%. */
export type Tier = {
  id: number
  name: string
  collectionBasisPoints: number
  exchangeBasisPoints: number
}

/** Applies if no tier is assigned. The only default tier. */
export const DEFAULT_TIER: Tier = {
  id: 901,
  name: "STANDARD",
  collectionBasisPoints: 100,
  exchangeBasisPoints: 100,
}

export const TIERS: readonly Tier[] = [
  DEFAULT_TIER,
  { id: 902, name: "GROWTH", collectionBasisPoints: 80, exchangeBasisPoints: 75 },
  { id: 903, name: "VOLUME", collectionBasisPoints: 50, exchangeBasisPoints: 50 },
]

/** The date from which tiers and rates are valid. */
export const RATES_SINCE_MS = Date.UTC(2025, 0, 1)

const FIRST_GATEWAY_RATE_ID = 12_001
const OPERATION_TYPES: readonly OperationType[] = ["COLLECTION", "PAYOUT", "TRANSFER", "REFUND"]
const PROVIDERS: readonly Provider[] = ["MOBILE_MONEY_GATEWAY", "CARD_PROCESSOR", "PLATFORM"]
const MOBILE_MONEY_BASIS_POINTS = 150
const CARD_BASIS_POINTS = 290

/** What one movement of money costs. */
export type FeeRates = {
  platformBasisPoints: number
  gatewayBasisPoints: number
  /** A share of what the payer pays, if it is in another currency. */
  exchangeBasisPoints: number
}

/** The tier of this name. Throws 404. */
export function tierNamed(name: string): Tier {
  const found = TIERS.find((candidate) => candidate.name === name)
  if (!found) throw notFound("Fee tier")
  return found
}

/** The tier that applies to a merchant now. */
export function tierOf(world: World, ownerId: number): Tier {
  const assigned = world.book.feeAssignments.get(ownerId)?.tierName
  return TIERS.find(({ name }) => name === assigned) ?? DEFAULT_TIER
}

/** Assigns a tier to a merchant for its later payments; null removes it. Throws 404. */
export function assignTier(
  world: World,
  ownerId: number,
  tierName: string | null,
): FeeAssignment | null {
  const assignment =
    tierName === null
      ? null
      : {
          id: world.book.next("feeAssignment"),
          ownerId,
          createdAtMs: world.time.nowMs(),
          tierName: tierNamed(tierName).name,
        }
  world.book.setFeeAssignment(ownerId, assignment)
  return assignment
}

export const feeRatesOf = (
  tierApplied: Tier,
  operationType: OperationType,
  method: string,
): FeeRates => ({
  platformBasisPoints: platformBasisPointsOf(tierApplied, operationType),
  gatewayBasisPoints: gatewayBasisPointsOf(operationType, method),
  exchangeBasisPoints: tierApplied.exchangeBasisPoints,
})

export const platformBasisPointsOf = (tierApplied: Tier, operationType: OperationType): number =>
  operationType === "COLLECTION" ? tierApplied.collectionBasisPoints : 0

/** The gateway's rate for one method and operation. Throws 404 for a pair without a rate. */
export function gatewayRateOf(
  operationType: OperationType,
  method: string,
): { id: number; providerId: number; basisPoints: number } {
  if (!servesOperation(method, operationType)) throw notFound("Gateway fee")
  const methods = [...OPERATORS.map((operator) => operator.method), "CREDIT_CARD", "WALLET"]
  const [row, column] = [methods.indexOf(method), OPERATION_TYPES.indexOf(operationType)]
  return {
    id: FIRST_GATEWAY_RATE_ID + row * OPERATION_TYPES.length + column,
    providerId: PROVIDERS.indexOf(providerFor(method)) + 1,
    basisPoints: gatewayBasisPointsOf(operationType, method),
  }
}

function gatewayBasisPointsOf(operationType: OperationType, method: string): number {
  if (operationType !== "COLLECTION") return 0
  if (method === "CREDIT_CARD") return CARD_BASIS_POINTS
  return operatorByMethod(method) ? MOBILE_MONEY_BASIS_POINTS : 0
}

/** A merchant's owner type, `ORGANIZATION` unless the options say otherwise. */
export const merchantTypeOf = (world: World, ownerId: number): string =>
  world.settings.merchants.find((merchant) => merchant.ownerId === ownerId)?.type ?? "ORGANIZATION"

/** `150` basis points as a percentage in text: `"1.50"`. */
export const percentageText = (basisPoints: number): string => (basisPoints / 100).toFixed(2)
