/**
 * Where the plugin's client connects to in production: never into an inner network. An admin types
 * the gateway's address, so a name of it could lead to this machine or to a cloud's own addresses.
 */
import { lookup, type LookupAddress } from "node:dns"
import type { LookupFunction } from "node:net"
import ipaddr from "ipaddr.js"

/**
 * Ranges that a gateway's address may be in, under the library's names for them. The other ranges
 * are this machine, its link, many machines at once, a provider's own network, or lead through a
 * translator. Private networks are allowed, because a gateway may be reached through one.
 */
const OUTER: ReadonlySet<string> = new Set(["unicast", "private", "uniqueLocal"])
/** Addresses within the allowed ranges at which clouds answer their own machines. Refused. */
const OF_CLOUDS = networks("168.63.129.16/32", "fd00:ec2::/32", "fd20:ce::/64")
/** Addresses for examples and tests. They are allowed, because no real machine has one. */
const EXAMPLES = networks("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
/** The network that contains every public address of IPv6. */
const PUBLIC_V6 = networks("2000::/3")
/** A network without IPv4 reaches IPv4 through this one: the last 32 bits are the real address. */
const TRANSLATED = networks("64:ff9b::/96")

/** Whether an address may belong to an inner network. An unreadable address counts as inner. */
function isInner({ address }: LookupAddress): boolean {
  const [plain = ""] = address.split("%")
  if (!ipaddr.isValid(plain)) return true
  // An IPv4 address written as IPv6 (`::ffff:127.0.0.1`) is checked as IPv4.
  const read = ipaddr.process(plain)
  if (isWithin(read, TRANSLATED)) {
    const meant = ipaddr.fromByteArray(read.toByteArray().slice(-4))
    return meant.range() !== "unicast" || isWithin(meant, OF_CLOUDS)
  }
  if (isWithin(read, EXAMPLES)) return false
  const range = read.range()
  const isOuter = OUTER.has(range) && !isWithin(read, OF_CLOUDS)
  const isUnknown = range === "unicast" && read.kind() === "ipv6" && !isWithin(read, PUBLIC_V6)
  return !isOuter || isUnknown
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

function networks(...texts: readonly string[]): readonly [Address, number][] {
  return texts.map((text) => ipaddr.parseCIDR(text))
}

function isWithin(address: Address, within: ReturnType<typeof networks>): boolean {
  return within.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  )
}

/**
 * Resolves a name for one connection and refuses it if any of its addresses is inner. The socket
 * connects to the checked address, so a name that changes its address gains nothing. The refusal
 * looks like an unknown name, so that it reveals nothing about the inner network.
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
