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

describe("[D14] publishing", () => {
  const WORKFLOWS = fs.readdirSync(path.join(ROOT, ".github/workflows"))

  /** The jobs of a workflow, each by the text below its name. */
  const jobsOf = (file: string): string[] => {
    const [, jobs = ""] = read(path.join(".github/workflows", file)).split(/^jobs:$/m)
    return jobs.split(/^ {2}(?=[\w-]+:$)/m).slice(1)
  }

  it("what may publish or write installs nothing, and runs no script of a package", () => {
    const strong = WORKFLOWS.flatMap(jobsOf).filter((job) => /: write$/m.test(job))
    expect(strong.length).toBeGreaterThan(1)
    for (const job of strong) {
      expect(job).not.toMatch(/npm (?:ci|install|i|run|exec)\b|npx |pnpm|yarn|scripts\//)
      for (const [line] of job.matchAll(/npm publish\b.*/g))
        expect(line).toContain("--ignore-scripts")
    }
    expect(strong.filter((job) => job.includes("npm publish"))).toHaveLength(1)
    // Nobody gets both rights: to publish, and to change the repository.
    expect(strong.filter((job) => /id-token: write[^]*contents: write/.test(job))).toEqual([])
  })

  it.each(WORKFLOWS)("%s pins its actions by commit and keeps no credentials", (file) => {
    const text = read(path.join(".github/workflows", file))
    const used = [...text.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action)
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([])
    const checkouts = used.filter((action) => action.startsWith("actions/checkout@"))
    expect(text.match(/persist-credentials: false/g)).toHaveLength(checkouts.length)
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m)
  })
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
