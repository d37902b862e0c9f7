/**
 * What no screen may show a merchant: codes of programs, words of our own house, and figures of
 * money that did not move. Codes may stand under "Technical details", which is folded.
 */
import type { Page } from "playwright-core"
import { ownTexts, type Language } from "./language"

/** `OPERATOR1_MOMO_LBR`, `order_01…`, `paid_after_end`, `COMPLETED`, a UUID. */
const CODES: readonly RegExp[] = [
  /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/,
  /\b[a-z]+(?:_[a-zA-Z0-9]+)+\b/,
  /\b(?:COLLECTION|REFUND|PAYOUT|TRANSFER|PAYER|PAYEE|ORDER|INVOICE)\b/,
  /\b(?:PAID|ACTIVE|IDLE|CANCELED|COMPLETED|FAILED|PENDING|PROCESSING)\b/,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/,
]
/** What whoever installs the plugin types as it stands there. */
const TYPED_IN = /\bMERCHANT_PAYMENTS_[A-Z_]+\b/g

/** Each is right in the code, and says nothing to a merchant. */
const INNER = {
  en: /\b(?:lease|ledger|operations?|executions?|drafts?|sources?|idempoten\w*|orphans?|strand\w*)\b/i,
  fr: /\b(?:registres?|opérations?|exécutions?|brouillons?|sources?|idempoten\w*|orphelin\w*)\b/i,
} as const

/** A figure of money that has arrived, by the name in front of it. */
const ARRIVED = {
  en: /^(?:(?:The shopper|The customer) paid|Paid by the customer|Credited|Collected|Net|You get)$/,
  fr: /^(?:Le client a payé|Payé par le client|Crédité|Encaissé|Net|Vous recevez)$/,
} as const

export async function rawTexts(page: Page, language: Language, within: string): Promise<string[]> {
  const texts = await ownTexts(page, within)
  return texts.filter((text) => {
    const plain = text.replace(TYPED_IN, "")
    return INNER[language].test(plain) || CODES.some((code) => code.test(plain))
  })
}

/** Names of figures that say that money has come, where none has. */
export async function figuresOfMoney(
  page: Page,
  language: Language,
  within: string,
): Promise<string[]> {
  return (await ownTexts(page, within)).filter((text) => ARRIVED[language].test(text))
}
