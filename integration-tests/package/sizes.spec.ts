/**
 * What a store and a program install with the plugin and the client: how many packages, by the lock
 * file, and how many megabytes, of the files that are installed and packed here. No network is asked.
 */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { buildAll, buildGateway } from "../../demo/run/build.cjs"

jest.setTimeout(600_000)

const ROOT = path.resolve(__dirname, "../..")
const PLUGIN = "medusa-plugin-merchant-payments"
const CLIENT = "merchant-payments-gateway"
const MOST = {
  [PLUGIN]: { packages: 12, bytes: 15_000_000 },
  [CLIENT]: { packages: 3, bytes: 8_400_000 },
}

type Locked = {
  readonly link?: true
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(
  fs.readFileSync(path.join(ROOT, "package-lock.json"), "utf8"),
)

/** The folder in which a package finds another: its own `node_modules`, or one further up. */
function placeOf(name: string, from: string): string {
  const inside = `${from ? `${from}/` : ""}node_modules/${name}`
  const found = packages[inside]
  if (found) return found.link ? (found.resolved ?? "") : inside
  if (from === "") throw new Error(`The lock file has no ${name}.`)
  const up = from.lastIndexOf("/node_modules/")
  return placeOf(name, up < 0 ? "" : from.slice(0, up))
}

/** The folders of all that comes with the package of a folder, peers apart. */
function neededBy(folder: string, known = new Set<string>()): ReadonlySet<string> {
  const { dependencies, optionalDependencies } = packages[folder] ?? {}
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = placeOf(name, folder)
    if (known.has(place)) continue
    known.add(place)
    neededBy(place, known)
  }
  return known
}

function bytesBelow(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => fs.statSync(path.join(folder, file)))
    .reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0)
}

/** Of the plugin what is packed of it, of the client what is built, of any other what is installed. */
function bytesOf(place: string): number {
  const own = {
    "": `demo/store/node_modules/${PLUGIN}`,
    "packages/gateway": "packages/gateway/dist",
  }
  return bytesBelow(path.join(ROOT, { ...own }[place] ?? place))
}

beforeAll(async () => {
  const logs = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-build-"))
  const signal = new AbortController().signal
  const context = { root: ROOT, logs, say: () => {}, signal }
  await buildAll({ ...context, hasStorefront: false })
  await buildGateway(context)
  fs.rmSync(logs, { recursive: true })
})

describe.each([
  [PLUGIN, "", "the plugin"],
  [CLIENT, "packages/gateway", "the client alone"],
] as const)("%s", (name, folder, title) => {
  const places = [folder, ...neededBy(folder)]
  const [, row = ""] =
    new RegExp(`^\\| ${title} \\|(.*)\\|$`, "m").exec(
      fs.readFileSync(path.join(ROOT, "docs/dependencies.md"), "utf8"),
    ) ?? []
  const [written, files] = row.split("|").map((cell) => Number(/[\d.]+/.exec(cell)?.[0]))

  it("brings few packages, as docs/dependencies.md counts them", () => {
    expect(places.length).toBeLessThanOrEqual(MOST[name].packages)
    expect(written).toBe(places.length)
  })

  it("is small together with them, as docs/dependencies.md measures it", () => {
    const bytes = places.map(bytesOf).reduce((sum, one) => sum + one, 0)
    expect(bytes).toBeLessThan(MOST[name].bytes)
    // Versions of a range differ a little.
    expect(Math.abs(bytes / 1e6 - Number(files))).toBeLessThan(0.5)
  })
})
