/** What is released: manifests, packed pages, changelogs, and the page of the versions. */
import { execFileSync, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"

const ROOT = path.resolve(__dirname, "../..")
const FOLDERS = ["", ...fs.readdirSync(path.join(ROOT, "packages")).map((one) => `packages/${one}`)]
const TABLE_OF_VERSIONS = "docs/versions.md"
/** Folders that pages name and that are the store's own. */
const IN_STORE = new Set(["src/scripts", "src/subscribers/", "src/workflows/hooks/"])

type Manifest = {
  readonly name: string
  readonly version: string
  readonly engines: { readonly node: string }
  readonly peerDependencies?: { readonly [name: string]: string }
  readonly exports: { readonly [entry: string]: unknown }
  readonly files: readonly string[]
  readonly repository: { readonly url: string }
}

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8")
const manifestOf = (folder: string) =>
  JSON.parse(read(path.join(folder, "package.json"))) as Manifest
const manifests = FOLDERS.map((folder) => ({ folder, ...manifestOf(folder) }))
const codes = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code)

function script(name: string, ...args: string[]) {
  return spawnSync(process.execPath, [path.join(ROOT, "scripts", name), ...args], {
    cwd: ROOT,
    encoding: "utf8",
  })
}

/** The row of the table of versions that a manifest asks for. */
function rowOf({ name, version, engines, peerDependencies }: Manifest): string {
  const ranges = (text = "") => text.split(" || ").map((range) => `\`${range}\``)
  const cell = (text?: string) => (text ? ` ${ranges(text).join(" or ")} ` : " ")
  const cells = [`\`${name}\``, `\`${version}\``].map((text) => ` ${text} `)
  cells.push(cell(peerDependencies?.["@medusajs/medusa"]), cell(engines.node))
  cells.push(cell(peerDependencies?.["react"]))
  return `|${cells.join("|")}|`
}

describe("the manifests", () => {
  it("agree on repository, author, license, version, Node, and publishing", () => {
    const { status, stderr } = script("manifests.mjs", "--check")
    expect([status, stderr]).toEqual([0, ""])
  })

  it("are not published while their address is the placeholder", () => {
    const isPlaceholder = manifestOf("").repository.url.includes("/OWNER/")
    expect(script("manifests.mjs", "--publishable").status).toBe(isPlaceholder ? 1 : 0)
  })

  it.each(manifests)("$name has a licence and the version's changelog", ({ folder, version }) => {
    expect(read(path.join(folder, "LICENSE"))).toBe(read("LICENSE"))
    expect(read(path.join(folder, "CHANGELOG.md"))).toContain(`\n## ${version}\n`)
    expect(manifestOf(folder).files).toContain("CHANGELOG.md")
  })

  it("name for `attw` no exception but those of docs/dependencies.md", () => {
    const [, told = ""] = read("docs/dependencies.md").split("\n## Types that are not checked\n")
    const named = told.split("\n## ")[0]?.match(/^\| `[^`]+` \| `[^`]+`/gm) ?? []
    const excepted = manifests.flatMap(({ folder, name }) => {
      const file = path.join(folder, ".attw.json")
      const settings = JSON.parse(fs.existsSync(path.join(ROOT, file)) ? read(file) : "{}") as {
        readonly excludeEntrypoints?: readonly string[]
      }
      expect(Object.keys(settings).filter((key) => key !== "excludeEntrypoints")).toEqual([])
      return (settings.excludeEntrypoints ?? []).map((entry) => `| \`${name}\` | \`${entry}\``)
    })
    expect([...named].sort()).toEqual(excepted.sort())
  })
})

describe("the page of the versions", () => {
  it("has a row for each package, made from its manifest", () => {
    const rows = read(TABLE_OF_VERSIONS).match(/^\| `[\w-]+` \| `\d.*$/gm)
    expect(rows).toEqual(manifests.map(rowOf))
  })

  it("names the Medusa that the tests run with", () => {
    const { devDependencies } = JSON.parse(read("package.json"))
    expect(codes(read(TABLE_OF_VERSIONS))).toContain(devDependencies["@medusajs/medusa"])
  })

  it.each(manifests)("names each entry of $name, and no other", ({ name, exports }) => {
    const [, below = ""] = read(TABLE_OF_VERSIONS).split("\n## Exports\n")
    const row = below.split("\n").find((line) => line.startsWith(`| \`${name}\` `)) ?? ""
    const entries = codes(row).filter((code) => code.startsWith("."))
    expect(entries.sort()).toEqual(Object.keys(exports).sort())
  })

  it("names each CSS variable of the kit, and no other", () => {
    const [, below = ""] = read(TABLE_OF_VERSIONS).split("\n## CSS variables\n")
    const used = read("packages/checkout/style.css").match(/--mp-[\w-]+/g) ?? []
    expect(codes(below).sort()).toEqual([...new Set(used)].sort())
  })
})

