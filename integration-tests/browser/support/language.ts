/**
 * Whether what stands on a page is in the language that was chosen: our own words, and what the
 * store keeps in English and the pages translate. What others have written (names, the gateway's
 * words) is not looked at where it is marked as such.
 */
import type { Page } from "playwright-core"
import { en, fr } from "../../../src/admin/i18n/words"

export type Language = "en" | "fr"
type Texts = { readonly [key: string]: string | Texts }

const OTHERS_WORDS = "[data-testid=gateway-words], [data-testid=reference], bdi, code"

const flat = (texts: Texts): string[] =>
  Object.values(texts).flatMap((text) => (typeof text === "string" ? [text] : flat(text)))
const OWN = { en: new Set(flat(en)), fr: new Set(flat(fr)) }
const OTHER = { en: "fr", fr: "en" } as const

/** Small words that each sentence has, and that no text of the other language has. */
const SMALL_WORDS = {
  en: /\b(the|was|were|has|been|with|from|this|they|what|which)\b/i,
  fr: /\b(le|les|des|est|sont|une|avec|dans|qui|votre)\b/i,
} as const
/** How a text that is missing in both languages shows: by its name. */
const KEY = /^[a-z]\w*\.[a-zA-Z]\w*$/

/** The texts of the page that are not in this language. */
export async function foreignTexts(
  page: Page,
  language: Language,
  within: string,
): Promise<string[]> {
  const other = OTHER[language]
  const texts = await ownTexts(page, within)
  return texts.filter((text) => {
    const isTheOthers = OWN[other].has(text) && !OWN[language].has(text)
    return isTheOthers || SMALL_WORDS[other].test(text) || KEY.test(text)
  })
}

/** What a person reads there, without what others have written and what is folded away. */
export const ownTexts = (page: Page, within: string): Promise<string[]> =>
  page.locator(within).first().evaluate(textsOf, OTHERS_WORDS)

/** In the page: each text by itself, and what a screen reader says in its place. */
function textsOf(root: Element, without: string): string[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const part = node.parentElement
    if (part?.checkVisibility() && !part.closest(without)) found.push(node.textContent ?? "")
  }
  for (const part of root.querySelectorAll("[aria-label], [placeholder], [title]")) {
    if (!part.checkVisibility() || part.closest(without)) continue
    const names = ["aria-label", "placeholder", "title"]
    found.push(...names.map((name) => part.getAttribute(name) ?? ""))
  }
  return [...new Set(found.map((text) => text.trim()).filter(Boolean))]
}
