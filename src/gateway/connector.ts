/**
 * Opens connections and marks every failure to connect. "Never sent" rests on that mark: undici
 * writes a request only to a connection whose connector has succeeded, so a marked error can't
 * follow a byte of a request.
 */
import { lookup, type LookupAddress } from "node:dns"
import { BlockList, isIPv6, type LookupFunction } from "node:net"
import type { buildConnector } from "undici"
import type { NeverSentReason } from "./errors"

/** The connection could not be made. */
export class ConnectFailure extends Error {
  constructor(
    readonly reason: NeverSentReason,
    cause: unknown,
  ) {
    super(`No connection: ${reason}`, { cause })
    this.name = "ConnectFailure"
  }
}

const REASONS: Readonly<Record<string, NeverSentReason>> = {
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  EAI_FAIL: "dns",
  EAI_NODATA: "dns",
  EAI_NONAME: "dns",
  ECONNREFUSED: "connection_refused",
  UND_ERR_CONNECT_TIMEOUT: "connect_timeout",
  ETIMEDOUT: "connect_timeout",
  EHOSTUNREACH: "network",
  ENETUNREACH: "network",
  EADDRNOTAVAIL: "network",
  EMFILE: "network",
}

/** @param connect undici's own, with certificate checks on */
export function marking(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connect(options, (error, socket) => {
      if (error) callback(new ConnectFailure(reasonOf(error, options.protocol), error), null)
      else callback(null, socket)
    })
  }
}

/** Addresses of this machine and its own link, as a cloud's metadata; also as IPv4 inside IPv6. */
const INNER = new BlockList()
INNER.addSubnet("0.0.0.0", 8)
INNER.addSubnet("127.0.0.0", 8)
INNER.addSubnet("169.254.0.0", 16)
INNER.addSubnet("::", 96, "ipv6")
INNER.addSubnet("fe80::", 10, "ipv6")

function isInner({ address }: LookupAddress): boolean {
  const [plain = ""] = address.split("%")
  return INNER.check(plain, isIPv6(plain) ? "ipv6" : "ipv4")
}

/**
 * Resolves a name for one connection and refuses it if any of its addresses is inner. The checked
 * address is the one that is connected to, so a name that changes its address gains nothing. The
 * refusal looks like an unknown name, so that it reveals nothing of the inner network.
 */
export function outerLookup(resolve: typeof lookup = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first || addresses.some(isInner)) {
        return callback(error ?? Object.assign(new Error("ENOTFOUND"), { code: "ENOTFOUND" }), "")
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

function reasonOf(error: Error, protocol: string): NeverSentReason {
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  // Node has dozens of codes for certificates and handshakes. On https every code that is not
  // listed above, a reset included, happened in the handshake.
  return REASONS[code] ?? (protocol === "https:" ? "tls" : "network")
}