describe("the pages that are packed", () => {
  const LINK = /\]\((?!https?:|#)([^)#\s]+)|<img src="(?!https?:)([^"]+)"/g
  /** A file of the repository that a page names without a link. */
  const MENTION = /`((?:src|packages|demo|bench|integration-tests|scripts)\/[\w./-]+)`(?!\]\()/g
  let copy: string

  beforeAll(() => {
    copy = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-release-"))
    for (const folder of ["scripts", "docs", "examples", "contract"]) {
      fs.cpSync(path.join(ROOT, folder), path.join(copy, folder), { recursive: true })
    }
    for (const file of ["README.fr.md", "SECURITY.md"]) {
      fs.copyFileSync(path.join(ROOT, file), path.join(copy, file))
    }
    for (const folder of FOLDERS) {
      fs.mkdirSync(path.join(copy, folder), { recursive: true })
      for (const file of ["package.json", "README.md", "LICENSE", "CHANGELOG.md"]) {
        fs.copyFileSync(path.join(ROOT, folder, file), path.join(copy, folder, file))
      }
      // What is packed here has no sources to build.
      const manifest = path.join(copy, folder, "package.json")
      const { scripts, ...rest } = JSON.parse(fs.readFileSync(manifest, "utf8")) as {
        readonly scripts: { readonly [name: string]: string }
      }
      const others = Object.entries(scripts).filter(([name]) => name !== "prepare")
      fs.writeFileSync(manifest, JSON.stringify({ ...rest, scripts: Object.fromEntries(others) }))
    }
  })
  afterAll(() => fs.rmSync(copy, { recursive: true }))

  it.each(FOLDERS)("of %j link only to what exists, and are restored afterwards", (folder) => {
    const home = path.join(copy, folder)
    execFileSync("npm", ["pack", "--pack-destination", home], { cwd: home, stdio: "pipe" })
    const [tarball = ""] = fs.readdirSync(home).filter((file) => file.endsWith(".tgz"))
    execFileSync("tar", ["-xzf", tarball], { cwd: home })
    const packed = path.join(home, "package")
    const files = fs.readdirSync(packed, { recursive: true, encoding: "utf8" })
    const pages = files.filter((file) => file.endsWith(".md"))
    expect(pages).toContain("README.md")
    const lost = pages.flatMap((page) => {
      const text = fs.readFileSync(path.join(packed, page), "utf8").replace(/^```[^]*?^```/gm, "")
      const links = [...text.matchAll(LINK)].map(([, link, image]) => link ?? image ?? "")
      // A README is shown on npm's page, where no other file is beside it.
      const dead = links.filter((link) => {
        const target = path.join(path.dirname(page), link)
        return page.startsWith("README") || !files.includes(target)
      })
      const mentions = [...text.matchAll(MENTION)].map(([, mention = ""]) => mention)
      const absent = mentions.filter((file) => !files.includes(file) && !IN_STORE.has(file))
      return [...dead, ...absent].map((target) => `${page}: ${target}`)
    })
    expect(lost).toEqual([])
    for (const page of pages) {
      expect(fs.readFileSync(path.join(home, page), "utf8")).toBe(read(path.join(folder, page)))
    }
  })

  it("show the pictures and pages of the version's tag", () => {
    const home = path.join(copy, "linked")
    fs.mkdirSync(home)
    const source = [
      "[![tests](../../actions/badge.svg)](../../actions) [a](#b) [c](https://x.example/)",
      '<img src="docs/screenshots/checkout.png" alt="">',
      "[docs](../docs/install.md#options)",
    ].join("\n")
    fs.writeFileSync(path.join(home, "package.json"), "{}")
    fs.writeFileSync(path.join(home, "README.md"), source)
    const change = (way: string) => {
      execFileSync(process.execPath, [path.join(copy, "scripts/readme-links.mjs"), way], {
        cwd: home,
      })
      return fs.readFileSync(path.join(home, "README.md"), "utf8")
    }
    const { name, version, repository } = manifestOf("")
    const address = repository.url.replace("git+", "").replace(".git", "")
    const absolute = change("absolute")
    expect(absolute).toContain(
      `src="${address}/raw/${name}@${version}/linked/docs/screenshots/checkout.png"`,
    )
    expect(absolute).toContain(`[docs](${address}/blob/${name}@${version}/docs/install.md#options)`)
    expect(absolute).toContain("[a](#b) [c](https://x.example/)")
    expect(change("relative")).toBe(source)
    // A pack that was cut off, and a version later the next one.
    const old = absolute.replaceAll(`${name}@${version}/`, `${name}@0.0.1/`)
    for (const [way, becomes] of [
      ["absolute", absolute],
      ["relative", source],
    ] as const) {
      for (const left of [absolute, old]) {
        fs.writeFileSync(path.join(home, "README.md"), left)
        expect(change(way)).toBe(becomes)
      }
    }
    expect(fs.readdirSync(home).sort()).toEqual(["README.md", "package.json"])
  })

  it.each(FOLDERS)("have relative links in the checkout of %j", (folder) => {
    const { repository } = manifestOf("")
    const address = repository.url.replace("git+", "").replace(".git", "")
    expect(read(path.join(folder, "README.md"))).not.toMatch(
      new RegExp(`${address}/(raw|blob)/[^/]+@`),
    )
  })
})
