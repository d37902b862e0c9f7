/**
 * The merchant's pages name what stands on the screen by its exact words, and links between pages
 * lead to headings that exist. A word that changes in a dictionary changes in these pages, too.
 */
import fs from "node:fs"
import path from "node:path"
import en from "../../src/admin/i18n/en.json"
import fr from "../../src/admin/i18n/fr.json"
import { typeset } from "../../src/admin/i18n/typeset"

const ROOT = path.resolve(__dirname, "../..")
const MEDUSA = "node_modules/@medusajs/dashboard/src/i18n/translations"
/** The parts of Medusa's dictionary whose words a merchant meets beside the plugin's pages. */
const MEDUSA_PARTS = ["app", "orders", "actions", "fields", "profile"] as const
/** Below as many letters around its facts, a text of the dictionary would match anything. */
const LETTERS_MIN = 8
const FACT = /\{\{.*?\}\}|<\d+\/>/

type Texts = { readonly [key: string]: string | Texts }

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8")

function textsOf(texts: Texts): string[] {
  return Object.values(texts).flatMap((text) => (typeof text === "string" ? [text] : textsOf(text)))
}

function medusaTexts(language: "en" | "fr"): string[] {
  const all = JSON.parse(read(`${MEDUSA}/${language}.json`)) as Record<string, Texts>
  return MEDUSA_PARTS.flatMap((part) => textsOf(all[part] ?? {}))
}

/** Whether the dictionary has the words, or a text that becomes them once its facts are filled in. */
function isOnScreen(words: string, dictionary: readonly string[]): boolean {
  return dictionary.some((text) => {
    if (text === words) return true
    const parts = text.split(FACT)
    if (parts.length === 1 || parts.join("").replace(/\P{L}/gu, "").length < LETTERS_MIN)
      return false
    const pattern = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join(".+")
    return new RegExp(`^${pattern}$`).test(words)
  })
}

const boldIn = (text: string) => [
  ...new Set([...text.matchAll(/\*\*([^*\n]+)\*\*/g)].map(([, words = ""]) => words)),
]

describe("the merchant's pages", () => {
  const english = [...textsOf(en), ...medusaTexts("en")]
  const french = [...textsOf(typeset(fr)), ...medusaTexts("fr")]

  it.each([
    ["docs/admin.md", english],
    ["docs/merchant-guide.md", english],
    ["docs/merchant-guide.fr.md", french],
  ] as const)("%s has in bold only words that stand on the screen", (page, dictionary) => {
    const bold = boldIn(read(page))
    expect(bold.length).toBeGreaterThan(40)
    expect(bold.filter((words) => !isOnScreen(words, dictionary))).toEqual([])
  })

  it("have the same sections and steps in both languages", () => {
    const shape = (page: string) =>
      read(page)
        .split("\n")
        .flatMap((line) => /^(#+ |\d\. |\| )/.exec(line)?.[0] ?? [])
    expect(shape("docs/merchant-guide.fr.md")).toEqual(shape("docs/merchant-guide.md"))
  })
})

describe("the pages for engineers", () => {
  /** What stands in a terminal, in a log, in Medusa's forms or in the merchant's own words. */
  const OTHERS = new Set([
    ...["Migration scripts completed", "Unable to retrieve the payment provider"],
    ...["Mobile Money (MERCHANT)", "Hosted Checkout (MERCHANT)", "Liberia", "Rwanda"],
    ...["Copy payment link", "Operator 1", "Operator 1 Mobile Money", "Ignored build scripts"],
  ])
  const PAPERS = read("src/papers/words/en.ts") + read("demo/storefront/src/words/en.ts")
  const french = textsOf(typeset(fr))

  it.each(["README", "docs/install", "docs/try-it", "docs/upgrade", "docs/receipts"])(
    "quote in %s.md only words that people see",
    (page) => {
      const prose = read(`${page}.md`).replace(/```[^]*?```|`[^`\n]*`|<[^>]*>/g, "")
      const quoted = [...prose.matchAll(/"(\p{Lu}[^"\n]+)"/gu)].map(([, words = ""]) => words)
      expect(
        quoted.filter(
          (words) =>
            !OTHERS.has(words) && !isOnScreen(words, textsOf(en)) && !PAPERS.includes(`"${words}"`),
        ),
      ).toEqual([])
    },
  )

  it.each(["README.fr.md", "docs/install.fr.md"])(
    "quote in %s only words that people see",
    (page) => {
      const quoted = [...read(page).matchAll(/«\u202F([^»]+)\u202F»/g)].map(
        ([, words = ""]) => words,
      )
      expect(quoted.length).toBeGreaterThan(3)
      expect(quoted.filter((words) => !OTHERS.has(words) && !isOnScreen(words, french))).toEqual([])
    },
  )
})

describe("the links between pages", () => {
  const pages = [
    "README.md",
    "README.fr.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "packages/simulator/README.md",
    "packages/checkout/README.md",
    ...fs.readdirSync(path.join(ROOT, "docs")).flatMap((file) => {
      return file.endsWith(".md") ? [`docs/${file}`] : []
    }),
  ]

  /** As the forge makes them: small letters, without punctuation, with hyphens for spaces. */
  const anchorsOf = (page: string) =>
    [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    )

  it.each(pages)("of %s lead to headings that exist", (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
    const lost = links.filter(([, file = "", anchor = ""]) => {
      const target = file === "" ? page : path.join(path.dirname(page), file)
      return target.endsWith(".md") && !anchorsOf(target).includes(anchor)
    })
    expect(lost.map(([link]) => link)).toEqual([])
  })
})
