/** Realtime keys. Each call makes a new one; `expires_in` is in seconds. */
import { followedSession, type RealtimeKeyRequest } from "../rules/realtime-keys"
import { operation } from "./operation"
import type { Tokens } from "./tokens"

export const createCollectionRealtimeKey = (tokens: Tokens) =>
  operation<RealtimeKeyRequest>("createCollectionRealtimeKey", ({ world, ownerId, body }) => {
    const session = followedSession(world, ownerId, body)
    return {
      access_token: tokens.issueRealtime(world, session.id, body.reference_id),
      expires_in: world.settings.realtimeKeyLifeSeconds,
    }
  })
