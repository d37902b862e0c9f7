/**
 * Which room of the house may know which: read from the imports themselves, so that a shortcut
 * taken in a hurry is a red test and not a habit.
 */
import fs from "node:fs"
import path from "node:path"
import ts from "typescript"

const ROOT = path.resolve(__dirname, "../../..")
const LONGEST_FILE = 400
/** Where ids come in; four files read them in a text that the plugin itself has written. */
const ID_EDGES = [
  /^src\/core\/ports\.ts$/,
  /^src\/(api|ledger|medusa|providers)\//,
  /\/sql\//,
  /^packages\/gateway\/src\/(terms\/ids\.ts$|wire\/|existing-record\.ts$)/,
  /^src\/core\/source-reference\.ts$/,
  /^src\/core\/derived-reference\.ts$/,
  /^src\/refunds\/rules\/adopt-refund\.ts$/,
  /^src\/review\/read-operations\.ts$/,
  /\/schemas\//,
]
/** All that a module keeps by itself, and why no store sees another's. What is a store's own is kept
 * by `perStore`. */
const STATE_OF_MODULES: Readonly<Record<string, string>> = {
  "src/admin/lib/passcode.ts kept timer": "a browser's page has one admin",
  "src/api/respond.ts uncached": "by a response, which one store writes",
  "src/checkout/limit-start.ts served": "by a start, which one store takes",
  "src/core/time-zone.ts formats": "a format says the same in every store",
  "src/medusa/adapters/shop-captcha.ts noHandler": "Medusa registers workflows for the process",
  "src/medusa/adapters/shop-check.ts held": "Medusa registers workflows for the process",
  "src/medusa/wiring/field-logger.ts made": "by a store's logger",
  "src/medusa/wiring/flows-from.ts shared fitting": "by a store's pool, before it has a database",
  "src/telemetry/metrics.ts made isMoneyShown": "the process has one SDK for all that it measures",
}
const CLIENT = "packages/gateway/src"
const SIMULATOR = "packages/simulator/src"

type Import = { readonly file: string; readonly target: string; readonly isTypeOnly: boolean }

/** Every source file below a folder, from the root, without what is built, installed or a test. */
const filesBelow = (folder: string) =>
  everyFileBelow(folder).filter((file) => !/\.spec\.tsx?$/.test(file))

function everyFileBelow(folder: string): string[] {
  const start = path.join(ROOT, folder)
  if (!fs.existsSync(start)) return []
  return fs.readdirSync(start, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    const file = path.relative(ROOT, path.join(entry.parentPath, entry.name))
    const isSource = entry.isFile() && /\.(ts|tsx|cjs|mjs)$/.test(entry.name)
    const isForeign = /(^|\/)(node_modules|\.medusa|\.demo|dist)\//.test(file)
    return isSource && !isForeign ? [file] : []
  })
}

const linesOf = (file: string) =>
  fs.readFileSync(path.join(ROOT, file), "utf8").split("\n").length - 1

/** What a file imports, re-exports and requires: a package's name, or a path from the root. */
function importsOf(file: string): Import[] {
  const text = fs.readFileSync(path.join(ROOT, file), "utf8")
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, isTypeOnly: boolean) => {
    if (!specifier || !ts.isStringLiteral(specifier)) return
    const { text: name } = specifier
    const target = name.startsWith(".") ? path.join(path.dirname(file), name) : name
    found.push({ file, target, isTypeOnly })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.isTypeOnly === true)
    } else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true)
    } else if (ts.isCallExpression(node)) {
      const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword
      const isRequire = ts.isIdentifier(node.expression) && node.expression.text === "require"
      if (isImport || isRequire) add(node.arguments[0], false)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const importsBelow = (folder: string) => filesBelow(folder).flatMap(importsOf)

/** Imports of a folder that match none of what it may know, as `file -> target`. */
function strangers(folder: string, allowed: readonly RegExp[], ignored: RegExp = /^$/): string[] {
  return importsBelow(folder)
    .filter(({ target }) => !target.startsWith(`${folder}/`) && target !== folder)
    .filter(({ target, file }) => !ignored.test(file) && !allowed.some((one) => one.test(target)))
    .map(({ file, target }) => `${file} -> ${target}`)
}

/** The circles of a graph, each by the first of its files. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  const walk = (file: string, trail: readonly string[]): void => {
    const before = trail.indexOf(file)
    if (before >= 0) circles.push(trail.slice(before))
    if (before >= 0 || done.has(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...trail, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  return circles
}

const NODE = /^node:/
const ZOD = /^zod$/
const MEDUSA = /^@medusajs\//
/** What the client and the plugin both speak of; the client itself is another import. */
const TERMS = /^packages\/gateway\/src\/terms\/[a-z-]+$/
const inner = (...rooms: string[]) => rooms.map((room) => new RegExp(`^src/${room}(/|$)`))

/** What each room may know besides itself. */
const LOWEST = ["core", "gateway", "ledger", "telemetry"]
const MONEY = [...LOWEST, "engine", "checkout", "refunds", "payouts"]
const WORK = [...MONEY, "orders", "worker"]
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  gateway: [],
  ledger: ["core"],
  telemetry: ["core", "gateway", "ledger"],
  engine: LOWEST,
  checkout: [...LOWEST, "engine"],
  refunds: [...LOWEST, "engine"],
  payouts: [...LOWEST, "engine"],
  orders: MONEY,
  worker: [...MONEY, "orders"],
  review: WORK,
  "payment-links": [...WORK, "review"],
  reconciliation: [...WORK, "review"],
  accounts: [...WORK, "review"],
  papers: WORK,
  notifications: [...WORK, "review", "reconciliation"],
}
const OUTER = [
  "medusa",
  "modules",
  "providers",
  "jobs",
  "links",
  "subscribers",
  "workflows",
  "scripts",
  "api",
]

