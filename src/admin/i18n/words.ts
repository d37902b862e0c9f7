/** All words of the pages by language. French has every key of English: the types and a test see to it. */
import { linkEn } from "./link-en"
import { linkFr } from "./link-fr"
import { moreEn } from "./more-en"
import { moreFr } from "./more-fr"
import { paymentsEn } from "./payments-en"
import { paymentsFr } from "./payments-fr"
import { reconciliationEn } from "./reconciliation-en"
import { reconciliationFr } from "./reconciliation-fr"
import { settingsEn } from "./settings-en"
import { settingsFr } from "./settings-fr"

export const NAMESPACE = "merchantPayments"

export type Language = "en" | "fr"

export const en = { ...paymentsEn, ...settingsEn, ...moreEn, ...linkEn, ...reconciliationEn }

export const fr: typeof en = {
  ...paymentsFr,
  ...settingsFr,
  ...moreFr,
  ...linkFr,
  ...reconciliationFr,
}

/** Every path to a text, such as `list.title`. */
type Paths<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Paths<T[K]>}`
}[keyof T & string]

export type WordKey = Paths<typeof en>
