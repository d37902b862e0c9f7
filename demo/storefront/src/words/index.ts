/** What the shop says. What has to do with paying says the checkout kit. */
import { en, type Words } from "./en"
import { fr } from "./fr"
import { language } from "./language"

export const words: Words = { en, fr }[language]
