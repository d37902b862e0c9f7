import { settingSentence } from "../accounts/rules/setting-problems"
import manifest from "../../package.json"
import { medusaVersion, TESTED_MEDUSA, versionProblems } from "./tested-medusa"

it("the peers ask for the versions of Medusa that are tested", () => {
  const { "@medusajs/ui": ui, ...peers } = manifest.peerDependencies
  const ofMedusa = Object.entries(peers).filter(([name]) => name.startsWith("@medusajs/"))
  expect(ofMedusa).toHaveLength(5)
  for (const [name, range] of ofMedusa) expect([name, range]).toEqual([name, `~${TESTED_MEDUSA}.0`])
  expect(ui).toMatch(/^~/)
})

it.each(["2.21.0", "2.21.2", "2.21.9", "2.21.3-snapshot-20270101", undefined, "latest"])(
  "nothing is said of Medusa %s",
  (version) => {
    expect(versionProblems(version)).toEqual([])
  },
)

it.each(["2.22.0", "2.20.4", "2.210.0", "3.0.0", "12.21.0", "2.22.0-snapshot-20260911212358"])(
  "the log and the setup check name Medusa %s and what is tested",
  (version) => {
    const [problem, ...others] = versionProblems(version)
    expect(others).toEqual([])
    expect(problem).toMatchObject({ setting: "medusa", status: "warning" })
    const text = problem && settingSentence(problem)
    expect(text).toContain(`Medusa ${version}`)
    expect(text).toContain(`Medusa ${TESTED_MEDUSA}`)
  },
)

it("the version is the one that the store has installed", () => {
  expect(medusaVersion()).toBe(manifest.devDependencies["@medusajs/medusa"])
})
