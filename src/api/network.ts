/**
 * The network that a request counts for, in every limit that counts by network. Not Express's
 * `request.ip`: Medusa has it believe `X-Forwarded-For` whoever sent it, so that a caller who
 * reaches the store without a proxy would choose the network.
 */
import type { MedusaRequest } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { callerOf, isIgnored, type Proxies } from "../medusa/proxies"
import { proxiesFrom } from "../medusa/wiring/flows-from"

const UNKNOWN = "unknown"
const IGNORED =
  "merchant payments: X-Forwarded-For is ignored where it comes from an address that is no proxy " +
  "of the shop, as a request just did. If the store is behind a proxy with a public address, list " +
  "it in MERCHANT_PAYMENTS_PROXIES; until then its shoppers count as one network."

let hasSaidIgnored = false

/** An IPv4 address, or the /64 of an IPv6 address, which is one subscriber's. */
export function networkOf(request: MedusaRequest): string {
  const { peer, forwarded, proxies } = readFrom(request)
  if (!hasSaidIgnored && isIgnored(peer, forwarded, proxies)) {
    hasSaidIgnored = true
    request.scope.resolve(ContainerRegistrationKeys.LOGGER).warn(IGNORED)
  }
  return networkOfCaller(peer, forwarded, proxies)
}

/** The address that the caller is at. */
export function addressOf(request: MedusaRequest): string {
  const { peer, forwarded, proxies } = readFrom(request)
  return callerOf(peer, forwarded, proxies)?.toString() ?? UNKNOWN
}

function readFrom({ socket, headers, scope }: MedusaRequest) {
  const forwarded = String(headers["x-forwarded-for"] ?? "")
  return { peer: socket.remoteAddress, forwarded, proxies: proxiesFrom(scope) }
}

/** @param peer the socket's; undefined once the caller has hung up */
export function networkOfCaller(
  peer: string | undefined,
  forwarded: string,
  proxies: Proxies,
): string {
  const caller = callerOf(peer, forwarded, proxies)
  if (!caller) return UNKNOWN
  if (caller.kind() === "ipv4") return caller.toString()
  const groups = caller.toNormalizedString().split(":").slice(0, 4)
  return `${groups.join(":")}::/64`
}
