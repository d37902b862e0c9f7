import { readInstallOptions } from "./options"

describe("the command line of the installation", () => {
  it("plays every package manager where nothing is said", () => {
    const { managers, oldPlugin, jsonFile } = readInstallOptions([])
    expect(managers.map(({ name }) => name)).toEqual(["npm", "pnpm", "yarn1", "yarn4"])
    expect([oldPlugin, jsonFile]).toEqual([undefined, undefined])
  })

  it("takes some, a folder of older packages and a file", () => {
    const argv = ["--only", "yarn4, npm", "--old", "older", "--json", "seen.json"]
    const { managers, oldPlugin, jsonFile } = readInstallOptions(argv)
    expect(managers.map(({ name }) => name)).toEqual(["npm", "yarn4"])
    expect([oldPlugin, jsonFile]).toEqual(["older", "seen.json"])
  })

  it("refuses one that it does not know", () => {
    expect(() => readInstallOptions(["--only", "bun"])).toThrow(/no manager "bun"/)
  })
})
