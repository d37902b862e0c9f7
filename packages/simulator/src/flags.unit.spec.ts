import { optionsFrom } from "./flags"

test("flags become options", () => {
  expect(
    optionsFrom(["--port", "0", "--speed", "10", "--latency", "200", "--seed", "a", "--book", "b"]),
  ).toEqual({ port: 0, speed: 10, latencyMs: 200, seed: "a", bookFile: "b" })
})

test("lags and lives become options", () => {
  expect(optionsFrom(["--status-lag", "8000", "--session-life", "30000"])).toEqual({
    statusLagMs: 8_000,
    sessionLifeMs: 30_000,
  })
})

test("what tokens do becomes options", () => {
  expect(optionsFrom(["--new-token-ends-former", "--token-valid-after", "3000"])).toEqual({
    newTokenEndsFormer: true,
    tokenValidAfterMs: 3_000,
  })
})

test("faults become scripts and chance", () => {
  const scripts = ["--fault", "executeCollection=ok,500:after", "--fault", "executeCollection=hang"]
  const others = ["--fault", "listOrders=429:date", "--faults-random", "0.05", "--faults-seed", "x"]
  expect(optionsFrom([...scripts, ...others, "--requests-per-second", "5"])).toEqual({
    faults: { executeCollection: ["ok", "500:after", "hang"], listOrders: ["429:date"] },
    randomFaults: { rate: 0.05, seed: "x" },
    requestsPerSecond: 5,
  })
})

test("faults by chance follow the general seed", () => {
  expect(optionsFrom(["--faults-random", "0.5", "--seed", "a"])).toMatchObject({
    randomFaults: { rate: 0.5, seed: "a" },
  })
})

test("switches for money out become options", () => {
  const flags = ["--unverified", "--passcode", "1357", "--hide-payment-intents"]
  const ways = ["--refund-currency", "PAYER", "--partial-refunds", "UNCAPPED"]
  expect(optionsFrom([...flags, ...ways])).toEqual({
    isVerified: false,
    passcode: "1357",
    showsPaymentIntent: false,
    refundCurrency: "PAYER",
    partialRefunds: "UNCAPPED",
  })
})

test("the temper of the wire and single habits become options", () => {
  const flags = ["--wire", "loose", "--habit", "newest_ten", "--habit", "ambiguous"]
  expect(optionsFrom(flags)).toEqual({ wire: "loose", habits: ["newest_ten", "ambiguous"] })
})

test.each([
  [["--wire", "rude"], "--wire wants one of tidy, loose, odd"],
  [["--habit", "newest_nine"], "--habit wants a habit of the wire"],
  [["--refund-currency", "MINE"], "--refund-currency wants one of SOURCE, PAYER, PAYEE"],
  [["--fault", "executeCollection"], "--fault wants"],
  [["--fault", "executeCollection=501"], "--fault wants"],
  [["--fault", "executeCollection=500,"], "--fault wants"],
  [["--faults-random", "2"], "--faults-random wants a share"],
  [["--faults-random", "often"], "--faults-random wants a number"],
  [["--speed", "fast"], "--speed wants a number"],
  [["--fee-bearer", "ME"], "--fee-bearer wants PAYER or PAYEE"],
  [["--nope"], "--nope"],
])("%p is refused by name", (argv, sentence) => {
  expect(() => optionsFrom(argv)).toThrow(sentence)
})

test("--help asks for help", () => {
  expect(optionsFrom(["--help"])).toBe("help")
})
