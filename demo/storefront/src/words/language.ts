/** The shopper's language: the one chosen in the shop, else the browser's where the shop has it. */
import { rememberedLanguage } from "../memory"

export const LANGUAGES = { en: "English", fr: "Français" } as const
export type Language = keyof typeof LANGUAGES

export const language: Language = isLanguage(rememberedLanguage.read())
  ? (rememberedLanguage.read() as Language)
  : firstOfBrowser()

/** Loads the page anew: a sentence is read once, where it is drawn. */
export function chooseLanguage(chosen: Language): void {
  rememberedLanguage.write(chosen)
  window.location.reload()
}

function isLanguage(code: string | null): code is Language {
  return code !== null && code in LANGUAGES
}

function firstOfBrowser(): Language {
  const codes = typeof navigator === "undefined" ? [] : (navigator.languages ?? [])
  return codes.map((code) => code.slice(0, 2)).find(isLanguage) ?? "en"
}
