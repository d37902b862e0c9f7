/**
 * The documents say what the code does. What they name exists, and what exists for a shop (routes,
 * variables, options, codes, states, flags, commands) is named in the page of whoever needs it.
 */
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { runInNewContext } from "node:vm"
import { transformSync } from "@swc/core"
import { WALLET_STATES } from "../../packages/simulator/src/book/money-records"
import { RETRY_FORMS } from "../../packages/simulator/src/faults/entry"
import { HELP } from "../../packages/simulator/src/flags"
import { resolved } from "../../packages/simulator/src/options"
import { OUTCOMES } from "../../packages/simulator/src/rules/timeline"
import * as simulator from "../../packages/simulator/src"
import { statusState } from "../../src/checkout/schemas/status"
import * as config from "../../src/config"
import { END_REASONS, REVIEW_REASONS } from "../../src/core/operation"
import { PROVIDER_IDS } from "../../src/core/flows"
import { MESSAGES } from "../../src/core/messages"
import { compareSides } from "../../src/reconciliation/rules/reconciliation"
import { STATUS_OF } from "../../src/core/refusal"
import { reportOf } from "../../src/reconciliation/reconcile"
import { accountOptions, readEnvironment } from "../../src/medusa/environment"
import { readKeys } from "../../src/medusa/secrets/keys"
import { anOperation, NOON } from "../support/an-operation"
import { readOptions } from "../../demo/run/options.cjs"

const ROOT = path.resolve(__dirname, "../..")
const PAGES = [
  "README.md",
  "README.fr.md",
  "CONTRIBUTING.md",
  "packages/gateway/README.md",
  "packages/simulator/README.md",
  ...fs
    .readdirSync(path.resolve(ROOT, "docs"))
    .flatMap((file) => (file.endsWith(".md") ? [`docs/${file}`] : [])),
]
const DOCUMENTS = [...PAGES, "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md"]
/** A page is for one reader, and the README for somebody who has five minutes. */
const BYTES_MAX = { readme: 12_000, page: 24_000 }
const PLACES = [
  "src",
  "packages/gateway/src",
  "packages/simulator/src",
  "demo/run",
  "demo/store/src",
  "demo/storefront/src",
  "bench",
  "integration-tests/live",
]

/** The variables of the live suite. */
const LIVE = "MERCHANT_PAYMENTS_LIVE_"

const NO_RECORDS = {
  sources: [],
  listed: [],
  operations: [],
  unaskableIds: [],
  unclearIds: [],
  restBack: new Map(),
  payments: [],
}

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8")
/** Pages in French say what their English page says, as `readme-french.spec.ts` knows. */
const TEXT = PAGES.filter((page) => !page.endsWith(".fr.md"))
  .map(read)
  .join("\n")

/** Source files below a folder, without what is built or installed. */
function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((file) => path.join(folder, file))
    .filter((file) => /\.(ts|tsx|cjs|mjs|json)$/.test(file) && !file.includes("node_modules"))
    .sort()
}

/** The text below a heading of any page, up to the next of the same or a higher level. */
function below(heading: string): string {
  const [marks = ""] = heading.split(" ")
  const [, rest] = `\n${TEXT}`.split(`\n${heading}\n`)
  if (rest === undefined) throw new Error(`No page has ${heading}`)
  return rest.split(new RegExp(`\n#{1,${marks.length}} `))[0] ?? ""
}

/** Everything that matches, once each, sorted. */
function found(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? match[0]))].sort()
}

