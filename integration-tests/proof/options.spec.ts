import { readProofOptions } from "./options"

const KNOWN = ["crash", "mutants"]

describe("the command line of the proofs", () => {
  it("runs all of them, with the same seed each time, when nothing is said", () => {
    expect(readProofOptions([], KNOWN)).toEqual({
      names: KNOWN,
      seed: 1,
      scenario: undefined,
      jsonFile: undefined,
    })
  })

  it("takes several names with commas, a seed and a file", () => {
    const argv = ["--only", "mutants, crash", "--seed", "42", "--json", "proof.json"]
    argv.push("--scenario", "delivered twice")
    expect(readProofOptions(argv, KNOWN)).toEqual({
      names: KNOWN,
      seed: 42,
      scenario: "delivered twice",
      jsonFile: "proof.json",
    })
  })

  it("refuses a proof that does not exist, and a seed that is none", () => {
    expect(() => readProofOptions(["--only", "crush"], KNOWN)).toThrow(/no proof "crush"/)
    expect(() => readProofOptions(["--seed", "1e9"], KNOWN)).toThrow(/whole number/)
  })
})
