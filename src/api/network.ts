/**
 * The network that a request counts for, in every limit that counts by network. Not Express's
 * `request.ip`: Medusa has it believe `X-Forwarded-For` whoever sent it, so that a caller who
 * reaches the store without a proxy would choose the network.
 */
import type { MedusaRequest } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { perStore } from "../ledger/per-store"
import { callerOf, isIgnored, type Proxies } from "../medusa/proxies"
import { flowsFrom, proxiesFrom } from "../medusa/wiring/flows-from"

const UNKNOWN = "unknown"
const IGNORED =
  "merchant payments: X-Forwarded-For is ignored where it comes from an address that is no proxy " +
  "of the shop, as a request just did. If the store is behind a proxy with a public address, list " +
  "it in MERCHANT_PAYMENTS_PROXIES; until then its shoppers count as one network."

const warningOf = perStore(() => ({ isGiven: false }))

/** An IPv4 address, or the /64 of an IPv6 address, which is one subscriber's. */
export function networkOf(request: MedusaRequest): string {
  const { peer, forwarded, proxies } = readFrom(request)
  if (isIgnored(peer, forwarded, proxies)) warnOnce(request)
  return networkOfCaller(peer, forwarded, proxies)
}

function warnOnce({ scope }: MedusaRequest): void {
  const warning = warningOf(flowsFrom(scope))
  if (warning.isGiven) return
  warning.isGiven = true
  scope.resolve(ContainerRegistrationKeys.LOGGER).warn(IGNORED)
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
