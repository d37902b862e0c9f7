/** The languages of the receipt, and the words of each. */
import { en, type PaperWords } from "./en"
import { fr } from "./fr"
import { rw } from "./rw"

export type { PaperWords } from "./en"

export const PAPER_LANGUAGES = ["en", "fr", "rw"] as const
export type PaperLanguage = (typeof PAPER_LANGUAGES)[number]

export const PAPER_WORDS: Readonly<Record<PaperLanguage, PaperWords>> = { en, fr, rw }

/** Each in its own language, as a reader looks for it. */
export const LANGUAGE_NAMES: Readonly<Record<PaperLanguage, string>> = {
  en: "English",
  fr: "Français",
  rw: "Ikinyarwanda",
}
