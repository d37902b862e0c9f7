/**
 * Bearer tokens (specification, "Authentication"): signed, self-contained, and valid for their
 * minutes. `revoke()` voids all tokens; rotating a key voids those of its client, and so does a new
 * token where the settings say so.
 *
 * A realtime key is signed too, but it is no bearer token: the API answers 401 to it.
 */
import { createHmac } from "node:crypto"
import { z } from "zod"

import { badCredentials, notAuthenticated } from "../problem"
import { clientOf, isSame, rotationsOf } from "../rules/merchants"
import type { Merchant, World } from "../world"
import { operation } from "./operation"

export type Tokens = {
  issue(world: World, merchant: Merchant): string
  /** The owner id of the caller. Throws 401 in the API's two texts. */
  authenticate(world: World, authorization: string | undefined): number
  /** A key for one session, valid for its seconds. */
  issueRealtime(world: World, sessionId: number, reference: string): string
  /** What a realtime key opens, and until when. Throws 401 for one that is over, or is none. */
  realtimeKeyIn(world: World, authorization: string | undefined): RealtimeKey
  /** Voids every token issued so far. */
  revoke(): void
}

type RealtimeKey = { channel: string; endsAtMs: number }

const RealtimeClaims = z.object({ channel: z.string(), exp: z.number() })
const Claims = z.object({
  sub: z.string(),
  jti: z.number(),
  iat: z.number(),
  exp: z.number(),
  generation: z.number(),
  rotations: z.number(),
})
const MS_PER_SECOND = 1_000
const MS_PER_MINUTE = 60_000
const HEADER = encoded({ alg: "HS256", typ: "JWT" })

export function createTokens(key: string): Tokens {
  let generation = 0
  /** The newest token of each client. */
  const newest = new Map<string, number>()
  const signature = (content: string) =>
    createHmac("sha256", key).update(content).digest("base64url")

  const signed = (claims: object): string => {
    const content = `${HEADER}.${encoded(claims)}`
    return `${content}.${signature(content)}`
  }

  /** Throws 401 for a text that was not signed here. */
  const claimsIn = (authorization: string | undefined): unknown => {
    if (!authorization) throw notAuthenticated()
    const [header, payload, seal] = /^Bearer (.+)$/i.exec(authorization)?.[1]?.split(".") ?? []
    if (!header || !payload || !seal) throw badCredentials()
    if (!isSame(seal, signature(`${header}.${payload}`))) throw badCredentials()
    return JSON.parse(Buffer.from(payload, "base64url").toString())
  }

  return {
    issue(world, merchant) {
      const nowMs = world.time.nowMs()
      const jti = world.book.next("token")
      newest.set(merchant.clientId, jti)
      return signed({
        sub: merchant.clientId,
        jti,
        iat: nowMs,
        exp: nowMs + world.settings.tokenLifeMinutes * MS_PER_MINUTE,
        generation,
        rotations: rotationsOf(world, merchant.clientId),
      })
    },
    issueRealtime(world, sessionId, reference) {
      const nowMs = world.time.nowMs()
      return signed({
        jti: world.book.next("token"),
        iat: nowMs,
        exp: nowMs + world.settings.realtimeKeyLifeSeconds * MS_PER_SECOND,
        channel: `payment-intent:${sessionId}:${reference}`,
      })
    },
    realtimeKeyIn(world, authorization) {
      const parsed = RealtimeClaims.safeParse(claimsIn(authorization))
      if (!parsed.success || parsed.data.exp <= world.time.nowMs()) throw badCredentials()
      return { channel: parsed.data.channel, endsAtMs: parsed.data.exp }
    },
    authenticate(world, authorization) {
      const parsed = Claims.safeParse(claimsIn(authorization))
      if (!parsed.success) throw badCredentials()
      const claims = parsed.data
      const { newTokenEndsFormer, tokenValidAfterMs } = world.settings
      const nowMs = world.time.nowMs()
      const isLive =
        claims.exp > nowMs &&
        // Without the setting a clock that was put back refuses no token.
        (tokenValidAfterMs === 0 || nowMs - claims.iat >= tokenValidAfterMs) &&
        (!newTokenEndsFormer || (newest.get(claims.sub) ?? claims.jti) === claims.jti) &&
        claims.generation === generation &&
        claims.rotations === rotationsOf(world, claims.sub)
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
      const merchant = clientOf(world, body.client_id, body.client_secret)
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
