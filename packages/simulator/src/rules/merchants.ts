/**
 * The merchants of this simulator, and their API keys. Several clients may be one merchant; the
 * first gives its profile. Rotating a key gives its client another secret and voids the old one and
 * its tokens (specification, "Authentication", rule 7).
 */
import { createHash, timingSafeEqual } from "node:crypto"

import { WrongControl } from "../control/wrong-control"
import type { Merchant, World } from "../world"

const SECRET_LENGTH = 40

export type MerchantProfile = {
  ownerId: number
  name: string
  type: "MICRO_ORGANIZATION" | "ORGANIZATION"
  email: string | null
  phone: string | null
}

/** Every merchant once, in the order of the options. */
export const merchantsOf = ({ settings }: World): MerchantProfile[] => {
  const profiles = new Map<number, MerchantProfile>()
  for (const { ownerId, name, type = "ORGANIZATION", email, phone } of settings.merchants) {
    if (profiles.has(ownerId)) continue
    profiles.set(ownerId, { ownerId, name, type, email: email ?? null, phone: phone ?? null })
  }
  return [...profiles.values()]
}

/** Throws for an owner without a client. */
export function merchantOf(world: World, ownerId: number): MerchantProfile {
  const found = merchantsOf(world).find((merchant) => merchant.ownerId === ownerId)
  if (!found) throw new WrongControl(`There is no merchant ${ownerId}.`)
  return found
}

/** The client with this id and secret, or undefined. */
export const clientOf = (world: World, id: string, secret: string): Merchant | undefined =>
  world.settings.merchants.find(({ clientId, clientSecret }) => {
    const rotated = world.book.money.rotatedKeys.get(clientId)
    return (
      isSame(clientId, id) && isSame(rotated?.secretHash ?? hashOf(clientSecret), hashOf(secret))
    )
  })

/** How often a client's key was rotated. Tokens from before the last rotation are void. */
export const rotationsOf = (world: World, clientId: string): number =>
  world.book.money.rotatedKeys.get(clientId)?.timesRotated ?? 0

/** Gives a client another secret. Only this call returns it. */
export function rotateKey(world: World, clientId: string): { clientSecret: string } {
  if (!world.settings.merchants.some((merchant) => merchant.clientId === clientId)) {
    throw new WrongControl(`There is no client ${clientId}.`)
  }
  const clientSecret = world.random.hex(SECRET_LENGTH)
  world.book.money.setRotatedKey({
    clientId,
    secretHash: hashOf(clientSecret),
    timesRotated: rotationsOf(world, clientId) + 1,
  })
  return { clientSecret }
}

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex")

export function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
