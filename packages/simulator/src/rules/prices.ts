/** The prices that a control may change while the simulator runs. */
import type { Currency } from "../money"
import type { World } from "../world"
import type { PerDollar } from "./exchange"
import { assignTier } from "./fees"

export type Prices = {
  /** Major units that one US dollar buys. */
  rates(): PerDollar
  /** Applies to later predictions and executions. Throws on an invalid rate. */
  setRate(currency: Currency, perDollar: number): void
  /** Sets the fee tier of a merchant (default: the first); null resets it to the default tier. */
  assignTier(tierName: string | null, ownerId?: number): void
}

const FIRST_OWNER = 1

export const pricesOf = (world: World): Prices => ({
  rates: world.exchange.perDollar,
  setRate: world.exchange.set,
  assignTier: (tierName, ownerId = FIRST_OWNER) => void assignTier(world, ownerId, tierName),
})
