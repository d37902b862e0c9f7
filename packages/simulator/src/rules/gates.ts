/**
 * What an unverified merchant may not do (contract notes, section 1): payouts, transfers, refunds,
 * payment links and hosted pages answer 403. Its token works everywhere else.
 */
import { Problem } from "../problem"
import type { World } from "../world"

/** The start option, unless a control or the portal has changed it. */
export const isVerified = (world: World, ownerId: number): boolean =>
  world.book.money.merchants.get(ownerId)?.isVerified ?? world.settings.isVerified

/** Throws 403 for a merchant that is not verified. */
export function requireVerified(world: World, ownerId: number): void {
  if (isVerified(world, ownerId)) return
  throw new Problem(403, { detail: "Merchant account is not verified" })
}

export const setVerified = (world: World, ownerId: number, value: boolean): void =>
  void world.book.money.setMerchant({ ownerId, isVerified: value })
