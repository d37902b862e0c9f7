/**
 * What the components say beside the texts of a payment, in the languages of the kit. It stands
 * apart, so that a shop which draws its own pages does not load it with the core.
 */
const en = {
  "receipt.title": "Receipt",
  "receipt.number": "Number",
  "receipt.date": "Paid on",
  "receipt.with": "Paid with",
  "receipt.total": "Total",
  "receipt.fee": "Fee",
  "receipt.charged": "Charged",
  "receipt.rate": "Exchange rate",
  "receipt.transaction": "Transaction number",
  "receipt.soon": "The receipt is on its way…",
  "receipt.later": "The receipt is not there yet. Open this page again later.",
} as const

export type PartKey = keyof typeof en
export type PartTexts = Readonly<Record<PartKey, string>>

const fr: PartTexts = {
  "receipt.title": "Reçu",
  "receipt.number": "Numéro",
  "receipt.date": "Payé le",
  "receipt.with": "Payé avec",
  "receipt.total": "Total",
  "receipt.fee": "Frais",
  "receipt.charged": "Débité",
  "receipt.rate": "Taux de change",
  "receipt.transaction": "Numéro de transaction",
  "receipt.soon": "Le reçu arrive…",
  "receipt.later": "Le reçu n’est pas encore là. Rouvrez cette page plus tard.",
}

/** Not reviewed by a speaker, as the rest of this language. */
const rw: PartTexts = {
  "receipt.title": "Inyemezabwishyu",
  "receipt.number": "Nimero",
  "receipt.date": "Byishyuwe ku wa",
  "receipt.with": "Byishyuwe na",
  "receipt.total": "Igiteranyo",
  "receipt.fee": "Amafaranga ya serivisi",
  "receipt.charged": "Ayakuwe kuri konti",
  "receipt.rate": "Igipimo cy'ivunjisha",
  "receipt.transaction": "Nimero y'ubwishyu",
  "receipt.soon": "Inyemezabwishyu iraje…",
  "receipt.later": "Inyemezabwishyu ntiraboneka. Ongera ufungure uru rupapuro nyuma.",
}

export const PART_TEXTS: Readonly<Record<string, PartTexts>> = { en, fr, rw }

/** @param language a tag such as `fr` or `fr-RW`; English for one that the kit does not have */
export function partTexts(language: string): PartTexts {
  const [base = ""] = language.toLowerCase().split("-")
  return PART_TEXTS[base] ?? en
}
