/** What the forge runs and asks for: the same test as everywhere, and nothing of a person. */
import fs from "node:fs"
import path from "node:path"

const ROOT = path.resolve(__dirname, "../..")
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8")
const SCRIPT = "node_modules/medusa-plugin-merchant-payments/.medusa/server/src/scripts/"

it("the forge runs what `.ci/run` runs, on the oldest Node of each promised line and on Node 24", () => {
  const workflow = read(".github/workflows/ci.yml")
  const runs = [...workflow.matchAll(/^ +- run: (.+)$/gm)].map(([, command]) => command)
  expect(runs).toEqual([".ci/run"])
  const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } }
  const promised = engines.node.match(/\d+\.\d+\.\d+/g)
  const [, listed = ""] = /node: \[([^\]]+)\]/.exec(workflow) ?? []
  expect(listed.match(/\d+\.\d+\.\d+/g)).toEqual([...(promised ?? []), "24.0.0"])
})

it("the README's badge shows the workflow", () => {
  const badges = read("README.md").match(/\.\.\/\.\.\/actions\/workflows\/[\w.]+/g) ?? []
  expect(badges.length).toBeGreaterThan(0)
  for (const badge of badges) {
    expect(fs.existsSync(path.join(ROOT, ".github/workflows", path.basename(badge)))).toBe(true)
  }
})

it("the security page and the forms give an address for reporting weaknesses", () => {
  expect(read("SECURITY.md")).toContain("(../../security/advisories/new)")
  expect(read(".github/ISSUE_TEMPLATE/config.yml")).toContain("/security/advisories/new")
})

it.each(["problem.yml", "wish.yml"])("the form %s asks for no personal data", (form) => {
  expect(read(`.github/ISSUE_TEMPLATE/${form}`)).toMatch(/no personal data/i)
})

it("the form for a problem asks for the operation's history, and names a script that exists", () => {
  const form = read(".github/ISSUE_TEMPLATE/problem.yml")
  expect(form).toContain("The operation's story")
  const [, script = ""] = new RegExp(`${SCRIPT}([\\w-]+)\\.js`).exec(form) ?? []
  expect(fs.existsSync(path.join(ROOT, `src/scripts/${script}.ts`))).toBe(true)
})