/** Inline code, with tables' columns and without fenced blocks. */
const inlineCode = (text: string) => found(text.replace(/```[^]*?```/g, ""), /`([^`\n]+)`/g)

function expectNamed(names: Iterable<string>, text: string): void {
  const codes = inlineCode(text)
  expect([...names].filter((name) => !codes.includes(name))).toEqual([])
}

/** Settings of PostgreSQL and PgBouncer that the pages name and no source file contains. */
const OF_THE_DATABASE = [
  "idle_in_transaction_session_timeout",
  "ignore_startup_parameters",
  "search_path",
]

describe("the documents", () => {
  it.each(["scripts/readme.mjs", "scripts/api-reference.mjs"])("are what %s writes", (script) => {
    const { status, stderr } = spawnSync(process.execPath, [script, "--check"], {
      cwd: ROOT,
      encoding: "utf8",
    })
    expect([status, stderr]).toEqual([0, ""])
  })

  it("name each environment variable that the plugin reads, and no other", () => {
    const names = new Set<string>()
    const remembering = new Proxy<Record<string, string | undefined>>(
      {},
      { get: (_, name) => (names.add(String(name)), "https://gateway.example") },
    )
    readEnvironment(remembering, {})
    readKeys(remembering)
    const named = found(read("README.md"), /`(MERCHANT_PAYMENTS_\w+)`/g)
    expect(named).toEqual([...names].sort())
    const all = found(TEXT, /\bMERCHANT_PAYMENTS_\w+/g)
    const live = all.filter((name) => name.startsWith(LIVE))
    expect(all.filter((name) => !live.includes(name))).toEqual([...names].sort())
    // The live suite is not the plugin's, and reads its own.
    const source = filesBelow("integration-tests/live").map(read).join("\n")
    expect(live.filter((name) => !source.includes(`"${name}"`))).toEqual([])
  })

  it("name each environment variable that the demo reads, and no other", () => {
    const names = new Set<string>()
    const values: Record<string, string> = { MERCHANT_PAYMENTS_BASE_URL: "https://x.example" }
    const remembering = new Proxy<Record<string, string | undefined>>(values, {
      get: (target, name) => (names.add(String(name)), target[String(name)]),
    })
    readOptions(remembering, ROOT)
    const named = found(below("## Change the demo"), /`([A-Z]+_[A-Z_]+)`/g)
    expect(named).toEqual([...names].sort())
  })

  it("name each option of the account, and no other", () => {
    const named = found(below("## Options"), /^\| `(\w+)` /gm)
    expect(named).toEqual(Object.keys(accountOptions.shape).sort())
  })

  it("name no route in a table that the plugin does not have", () => {
    const routes = found(read("docs/api.md"), /^### ([A-Z]+ \/.+)$/gm)
    const ours = /^\| `((?:GET|POST|DELETE) \/(?:admin\/|store\/)?merchant-payments\/[^`]+)`/gm
    const named = found(TEXT, ours).map((route) => [route, route.replace(/\/\w+$/, "/:action")])
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((forms) => !forms.some((form) => routes.includes(form)))).toEqual([])
  })

  it("show the result of a comparison with its keys, and name each thing that was done", () => {
    const section = below("## Sweeps, reconciliation, and what is kept")
    const shown = JSON.parse(/```json\n([^]*?)```/.exec(section)?.[1] ?? "") as {
      accounts: [{ differences: [object] }]
    }
    const operations = [anOperation({ state: "completed", recordedAt: NOON })]
    const [difference] = compareSides({ ...NO_RECORDS, operations })
    if (!difference) throw new Error("the books agree")
    const report = reportOf("mpacc_env", NO_RECORDS, [{ ...difference, done: "listed" }], [])
    const [account] = shown.accounts
    expect(Object.keys(account)).toEqual(Object.keys(report))
    expect(Object.keys(account.differences[0])).toEqual(Object.keys(report.differences[0] ?? {}))
    expectNamed(
      ["held_for_review", "checked_again", "listed", ...Object.keys(MESSAGES.difference)],
      section,
    )
  })

  it("list the routes that the guard watches, and no other", () => {
    const watched = [...read("src/api/middlewares.ts").matchAll(/matcher: "([^"]+)"([^}]*)/g)]
      .filter(([, , rest]) => rest?.includes("guard"))
      .map(([, address = ""]) => address.replace("/*", ""))
    const named = found(below("## The guard"), /^\|[^|]*?`[A-Z ]*(\/[\w/:-]+)`/gm)
    expect(named.sort()).toEqual([...new Set(watched)].sort())
  })

  it("list the simulator's controls, and no other", () => {
    const text = filesBelow("packages/simulator/src/control").map(read).join("\n")
    const controls = [...text.matchAll(/app\.(\w+)\(\s*"([^"]+)"/g)].map(
      ([, method = "", address]) => `${method.toUpperCase()} ${address}`,
    )
    const named = found(TEXT, /`((?:GET|POST|DELETE) \/_simulator[^`]*)`/g)
    expect(named).toEqual(controls.sort())
  })

  it("explain each option of the simulator, and no other", () => {
    const options = [...Object.keys(resolved({})), "clientId", "clientSecret", "merchantName"]
    const [prose = "", table = ""] = below("## Options of the simulator").split("\n| Option ")
    const inTable = found(table, /^\| `(\w+)` /gm)
    expectNamed(options, `${prose} ${inTable.map((name) => `\`${name}\``).join(" ")}`)
    expect(inTable.filter((name) => !options.includes(name))).toEqual([])
  })

  it("put the simulator's default first, where there are several values", () => {
    const settings: Record<string, unknown> = resolved({})
    const rows = below("## Options of the simulator").matchAll(
      /^\| `(\w+)` +\| `?(\w+)`?, (?:`\w+`|\d{3} )/gm,
    )
    const first = [...rows].map(([, name = "", value]) => [name, value])
    expect(first.length).toBeGreaterThan(12)
    expect(first).toEqual(first.map(([name = ""]) => [name, String(settings[name])]))
  })

  it("explain each fault, outcome and state of a wallet that the simulator knows", () => {
    expectNamed(simulator.FAULT_KINDS, below("## Faults of the simulator"))
    expectNamed(RETRY_FORMS, below("## Faults of the simulator"))
    expectNamed([...OUTCOMES, ...WALLET_STATES], below("## Controls of the simulator"))
  })

  it("explain each state of STATUS and each reason", () => {
    const text = below("## STATUS")
    expectNamed(statusState.options, text)
    expectNamed(END_REASONS, text)
    expectNamed(REVIEW_REASONS, below("## Review"))
  })

  it("explain each code that a route refuses with, and no other", () => {
    const named = found(below("## Errors"), /^\| `(\w+)` /gm)
    expect(named).toEqual(Object.keys(STATUS_OF).sort())
  })

  it("name the providers, the figures and the flags", () => {
    expectNamed([...PROVIDER_IDS], TEXT)
    const figures = filesBelow("bench/figures").flatMap((file) =>
      found(read(file), /\bname: "(\w+)"/g),
    )
    expect(found(below("## Figures"), /^\| `(\w+)` +\| [^|]+\| [\d.p]/gm)).toEqual(figures.sort())
    expect(TEXT).toContain(HELP.trimEnd())
  })

  it("name nothing that the code does not know", () => {
    const settings = read("node_modules/@medusajs/types/dist/common/config-module.d.ts")
    const known = [...PLACES.flatMap(filesBelow).map(read), settings, ...OF_THE_DATABASE].join("\n")
    const names = inlineCode(TEXT).filter((code) => /^[a-z]+([_A-Z][a-zA-Z]*)+$/.test(code))
    expect(names.length).toBeGreaterThan(80)
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(known))).toEqual([])
  })
})

describe("the examples of the documents", () => {
  /** The block of code that follows `<!-- example: NAME -->`, run with what it may require. */
  function run(name: string, required: Record<string, unknown>): { exports: unknown } {
    const block = new RegExp(`<!-- example: ${name} -->\\n+\`\`\`ts\\n([^]*?)\`\`\``).exec(TEXT)
    const { code } = transformSync(block?.[1] ?? "throw new Error('no such example')", {
      jsc: { parser: { syntax: "typescript" }, target: "es2022" },
      module: { type: "commonjs" },
    })
    const module = { exports: {} as unknown }
    const require = (id: string) => required[id]
    const known = { require, module, exports: {}, process, console: { log: () => {} } }
    const ended: unknown = runInNewContext(`(async () => {${code}\n})()`, known)
    return { exports: name === "simulator" ? ended : module.exports }
  }

  const medusa = {
    "@medusajs/framework/utils": { defineConfig: (given: object) => given, loadEnv: () => {} },
    "medusa-plugin-merchant-payments/config": config,
  }

  it("make the same configuration by the helper and by hand", () => {
    const withHelper = JSON.stringify(run("config", medusa).exports)
    // Here the plugin is this checkout, in a shop it goes by its name.
    const named = withHelper
      .replaceAll(`${ROOT}/.medusa/server/src`, "medusa-plugin-merchant-payments")
      .replaceAll(ROOT, "medusa-plugin-merchant-payments")
    expect(JSON.parse(named)).toEqual(JSON.parse(JSON.stringify(run("explicit", medusa).exports)))
  })

  it("share locks, events, and workflows in production, by modules that exist", () => {
    type Module = { resolve: string; options: { providers?: Module[]; is_default?: boolean } }
    const { modules } = run("production", medusa).exports as { modules: Module[] }
    const shared = modules.flatMap((one) => [one, ...(one.options.providers ?? [])])
    const names = shared.map(({ resolve }) => resolve).filter((name) => name.includes("redis"))
    expect(names.map((name) => name.replace("@medusajs/medusa/", ""))).toEqual([
      "event-bus-redis",
      "workflow-engine-redis",
      "locking-redis",
    ])
    for (const name of names) expect(() => require.resolve(name)).not.toThrow()
  })

  it("start a simulator and stop it", async () => {
    const started: simulator.Simulator[] = []
    const startSimulator = async (options: simulator.SimulatorOptions) => {
      const one = await simulator.startSimulator(options)
      started.push(one)
      return one
    }
    const parts = { "merchant-payments-simulator": { startSimulator } }
    const ended = Promise.resolve(run("simulator", parts).exports)
    // An example that fails half-way must not keep the tests from ending.
    const cleaned = ended.finally(() => Promise.all(started.map((one) => one.close())))
    await expect(cleaned).resolves.toBeUndefined()
    expect(started).toHaveLength(1)
  })
})

