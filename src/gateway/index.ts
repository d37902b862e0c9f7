/**
 * The gateway's client as the plugin uses it, and as `medusa-plugin-merchant-payments/gateway`. The
 * client is a package of its own, `merchant-payments-gateway`. Added here is what a store needs and
 * a program with a fixed address does not: in production no name leads into an inner network.
 */
import {
  createGateway as createClient,
  eventChannel as openChannel,
  isProduction,
  type Gateway,
  type GatewayOptions,
  type RealtimeChannel,
} from "../../packages/gateway/src"
import { outerLookup } from "./outer-lookup"

export * from "../../packages/gateway/src"

const guarded = () => (isProduction() ? outerLookup() : undefined)

/**
 * A client for one merchant account. Opens nothing until the first call. In production it connects
 * to no inner address, unless `lookup` says where to connect.
 *
 * @throws {InvalidConfiguration} naming the option; the only error that is ever thrown
 */
export function createGateway(options: GatewayOptions): Gateway {
  return createClient({ ...options, lookup: options.lookup ?? guarded() })
}

/** The client's `eventChannel`, with the same rule for addresses. */
export function eventChannel(url: string, lookup = guarded()): RealtimeChannel {
  return openChannel(url, lookup)
}
