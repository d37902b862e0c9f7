import { readInstallOptions } from "./options"

describe("the command line of the installation", () => {
  it("plays every package manager and starter where nothing is said", () => {
    const { grounds, oldPlugin, jsonFile } = readInstallOptions([])
    const starters = ["medusa-starter-default", "dtc-starter"]
    expect(grounds).toEqual(["npm", "pnpm", "yarn1", "yarn4", ...starters])
    expect([oldPlugin, jsonFile]).toEqual([undefined, undefined])
  })

  it("takes some, a folder of older packages and a file", () => {
    const argv = ["--only", "yarn4, npm", "--old", "older", "--json", "seen.json"]
    const { grounds, oldPlugin, jsonFile } = readInstallOptions(argv)
    expect(grounds).toEqual(["npm", "yarn4"])
    expect([oldPlugin, jsonFile]).toEqual(["older", "seen.json"])
  })

  it("refuses one that it does not know", () => {
    expect(() => readInstallOptions(["--only", "bun"])).toThrow(/no "bun" to install with/)
  })
})
