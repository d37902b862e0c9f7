import { variablesWithValue } from "./application"
import { readReadme } from "./readme-steps"

describe("the README's steps", () => {
  const readme = readReadme()

  it("have the lines that a machine carries out, where it looks for them", () => {
    expect(readme.step(1).code).toMatch(/^npm ci && npm run tarballs -- \S+\/vendor$/m)
    expect(readme.step(2).code).toMatch(/^npm install \.\/vendor\/\S+\.tgz$/m)
    expect(readme.step(3).code).toContain("withMerchantPayments(module.exports)")
    expect(readme.step(5).quoted).toEqual(["Migration scripts completed"])
    expect(readme.step(6).code).toMatch(/ && npx medusa start\n$/)
    expect(readme.step(7).quoted[0]).toBe("Test connection")
  })

  it("name no variable for which the installation has no value", () => {
    expect([...readme.variables].sort()).toEqual([...variablesWithValue()].sort())
  })
})
