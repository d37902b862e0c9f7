/** `realtime-keys/collection`: a key to watch one collection on a screen (contract, 11). */
import { z } from "zod"
import type { GatewaySessionId, Given, Reference } from "../terms/ids"
import { methodOf, type Call } from "../call"
import { inBody, type Endpoint } from "../endpoint"
import type { SourceType } from "./enums"
import * as field from "./fields"
import { reader, type Wire } from "./reading"

export type CreateRealtimeKeyRequest = {
  /** The id of the checkout session. */
  readonly sessionId: Given<GatewaySessionId>
  readonly sourceType: SourceType
  /** The UUID under which the collection was executed. */
  readonly referenceId: Given<Reference>
}

/**
 * The key of one checkout session. Its token is a secret for one shopper's browser. JSON, a spread
 * copy and a console show only the key's lifetime.
 */
export type RealtimeKey = {
  readonly accessToken: string
  /** The key's lifetime in whole seconds from the answer on. The client's token has minutes. */
  readonly expiresInSeconds: number
  /** The whole answer. It holds the token too. */
  readonly wire: Wire
}

class HiddenKey implements RealtimeKey {
  readonly #accessToken: string
  readonly #wire: Wire

  constructor(
    readonly expiresInSeconds: number,
    accessToken: string,
    wire: Wire,
  ) {
    this.#accessToken = accessToken
    this.#wire = wire
  }

  get accessToken(): string {
    return this.#accessToken
  }

  get wire(): Wire {
    return this.#wire
  }
}

const answerSchema = z.object({
  access_token: field.secret,
  expires_in: field.id,
})

export const createRealtimeKey: Endpoint<CreateRealtimeKeyRequest, RealtimeKey> = {
  operation: "realtimeKeys.collection",
  write: inBody(
    z.object({
      sessionId: z.int().positive(),
      sourceType: field.sourceType,
      referenceId: field.uuid,
    }),
  ),
  read: reader(
    answerSchema,
    ({ accessToken, expiresIn }, wire) => new HiddenKey(expiresIn, accessToken, wire),
  ),
  referenceOf: ({ referenceId }) => referenceId,
}

/**
 * Keys for live updates on a screen. The updates prove nothing: the status operations decide what
 * is paid (contract, 11).
 */
export const realtimeKeysOf = (call: Call) => ({
  /**
   * Makes the key of one checkout session, for the shopper's browser. The key opens the channel
   * `payment-intent:{sessionId}:{referenceId}` of the push transport and lives for seconds. After
   * 30 seconds without news ask for the status again (specification, "Events"; contract, 11).
   */
  collection: methodOf(call, createRealtimeKey),
})