describe("each document", () => {
  it.each(PAGES)("%s is short enough to be read", (page) => {
    // A reference is searched, not read.
    if (read(page).startsWith("<!-- Written by")) return
    const bytesMax = page.startsWith("README") ? BYTES_MAX.readme : BYTES_MAX.page
    expect(Buffer.byteLength(read(page))).toBeLessThanOrEqual(bytesMax)
  })

  it.each(DOCUMENTS)("%s links to files that exist, and describes its pictures", (document) => {
    const text = read(document)
    const targets = [
      ...found(text, /\]\((?!https?:|#)([^)#]+)/g),
      ...found(text, /<img src="([^"]+)"/g),
    ]
    const folder = path.dirname(path.join(ROOT, document))
    // Pages of the forge beside the files, as `integration-tests/package/forge.spec.ts` knows them.
    const files = targets.filter((target) => !/^\.\.\/\.\.\/(actions|security)\//.test(target))
    expect(files.filter((target) => !fs.existsSync(path.join(folder, target)))).toEqual([])
    expect(found(text, /<img [^>]+>/g).filter((image) => !/ alt="[^"]{20,}"/.test(image))).toEqual(
      [],
    )
  })

  it.each(DOCUMENTS)("%s names commands, folders and files that exist", (document) => {
    const text = read(document)
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read("package.json"))
    const commands = found(text, /npm run ([\w:]+)/g)
    expect(commands.filter((command) => !(command in scripts))).toEqual([])
    const files = inlineCode(text).filter((code) =>
      /^(src|packages|demo|bench|integration-tests|contract|docs|scripts)\/[\w./-]*$/.test(code),
    )
    expect(files.filter((file) => !fs.existsSync(path.join(ROOT, file)))).toEqual([])
  })

  it("shows each screenshot", () => {
    const shown = found(TEXT, /<img src="(?:docs\/)?screenshots\/([^"]+)"/g)
    const kept = fs.readdirSync(path.join(ROOT, "docs/screenshots"))
    expect(kept.filter((file) => !shown.includes(file))).toEqual([])
  })

  it("says of each dependency why it is there, and of nothing else", () => {
    const { dependencies, peerDependencies, devDependencies } = JSON.parse(read("package.json"))
    const simulator = JSON.parse(read("packages/simulator/package.json"))
    const client = JSON.parse(read("packages/gateway/package.json"))
    const titles = [
      ...["At run time", "Of the gateway client", "From the store"],
      ...["Of the simulator", "For development"],
    ]
    const sections = read("docs/dependencies.md").split("\n## ")
    const named = titles.map((title) =>
      found(sections.find((text) => text.startsWith(title)) ?? "", /^\| `([^`]+)` +\| \S/gm),
    )
    const kept: object[] = [
      ...[dependencies, client.dependencies, peerDependencies],
      ...[simulator.dependencies, devDependencies],
    ]
    expect(named).toEqual(kept.map((list) => Object.keys(list).sort()))
  })
})
