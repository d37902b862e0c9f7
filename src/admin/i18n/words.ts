/**
 * All texts of the pages by language. A test compares the keys of both languages. French refusals
 * are under `refusal`; in English a page shows the store's own sentence.
 */
import { MESSAGES } from "../../core/messages"
import own from "./en.json"
import french from "./fr.json"
import { typeset } from "./typeset"

export const fr = typeset(french)

/** English sentences of the store's codes are the store's own. */
export const en = { ...own, ...MESSAGES }

export const NAMESPACE = "merchantPayments"

export type Language = "en" | "fr"

/** Every path to a text, such as `list.title`. */
type Paths<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Paths<T[K]>}`
}[keyof T & string]

export type WordKey = Paths<typeof en>
