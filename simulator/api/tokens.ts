/**
 * Bearer tokens (specification, "Authentication"): signed, self-contained, and over when their
 * minutes are. All tokens are void after `revoke()`, as when a merchant rotates a key.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { z } from "zod"

import { badCredentials, notAuthenticated } from "../problem"
import type { Merchant, World } from "../world"
import { operation } from "./operation"

export type Tokens = {
  issue(world: World, merchant: Merchant): string
  /** The owner id of the caller. Throws 401 in the API's two texts. */
  authenticate(world: World, authorization: string | undefined): number
  /** Voids every token issued so far. */
  revoke(): void
}

const Claims = z.object({ sub: z.string(), exp: z.number(), generation: z.number() })
const MS_PER_MINUTE = 60_000
const HEADER = encoded({ alg: "HS256", typ: "JWT" })

export function createTokens(key: string): Tokens {
  let generation = 0
  const signature = (content: string) =>
    createHmac("sha256", key).update(content).digest("base64url")

  return {
    issue(world, merchant) {
      const nowMs = world.time.nowMs()
      const claims = {
        sub: merchant.clientId,
        jti: world.book.next("token"),
        iat: nowMs,
        exp: nowMs + world.settings.tokenLifeMinutes * MS_PER_MINUTE,
        generation,
      }
      const content = `${HEADER}.${encoded(claims)}`
      return `${content}.${signature(content)}`
    },
    authenticate(world, authorization) {
      if (!authorization) throw notAuthenticated()
      const [header, payload, signed] = /^Bearer (.+)$/i.exec(authorization)?.[1]?.split(".") ?? []
      if (!header || !payload || !signed) throw badCredentials()
      if (!isEqual(signed, signature(`${header}.${payload}`))) throw badCredentials()
      const claims = Claims.parse(JSON.parse(Buffer.from(payload, "base64url").toString()))
      const isLive = claims.exp > world.time.nowMs() && claims.generation === generation
      const merchant = world.settings.merchants.find(({ clientId }) => clientId === claims.sub)
      if (!isLive || !merchant) throw badCredentials()
      return merchant.ownerId
    },
    revoke: () => void (generation += 1),
  }
}

export const obtainToken = (tokens: Tokens) =>
  operation<{ client_id: string; client_secret: string }>(
    "clientObtainToken",
    ({ world, body }) => {
      const merchant = world.settings.merchants.find(
        ({ clientId, clientSecret }) =>
          isEqual(clientId, body.client_id) && isEqual(clientSecret, body.client_secret),
      )
      if (!merchant) throw badCredentials()
      return {
        access_token: tokens.issue(world, merchant),
        expires_in: world.settings.tokenLifeMinutes,
      }
    },
  )

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url")
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
