import type { lookup, LookupAddress } from "node:dns"
import { isIPv6 } from "node:net"
import fc from "fast-check"
import { outerLookup } from "./outer-lookup"

const PUBLIC = "198.51.100.7"

/** A name server that gives these answers in this order. */
function answering(...answers: readonly (readonly string[])[]): typeof lookup {
  const left = [...answers]
  const resolve = (_name: string, _options: object, callback: (...said: unknown[]) => void) => {
    const addresses = left.shift() ?? []
    callback(
      null,
      addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
    )
  }
  return resolve as typeof lookup
}

function resolved(
  resolve: ReturnType<typeof outerLookup>,
  all: boolean,
): Promise<string | readonly string[]> {
  return new Promise((settle) => {
    resolve("gateway.example", { all }, (error, found) => {
      if (error) settle(`refused: ${String(error.code)}`)
      else settle(typeof found === "string" ? found : found.map(nameOf))
    })
  })
}

const nameOf = ({ address }: LookupAddress) => address

describe("[S26] in production a name", () => {
  it.each([
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "169.254.169.254",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "fe80::1",
    "fe80::1%eth0",
  ])("that leads to %s, alone or beside another address, leads nowhere", async (address) => {
    for (const all of [true, false]) {
      for (const addresses of [[address], [PUBLIC, address]]) {
        const said = await resolved(outerLookup(answering(addresses)), all)
        expect(said).toBe("refused: ENOTFOUND")
      }
    }
  })

  it.each([
    "64:ff9b::7f00:1",
    "64:ff9b::169.254.169.254",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:c633:6407::1",
    "2001::4136:e378:8000:63bf:3fff:fdd2",
    "fd00:ec2::254",
    "fd20:ce::254",
    "100.100.100.200",
    "100.64.0.1",
    "192.0.0.192",
    "192.0.0.8",
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "64:ff9b::168.63.129.16",
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "198.18.0.1",
    "ff02::1",
    "fec0::1",
    "100::1",
    "no address",
  ])("[D7] that leads to %s leads nowhere, however it is written", async (address) => {
    expect(await resolved(outerLookup(answering([address])), true)).toBe("refused: ENOTFOUND")
    expect(await resolved(outerLookup(answering([PUBLIC, address])), false)).toBe(
      "refused: ENOTFOUND",
    )
  })

  it.each(["8.8.8.8", "2a00:1450:4001:829::200e", "64:ff9b::8.8.8.8", "172.16.0.1", "fd12::1"])(
    "[D7] that leads to %s is connected to there: public, private, or IPv4 for who has none",
    async (address) => {
      expect(await resolved(outerLookup(answering([address])), true)).toEqual([address])
    },
  )

  it.each([PUBLIC, "2001:db8::1", "10.1.2.3", "::ffff:198.51.100.7"])(
    "that leads to %s is connected to there",
    async (address) => {
      expect(await resolved(outerLookup(answering([address])), true)).toEqual([address])
      expect(await resolved(outerLookup(answering([address])), false)).toBe(address)
    },
  )

  /** The ways to write an IPv4 address within IPv6, some of them in full or with a zone. */
  const WRITTEN: readonly ((a: number, b: number, c: number, d: number) => string)[] = [
    (...parts) => parts.join("."),
    (...parts) => `::ffff:${parts.join(".")}`,
    (a, b, c, d) => `0:0:0:0:0:FFFF:${group(a, b)}:${group(c, d)}`,
    (...parts) => `64:ff9b::${parts.join(".")}`,
    (a, b, c, d) => `64:ff9b:0:0:0:0:${group(a, b)}:${group(c, d)}`,
    (a, b, c, d) => `2002:${group(a, b)}:${group(c, d)}::1`,
    (...parts) => `::${parts.join(".")}`,
    (...parts) => `::ffff:${parts.join(".")}%eth0`,
  ]
  const group = (high: number, low: number) => (high * 256 + low).toString(16)

  it("[D7] that leads to a drawn inner address leads nowhere, however it is written", async () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const inner4 = fc.constantFrom([127, 8], [169, 254], [0, 0], [100, 100], [224, 0], [255, 255])
    const written = fc
      .tuple(inner4, byte, byte, fc.constantFrom(...WRITTEN))
      .map(([[a = 0, b = 0], c, d, write]) => write(a, b, c, d))
    const part = fc.integer({ min: 0, max: 0xffff }).map((one) => one.toString(16))
    const rest = fc.tuple(part, part, part, part).map((parts) => parts.join(":"))
    const inner6 = fc
      .tuple(fc.constantFrom("fe80:0:0:0", "fd20:ce:0:0", "FD20:CE:0:0", "fd00:ec2:0:0"), rest)
      .map((parts) => parts.join(":"))
    await fc.assert(
      fc.asyncProperty(fc.oneof(written, inner6), fc.boolean(), async (address, all) => {
        const said = await resolved(outerLookup(answering([PUBLIC, address])), all)
        expect(said).toBe("refused: ENOTFOUND")
      }),
      { numRuns: 500 },
    )
  })

  it("is asked for at each connection: another address the second time is refused", async () => {
    const resolve = outerLookup(answering([PUBLIC], ["127.0.0.1"]))
    expect(await resolved(resolve, true)).toEqual([PUBLIC])
    expect(await resolved(resolve, true)).toBe("refused: ENOTFOUND")
  })
})
