/**
 * Whom a request counts for: the network that it comes from. The address is as Express sees it; Medusa
 * trusts one proxy, so it is what the last proxy wrote into `X-Forwarded-For`, and without a proxy
 * whatever the caller wrote there. What is no address does not count: then it is the peer's own.
 */
import net from "node:net"

export type Addressed = {
  readonly ip?: string | undefined
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined
}

/** An IPv4 address, or the /64 of an IPv6 address: one subscriber has a whole one. */
export function networkOf({ ip, socket }: Addressed): string {
  return networkOfAddress(ip) ?? networkOfAddress(socket?.remoteAddress) ?? "unknown"
}

function networkOfAddress(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  if (net.isIPv4(address)) return address
  return net.isIPv6(address) ? networkOfIPv6(address) : undefined
}

function networkOfIPv6(address: string): string {
  const [bare = ""] = address.split("%")
  const [head = "", tail] = bare.split("::")
  const before = groupsOf(head)
  const after = groupsOf(tail ?? "")
  const zeros = Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0)
  const groups = [...before, ...zeros, ...after]
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".")
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(":")}::/64`
}

/** The last 32 bits may be written as an IPv4 address. */
function groupsOf(text: string): number[] {
  if (text === "") return []
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}
