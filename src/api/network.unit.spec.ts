import { networkOf } from "./network"

const JUNK = "x".repeat(14_000)

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
  ])("of %s is %s", (ip, network) => {
    expect(networkOf({ ip })).toBe(network)
  })

  it.each(["", "unknown", "10.0.0.1.example", "10.0.0.256", JUNK, "<script>", "10.0.0.1:443"])(
    "is the peer's where the header is no address: %#",
    (ip) => {
      expect(networkOf({ ip, socket: { remoteAddress: "192.0.2.7" } })).toBe("192.0.2.7")
    },
  )

  it("is short, however long a valid address is", () => {
    const network = networkOf({ ip: `fe80::1%${"a".repeat(14_000)}::2` })
    expect(network).toBe("fe80:0:0:0::/64")
  })

  it("is the same for all requests without a known address", () => {
    expect(networkOf({ ip: JUNK })).toBe(networkOf({}))
  })
})
