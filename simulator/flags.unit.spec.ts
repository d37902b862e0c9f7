import { optionsFrom } from "./flags"

test("flags become options", () => {
  expect(
    optionsFrom(["--port", "0", "--speed", "10", "--latency", "200", "--seed", "a", "--book", "b"]),
  ).toEqual({ port: 0, speed: 10, latencyMs: 200, seed: "a", bookFile: "b" })
})

test.each([
  [["--speed", "fast"], "--speed wants a number"],
  [["--fee-bearer", "ME"], "--fee-bearer wants PAYER or PAYEE"],
  [["--nope"], "--nope"],
])("%p is refused by name", (argv, sentence) => {
  expect(() => optionsFrom(argv)).toThrow(sentence)
})

test("--help asks for help", () => {
  expect(optionsFrom(["--help"])).toBe("help")
})
