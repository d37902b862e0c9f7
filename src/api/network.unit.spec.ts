import { proxiesIn } from "../medusa/proxies"
import { networkOfCaller } from "./network"

const JUNK = "x".repeat(14_000)
const PROXY = "10.0.0.1"
const CALLER = "198.51.100.7"

const networkAt = (peer: string | undefined, forwarded = "", setting?: string) =>
  networkOfCaller(peer, forwarded, proxiesIn(setting).proxies)

describe("[S21] the network of a request", () => {
  it.each([
    ["10.0.0.1", "10.0.0.1"],
    ["::ffff:10.0.0.1", "10.0.0.1"],
    ["::ffff:a00:1", "10.0.0.1"],
    ["0:0:0:0:0:ffff:10.0.0.1", "10.0.0.1"],
    ["::1", "0:0:0:0::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0DB8:1:2:ffff::9", "2001:db8:1:2::/64"],
    ["2001:db8::5", "2001:db8:0:0::/64"],
    ["64:ff9b::10.0.0.1", "64:ff9b:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("of %s is %s", (address, network) => {
    expect(networkAt(address)).toBe(network)
    expect(networkAt(PROXY, address)).toBe(network)
  })

  it.each(["", "unknown", "10.0.0.1.example", "10.0.0.256", "1", JUNK, "<script>", "10.0.0.1:443"])(
    "is the peer's where the header is no address: %#",
    (forwarded) => {
      expect(networkAt(PROXY, forwarded)).toBe(PROXY)
    },
  )

  it("is short, however long a valid address is", () => {
    expect(networkAt(PROXY, `fe80::1%${"a".repeat(14_000)}::2`)).toBe("fe80:0:0:0::/64")
  })

  it("is the same for all callers who have hung up, whatever they wrote", () => {
    expect(networkAt(undefined, CALLER)).toBe(networkAt(undefined, "203.0.113.9"))
  })
})

/** What a caller writes to count for another network. */
const FORGED = [
  ...["203.0.113.9", "203.0.113.9, 203.0.113.10", "203.0.113.9, 10.0.0.1", "203.0.113.9,,", ",,,"],
  ...[
    "10.0.0.1",
    "127.0.0.1",
    "::1",
    "2001:db8::9",
    "::ffff:203.0.113.9",
    "0:0:0:0:0:ffff:cb00:7109",
  ],
  ...["unknown", JUNK, "203.0.113.9".padEnd(2_000, ",203.0.113.9")],
]

describe("[D15] a forged header does not choose the network", () => {
  it.each(FORGED)("of a caller who reaches the store directly: %#", (forged) => {
    for (const peer of [CALLER, `::ffff:${CALLER}`]) expect(networkAt(peer, forged)).toBe(CALLER)
    expect(networkAt("2001:db8:1:2::9", forged)).toBe("2001:db8:1:2::/64")
    // Without a proxy, addresses of an inner network are callers', too.
    expect(networkAt("10.1.2.3", forged, "none")).toBe("10.1.2.3")
    expect(networkAt("::ffff:127.0.0.1", forged, "none")).toBe("127.0.0.1")
    // A proxy is listed, and this peer is not it.
    expect(networkAt("10.1.2.3", forged, "10.0.0.1, 203.0.113.0/24")).toBe("10.1.2.3")
  })

  it.each(FORGED)("of a caller behind a proxy that appends the caller's address: %#", (forged) => {
    for (const proxy of [PROXY, "::ffff:10.0.0.1", "127.0.0.1", "::1", "100.64.0.9", "fd12::1"]) {
      expect(networkAt(proxy, `${forged}, ${CALLER}`)).toBe(CALLER)
    }
    expect(networkAt("192.0.2.80", `${forged}, ${CALLER}`, "192.0.2.80")).toBe(CALLER)
    expect(networkAt("192.0.2.81", `${forged}, ${CALLER}`, "any")).toBe(CALLER)
    // A caller within the inner network, such as the shop's office, is passed over by no word.
    expect(networkAt(PROXY, `${forged}, 10.7.7.7`)).toBe("10.7.7.7")
  })

  it.each(FORGED)("of a caller behind a CDN and a load balancer: %#", (forged) => {
    const setting = "private, 192.0.2.0/24, 2001:db8:cd::/48"
    for (const cdn of ["192.0.2.80", "2001:db8:cd::80", "::ffff:192.0.2.80"]) {
      expect(networkAt(PROXY, `${forged}, ${CALLER}, ${cdn}`, setting)).toBe(CALLER)
      expect(networkAt(cdn, `${forged}, ${CALLER}`, setting)).toBe(CALLER)
    }
  })
})

describe("the proxies of a setting", () => {
  it.each([
    ["", []],
    ["none", []],
    [" private , 203.0.113.7, 2001:db8::/32", []],
    ["proxy.example", ["proxy.example"]],
    [
      "1, 010.0.0.1, 10.0.0.0/33, 10.0.0.0/8/8, ::1/129",
      ["1", "010.0.0.1", "10.0.0.0/33", "10.0.0.0/8/8", "::1/129"],
    ],
    ["0.0.0.0/0, ::/0", ["0.0.0.0/0", "::/0"]],
    ["private, none, any", ["none", "any"]],
  ])("of %j are read, and what is none is named", (setting, wrong) => {
    expect(proxiesIn(setting).wrong).toEqual(wrong)
  })

  it("are as if unset where nothing of it can be read", () => {
    expect(proxiesIn("proxy.example").proxies).toEqual(proxiesIn(undefined).proxies)
  })
})
