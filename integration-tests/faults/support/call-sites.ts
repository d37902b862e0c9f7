/** Every operation of the client as one good call, the token call included. */
import type { CallOptions, Gateway, OperationName, Outcome } from "../../../src/gateway"
import { CALLS } from "../../gateway/calls"

export type CallSite = {
  readonly operation: OperationName
  /** What the gateway answers when all is well. */
  readonly body: unknown
  readonly run: (gateway: Gateway, options?: CallOptions) => Promise<Outcome<unknown>>
}

const TOKEN: CallSite = {
  operation: "token.obtain",
  body: { access_token: "CANARY-access-token", expires_in: 60 },
  run: (gateway, options) => gateway.token.check(options),
}

export const CALL_SITES: readonly CallSite[] = [TOKEN, ...CALLS]
