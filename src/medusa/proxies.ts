/**
 * The proxies in front of the store, and the address of a caller. A proxy appends the address of
 * its peer to `X-Forwarded-For`; everything before that, the caller may have written.
 */
import net from "node:net"
import ipaddr from "ipaddr.js"

export type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = readonly [Address, bits: number]

export type Proxies = {
  /** A peer that is a proxy, besides those listed: one within an inner network, any, or none. */
  readonly peers: "private" | "any" | "none"
  readonly listed: readonly Network[]
}

/** Where nothing is set: public addresses are callers', because most proxies have inner ones. */
const PRIVATE_PROXIES: Proxies = { peers: "private", listed: [] }

/** The ranges of inner networks, under the library's names for them. */
const INNER: ReadonlySet<string> = new Set([
  "loopback",
  "linkLocal",
  "private",
  "uniqueLocal",
  "carrierGradeNat",
])

/** @param text words, addresses and networks, separated by commas; what is none of them is `wrong` */
export function proxiesIn(text: string | undefined): {
  readonly proxies: Proxies
  readonly wrong: readonly string[]
} {
  const entries = (text ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean)
  const [word, ...moreWords] = entries.filter(isWord)
  const listed = entries.map(networkIn).filter((network) => network !== undefined)
  const noneOfThem = entries.filter((entry) => !isWord(entry) && !networkIn(entry))
  const isSet = word !== undefined || listed.length > 0
  return {
    proxies: isSet ? { peers: word ?? "none", listed } : PRIVATE_PROXIES,
    wrong: [...noneOfThem, ...moreWords],
  }
}

/**
 * The address that a request counts for; undefined: not known. Only a proxy's `X-Forwarded-For` is
 * read, from its end, and past those entries alone that are listed as proxies.
 */
export function callerOf(
  peer: string | undefined,
  forwarded: string,
  proxies: Proxies,
): Address | undefined {
  let at = readAddress(peer)
  if (!at) return undefined
  if (!isProxy(at, proxies)) return at
  for (const entry of forwarded.split(",").reverse()) {
    const next = readAddress(entry.trim())
    if (!next) break
    at = next
    if (!isListed(at, proxies)) break
  }
  return at
}

/** Whether a header was sent by a peer that is no proxy of the shop. */
export function isIgnored(peer: string | undefined, forwarded: string, proxies: Proxies): boolean {
  const address = readAddress(peer)
  return forwarded !== "" && address !== undefined && !isProxy(address, proxies)
}

const WORDS = ["private", "any", "none"] as const

const isWord = (entry: string): entry is Proxies["peers"] => WORDS.some((word) => word === entry)

function isProxy(address: Address, proxies: Proxies): boolean {
  if (proxies.peers === "any" || isListed(address, proxies)) return true
  return proxies.peers === "private" && INNER.has(address.range())
}

function isListed(address: Address, { listed }: Proxies): boolean {
  return listed.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  )
}

/** As sockets and proxies write it. An IPv4 address within IPv6 (`::ffff:10.0.0.1`) is IPv4. */
function readAddress(text: string | undefined): Address | undefined {
  const [bare = ""] = text?.split("%") ?? []
  // The library alone would read `1` and `010.1` as addresses, too.
  return net.isIP(bare) === 0 ? undefined : ipaddr.process(bare)
}

/** A network of all addresses would make every caller a proxy. */
function networkIn(entry: string): Network | undefined {
  const [address = "", bits, more] = entry.split("/")
  const read = readAddress(address)
  if (!read || more !== undefined) return undefined
  const size = read.kind() === "ipv4" ? 32 : 128
  if (bits === undefined) return [read, size]
  const isWithin = /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= size
  return isWithin ? [read, Number(bits)] : undefined
}
