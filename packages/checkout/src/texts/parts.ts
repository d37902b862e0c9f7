/**
 * What the components say beside the texts of a payment, in the languages of the kit. It stands
 * apart, so that a shop which draws its own pages does not load it with the core.
 */
const en = {
  "contact.ask": "Questions? Ask the shop:",
  "wait.news": "This page shows by itself what comes next.",
  "wait.ways": "If no request comes, cancel it below and use another number or another way to pay.",
  "operator.try": "Try a number of another operator, or another way to pay.",
  "outdated.text":
    "What you owe has changed since. Do not approve or pay this: cancel it, then pay the new total.",
  "total.changed": "The total has changed. It is now {amount}.",
  "other.ask": "The request to …{old} is still waiting. Cancel it and ask …{new}?",
  "other.yes": "Cancel it and ask …{new}",
  "other.no": "Keep waiting",
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
  "contact.ask": "Des questions ? Contactez la boutique :",
  "wait.news": "Cette page affiche la suite d’elle-même.",
  "wait.ways":
    "Si aucune demande n’arrive, annulez-la ci-dessous et utilisez un autre numéro ou un autre moyen.",
  "operator.try": "Essayez le numéro d’un autre opérateur ou un autre moyen de paiement.",
  "outdated.text":
    "Le montant dû a changé. Ne validez et ne payez pas ceci : annulez-le, puis payez le nouveau total.",
  "total.changed": "Le total a changé. Il est maintenant de {amount}.",
  "other.ask": "La demande vers …{old} est toujours en attente. L’annuler et demander à …{new} ?",
  "other.yes": "Annuler et demander à …{new}",
  "other.no": "Continuer d’attendre",
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
  "contact.ask": "Ufite ikibazo? Baza iduka:",
  "wait.news": "Uru rupapuro ruzakwereka ibikurikira.",
  "wait.ways":
    "Niba nta busabe buje, buhagarike hasi aha, ukoreshe indi nimero cyangwa ubundi buryo.",
  "operator.try": "Gerageza nimero y'ikindi kigo cyangwa ubundi buryo bwo kwishyura.",
  "outdated.text":
    "Umubare w'amafaranga wahindutse. Ntukemeze cyangwa ngo wishyure ibi: bihagarike, wishyure mashya.",
  "total.changed": "Igiciro cyahindutse. Ubu ni {amount}.",
  "other.ask": "Ubusabe kuri …{old} buracyategereje. Kubuhagarika tugasaba …{new}?",
  "other.yes": "Buhagarike usabe …{new}",
  "other.no": "Komeza utegereze",
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
