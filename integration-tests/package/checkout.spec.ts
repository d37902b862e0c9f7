/** What a storefront installs as the kit: the packed workspace. */
import fs from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import { buildCheckout } from "../../demo/run/build.cjs"
import { bin, ROOT, run, usePacked } from "./support/packed"

jest.setTimeout(600_000)

const HOME = path.join(ROOT, "packages/checkout")

const packed = usePacked("checkout", buildCheckout)

it("the kit's package holds its modules, stylesheet and README, and no tests", () => {
  const files = run("tar", ["-tzf", packed.tarball], HOME).trim().split("\n")
  const wanted = ["README.md", "style.css", "dist/esm/index.js", "dist/cjs/react/index.js"]
  expect(files).toEqual(expect.arrayContaining(wanted.map((file) => `package/${file}`)))
  expect(files.filter((file) => /\.spec\.|\/(testing|src)\//.test(file))).toEqual([])
})

describe("the browsers that the kit's README names", () => {
  const readme = fs.readFileSync(path.join(HOME, "README.md"), "utf8")
  const [, line = ""] = /\*\*Browsers\*\*: ([^.]+) and later\./.exec(readme) ?? []
  const target = Array.from(line.matchAll(/([A-Z]\w+) (\d+)/g), ([, name = "", version = ""]) =>
    `${name}${version}`.toLowerCase(),
  )
  /** What Vite builds shops with knows what each browser reads. */
  const { transformSync } = createRequire(createRequire(__filename).resolve("vite"))("esbuild") as {
    transformSync(code: string, options: object): { code: string; warnings: readonly unknown[] }
  }
  const read = (file: string) => fs.readFileSync(path.join(HOME, file), "utf8")
  const scripts = () =>
    fs
      .readdirSync(path.join(HOME, "dist"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".js"))
      .map((file) => path.join("dist", file))
  const isReadAsItIs = (code: string, loader: "js" | "css") => {
    // Escapes of categories are as old as escapes, and Safari 14.0 destructures all but oddities.
    const supported = { "regexp-unicode-property-escapes": true, destructuring: true }
    const made = (to: unknown) => transformSync(code, { loader, target: to, supported })
    const [old, newest] = [made(target), made("esnext")]
    return old.code === newest.code && old.warnings.length === 0
  }

  it("are those of the phones in use", () => {
    expect(target).toEqual(["chrome80", "edge80", "firefox78", "safari14"])
  })

  it("read its scripts and its stylesheet without a translation", () => {
    expect(scripts().length).toBeGreaterThan(20)
    expect(scripts().filter((file) => !isReadAsItIs(read(file), "js"))).toEqual([])
    // What a browser does not know of it is left out, or stands behind @supports.
    const plain = read("style.css").replace(/@supports [^]*/, "")
    expect(isReadAsItIs(plain, "css")).toBe(true)
  })

  it("tell a newer syntax from theirs", () => {
    for (const code of ["a ??= 1", "/(?<=a)b/", "class A { static a = 1 }", "a.b?.c; a ||= 1"]) {
      expect([code, isReadAsItIs(code, "js")]).toEqual([code, false])
    }
  })

  it("have what its scripts call", () => {
    const later =
      /AbortSignal\.|structuredClone|BroadcastChannel|\.canParse|Response\.json|randomUUID|\.replaceAll\(|\.(?:at|findLast|toSorted)\(|\.hasOwn\(|Promise\.any|requestIdleCallback|addEventListener\([^)]*\{/
    expect(scripts().filter((file) => later.test(read(file)))).toEqual([])
  })

  it("part what the stylesheet parts: a gap is a grid's", () => {
    const rules = read("style.css").match(/[^{}]+\{[^{}]*\}/g) ?? []
    const others = rules.filter((rule) => /[^-]gap:/.test(rule) && !/display: grid/.test(rule))
    expect(others.filter((rule) => !/^\s*--gap:/.test(rule))).toEqual([])
  })
})

it("the kit's types are found by every way of resolving them, the old one of Next.js storefronts included", () => {
  run(bin("publint"), [packed.tarball, "--strict"], HOME)
  run(bin("attw"), [packed.tarball], HOME)
})
