import { readProofOptions } from "./options"

const KNOWN = ["crash", "mutants"]

describe("the command line of the proofs", () => {
  it("runs all proofs with the same seed each time when it has no options", () => {
    expect(readProofOptions([], KNOWN)).toEqual({
      names: KNOWN,
      seed: 1,
      scenario: undefined,
      payments: undefined,
      count: undefined,
      wire: undefined,
      jsonFile: undefined,
    })
  })

  it("takes several names with commas, a seed and a file", () => {
    const argv = ["--only", "mutants, crash", "--seed", "42", "--json", "proof.json"]
    argv.push(
      "--scenario",
      "delivered twice",
      "--payments",
      "200",
      "--wire",
      "odd",
      "--count",
      "10000",
    )
    expect(readProofOptions(argv, KNOWN)).toEqual({
      names: KNOWN,
      seed: 42,
      scenario: "delivered twice",
      payments: 200,
      count: 10_000,
      wire: "odd",
      jsonFile: "proof.json",
    })
  })

  it("refuses a proof that does not exist, and invalid values", () => {
    expect(() => readProofOptions(["--only", "crush"], KNOWN)).toThrow(/no proof "crush"/)
    expect(() => readProofOptions(["--seed", "1e9"], KNOWN)).toThrow(/whole number/)
    expect(() => readProofOptions(["--payments", "0"], KNOWN)).toThrow(/1 to 9999/)
    expect(() => readProofOptions(["--count", "few"], KNOWN)).toThrow(/1 to 999999/)
    expect(() => readProofOptions(["--wire", "rude"], KNOWN)).toThrow(/tidy, loose, odd/)
  })
})
