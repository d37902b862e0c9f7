/**
 * A French page is its English page in another language: the same headings, rows, items and pictures
 * in the same order, the same code, and the same names in it. Where one changes, the other has to.
 */
import fs from "node:fs"
import path from "node:path"
import { typeset } from "../../src/admin/i18n/typeset"

const ROOT = path.resolve(__dirname, "../..")
const PAGES = ["README.md", "docs/install.md", "docs/merchant-guide.md"]

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8")
const frenchOf = (page: string) => page.replace(/\.md$/, ".fr.md")
const BLOCK = /^```[^]*?^```/gm
const proseOf = (text: string) => text.replace(BLOCK, "")

/** Headings, numbered and listed items, rows of tables, and pictures, without their words. */
const shapeOf = (text: string) =>
  proseOf(text)
    .split("\n")
    .flatMap(
      (line) =>
        /^(#+ |\d\. |- |\| (?=`)|\| )|<img src="[^"]+" width="\d+"/.exec(line.trim())?.[0] ?? [],
    )

/** Names in code, each once: variables, options, routes, states. */
const namesIn = (text: string) =>
  [...new Set([...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, name]) => name))].sort()

it("each French page has an English one", () => {
  const pages = [".", "docs"].flatMap((folder) =>
    fs.readdirSync(path.join(ROOT, folder)).map((file) => path.join(folder, file)),
  )
  const french = pages.filter((file) => file.endsWith(".fr.md"))
  expect(french.sort()).toEqual(PAGES.map(frenchOf).sort())
})

describe.each(PAGES)("the French page of %s", (page) => {
  const english = read(page)
  const french = read(frenchOf(page))

  it("has the same sections, steps, rows and pictures", () => {
    expect(shapeOf(french)).toEqual(shapeOf(english))
  })

  it("has the same blocks of code", () => {
    expect(french.match(BLOCK)).toEqual(english.match(BLOCK))
  })

  it("names the same things in code as the English page", () => {
    expect(namesIn(french)).toEqual(namesIn(english))
  })

  it("links to the English page, which links back", () => {
    expect(french).toContain(`[In English](${path.basename(page)})`)
    expect(english).toMatch(
      new RegExp(`\\[[Ee]n français\\]\\(${path.basename(frenchOf(page))}\\)`),
    )
  })

  it("uses the same spaces as the admin", () => {
    const prose = proseOf(french).replace(/`[^`\n]+`|<!--.*?-->|\]\([^)]*\)/g, "")
    expect(typeset({ prose }).prose).toBe(prose)
  })
})
