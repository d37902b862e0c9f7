/** What a control may change about prices while the simulator runs. */
import type { Currency } from "../money"
import type { World } from "../world"
import type { PerDollar } from "./exchange"
import { assignTier } from "./fees"

export type Prices = {
  /** Major units that one US dollar buys. */
  rates(): PerDollar
  /** Holds for what is predicted and executed from now on. Throws on what is no rate. */
  setRate(currency: Currency, perDollar: number): void
  /** The fee tier of a merchant (default: the first); null gives it the default tier back. */
  assignTier(tierName: string | null, ownerId?: number): void
}

const FIRST_OWNER = 1

export const pricesOf = (world: World): Prices => ({
  rates: world.exchange.perDollar,
  setRate: world.exchange.set,
  assignTier: (tierName, ownerId = FIRST_OWNER) => void assignTier(world, ownerId, tierName),
})