describe("the arrows of the house", () => {
  it.each(Object.entries(ROOMS))("%s knows %j, and no room around it", (room, known) => {
    const packages: Readonly<Record<string, readonly RegExp[]>> = {
      core: [/^google-libphonenumber$/, /^node:crypto$/, /^uuid$/, ZOD, TERMS],
      telemetry: [NODE, /^@medusajs\/framework\/opentelemetry\/api$/],
      gateway: [NODE, /^ipaddr\.js$/, /^packages\/gateway\/src$/],
    }
    const allowed = [...inner(...known), ...(packages[room] ?? [NODE, ZOD])]
    expect(strangers(`src/${room}`, allowed)).toEqual([])
  })

  it("every folder of the source is a room of the house", () => {
    const folders = fs
      .readdirSync(path.join(ROOT, "src"), { withFileTypes: true })
      .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    expect(folders.sort()).toEqual([...Object.keys(ROOMS), ...OUTER, "admin", "policies"].sort())
  })

  it("no file comes back to itself through what it imports", () => {
    const graph = new Map<string, string[]>()
    const sources = ["src", CLIENT]
    const files = new Set(sources.flatMap(filesBelow).map((file) => file.replace(/\.tsx?$/, "")))
    for (const { file, target } of sources.flatMap(importsBelow)) {
      const found = [target, `${target}/index`].filter((one) => files.has(one))
      const from = file.replace(/\.tsx?$/, "")
      graph.set(from, [...(graph.get(from) ?? []), ...found])
    }
    expect(circlesOf(graph)).toEqual([])
  })

  it("rules know the core, and the rules and schemas of their own room, and nothing else", () => {
    const outside = Object.keys(ROOMS).flatMap((room) =>
      strangers(`src/${room}/rules`, inner("core", `${room}/schemas`)),
    )
    expect(outside).toEqual([])
  })

  it("what crosses a border is described in `schemas/`", () => {
    const rooms = Object.keys(ROOMS).filter((room) => room !== "core")
    const elsewhere = rooms
      .flatMap((room) => importsBelow(`src/${room}`))
      .filter(({ target, file }) => ZOD.test(target) && !file.includes("/schemas/"))
    expect(elsewhere).toEqual([])
  })

  it("SQL stands in the ledger, in `sql/` and with Medusa's tables, and nowhere else", () => {
    const rooms = Object.keys(ROOMS).filter((room) => room !== "ledger")
    const asking = rooms
      .flatMap((room) => filesBelow(`src/${room}`))
      .filter((file) => !file.includes("/sql/"))
      .filter((file) => /\.query\(/.test(fs.readFileSync(path.join(ROOT, file), "utf8")))
    expect(asking).toEqual([])
  })

  it("the tables are reached through what asks whether they fit", () => {
    const direct = filesBelow("src").flatMap((file) => {
      const text = fs.readFileSync(path.join(ROOT, file), "utf8")
      return [...text.matchAll(/(?<!function )\bdatabaseOver\(/g)].map(() => file)
    })
    expect(direct).toEqual(["src/medusa/wiring/flows-from.ts"])
  })

  it("an id is made in rows, routes, Medusa's adapters and the wire, and nowhere else", () => {
    const makers = ["src", CLIENT]
      .flatMap(filesBelow)
      .filter((file) =>
        /\bidFrom\b|\bas (\w+Id|Reference|LeaseToken)\b/.test(
          fs.readFileSync(path.join(ROOT, file), "utf8").replace(/^import [^;]*?$/gm, ""),
        ),
      )
    expect(makers.length).toBeGreaterThan(20)
    expect(makers.filter((file) => !ID_EDGES.some((edge) => edge.test(file)))).toEqual([])
  })

  it("core reads no clock and rolls no dice outside its ports, and no rule does", () => {
    const rules = Object.keys(ROOMS).map((room) => `src/${room}/rules`)
    const pure = ["src/core", `${CLIENT}/terms`, ...rules]
      .flatMap(filesBelow)
      .filter((file) => !/\/(core|terms)\/ports\.ts$/.test(file))
    const impure = pure.filter((file) =>
      /Date\.now|new Date\(\)|Math\.random|performance\.|process\.|setTimeout|console\./.test(
        fs.readFileSync(path.join(ROOT, file), "utf8"),
      ),
    )
    expect(impure).toEqual([])
  })

  it("the client knows nothing of the plugin: it is a package of its own", () => {
    expect(strangers(CLIENT, [NODE, /^undici$/, /^zod$/])).toEqual([])
    expect(strangers(`${CLIENT}/terms`, [/^node:timers\/promises$/])).toEqual([])
  })

  it("every room speaks to the gateway by its front door", () => {
    const doors = importsBelow("src")
      .filter(({ target }) => target.startsWith(`${CLIENT}/`) || target === CLIENT)
      .map(({ file, target }) => `${file.split("/")[1]} ${TERMS.test(target) ? "terms" : target}`)
    expect([...new Set(doors)].sort()).toEqual(["core terms", `gateway ${CLIENT}`])
    const inside = importsBelow("src")
      .filter(({ file }) => !file.startsWith("src/gateway/"))
      .filter(({ target }) => target.startsWith("src/gateway/") && target !== "src/gateway/index")
    expect(inside).toEqual([])
  })

  it("the shop's and the admin's browser code takes nothing but types, words, markets, settings and how numbers are written from the server", () => {
    const shared = ["account-settings", "markets", "messages", "phone-text"].map(
      (name) => `src/core/${name}`,
    )
    for (const folder of ["src/admin", "src/storefront", "demo/storefront/src"]) {
      const values = importsBelow(folder).filter(
        ({ target, isTypeOnly }) =>
          /^(src|packages)\//.test(target) &&
          !target.startsWith(`${folder}/`) &&
          !shared.includes(target) &&
          !isTypeOnly,
      )
      expect(values).toEqual([])
    }
  })

  it("the simulator is the other side: it knows nothing of the product and nothing of Medusa", () => {
    const own = importsBelow(SIMULATOR).filter(
      ({ target }) =>
        /^(src|demo|bench|integration-tests|packages\/gateway|merchant-payments-gateway)(\/|$)/.test(
          target,
        ) || MEDUSA.test(target),
    )
    expect(own).toEqual([])
    const known = importsBelow("src").filter(({ target }) =>
      /^(packages\/(?!gateway\/)|merchant-payments-simulator)/.test(target),
    )
    expect(known).toEqual([])
  })

  it("the product needs no test, no demo and no bench", () => {
    const needed = [...importsBelow("src"), ...importsBelow(SIMULATOR)].filter(({ target }) =>
      /^(demo|bench|integration-tests)\//.test(target),
    )
    expect(needed).toEqual([])
  })

  it("the demo's shop uses the plugin as a customer would: by its name", () => {
    const inside = importsBelow("demo/store").filter(({ target }) => target.startsWith("src/"))
    expect(inside).toEqual([])
  })
})

describe("the product's own packages", () => {
  const CLIENT_FOLDER = "packages/gateway"
  const rangesOf = (folder: string): Readonly<Record<string, unknown>> => {
    const manifest: unknown = JSON.parse(
      fs.readFileSync(path.join(ROOT, folder, "package.json"), "utf8"),
    )
    expect(manifest).toMatchObject({ dependencies: expect.any(Object) })
    const { dependencies } = manifest as { dependencies: Record<string, unknown> }
    return dependencies
  }
  const neededBy = (folder: string) => Object.keys(rangesOf(folder)).sort()

  it("[S12] are those of the client, which is part of the package, and four more", () => {
    const more = ["google-libphonenumber", "ipaddr.js", "qrcode.react", "uuid"]
    expect(neededBy(".")).toEqual([...more, ...neededBy(CLIENT_FOLDER)].sort())
    const [plugin, client] = [rangesOf("."), rangesOf(CLIENT_FOLDER)]
    expect(plugin).toMatchObject(client)
  })

  it("[S12] of the client are two, and all that it imports", () => {
    const imported = importsBelow(CLIENT)
      .map(({ target }) => target)
      .filter((target) => !target.startsWith("packages/") && !NODE.test(target))
    expect(neededBy(CLIENT_FOLDER)).toEqual(["undici", "zod"])
    expect([...new Set(imported)].sort()).toEqual(neededBy(CLIENT_FOLDER))
  })

  it("of the simulator are four, and all that it imports", () => {
    const imported = importsBelow(SIMULATOR)
      .filter(({ file }) => !/\/(specs|testing)\//.test(file))
      .map(({ target }) => target.split("/")[0] ?? "")
      .filter((target) => target !== "packages" && !NODE.test(target))
    expect(neededBy("packages/simulator")).toEqual(["ajv", "ajv-formats", "fastify", "zod"])
    expect([...new Set(imported)].sort()).toEqual(neededBy("packages/simulator"))
  })

  it("of the admin's pages are only theirs", () => {
    const taken = importsBelow("src").filter(
      ({ file, target }) => /^qrcode/.test(target) && !file.startsWith("src/admin/"),
    )
    expect(taken).toEqual([])
  })

  it("are all that it imports, besides Medusa's", () => {
    const known =
      /^(node:|@medusajs\/(framework|medusa\/core-flows|admin-sdk|dashboard|js-sdk|ui|icons|types)|@tanstack\/react-query$|react)/
    const own = /^(google-libphonenumber|ipaddr\.js|qrcode\.react|uuid|zod)(\/|$)/
    const foreign = importsBelow("src")
      .filter(({ target }) => !/^(src|packages\/gateway\/src)(\/|$)/.test(target))
      .filter(({ target }) => !known.test(target) && !own.test(target))
    expect(foreign).toEqual([])
  })
})

/** What a module keeps and changes: each `let`, and each map or set that is no constant. */
function stateOf(file: string): string[] {
  const state = /^(?:export )?(?:let (\w+)|const ([a-z]\w*)\b[^=]*= new (?:Weak)?(?:Map|Set)\b)/gm
  const found = [...fs.readFileSync(path.join(ROOT, file), "utf8").matchAll(state)]
  return found.length === 0 ? [] : [[file, ...found.map(([, a, b]) => a ?? b)].join(" ")]
}

it("two stores in one process share nothing that a module keeps", () => {
  expect(filesBelow("src").flatMap(stateOf).sort()).toEqual(Object.keys(STATE_OF_MODULES))
})

describe("a source file", () => {
  const all = ["src", CLIENT, SIMULATOR, "demo/run", "demo/store/src", "demo/storefront/src"]

  it("fits in a head, a test as well", () => {
    const files = [...all, "integration-tests", "bench", "examples"].flatMap(everyFileBelow)
    const long = files.filter((file) => linesOf(file) > LONGEST_FILE)
    expect(long).toEqual([])
  })

  it("is named in kebab case", () => {
    const odd = all
      .flatMap(filesBelow)
      .map((file) => path.basename(file))
      .filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)+$/.test(name))
      .filter((name) => !/^Migration\d{14}\.ts$/.test(name))
    expect(odd).toEqual([])
  })
})

it("[S10] no page of the admin makes HTML of a text: what the gateway says is shown as it is", () => {
  const pages = filesBelow("src/admin")
  expect(pages.length).toBeGreaterThan(0)
  const makesHtml =
    /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write\b/
  expect(
    pages.filter((file) => makesHtml.test(fs.readFileSync(path.join(ROOT, file), "utf8"))),
  ).toEqual([])
})

it("[D15] no limit counts by an address that a caller wrote: `network.ts` alone says where a request is from", () => {
  const reads = /"(x-)?forwarded|"x-real-ip|remoteAddress|\bips?\b/
  const readers = filesBelow("src").filter((file) =>
    reads.test(fs.readFileSync(path.join(ROOT, file), "utf8")),
  )
  expect(readers).toEqual(["src/api/network.ts"])
})
