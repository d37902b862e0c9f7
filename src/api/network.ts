/**
 * The network that a request counts for. Express takes the address from `X-Forwarded-For` as the
 * last proxy wrote it, because Medusa trusts one proxy; without a proxy the caller can write any
 * value. A value that is no address is ignored in favour of the peer's address.
 */
import net from "node:net"

type Addressed = {
  readonly ip?: string | undefined
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined
}

/** An IPv4 address, or the /64 of an IPv6 address, which is one subscriber's. */
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

/** The last 32 bits of an IPv6 address may be written as an IPv4 address. */
function groupsOf(text: string): number[] {
  if (text === "") return []
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}
