/** Differences of the books in French, and why a comparison is not complete in both languages. */
import { DIFFERENCES, type DifferenceCode } from "./reconciliation"
import type { Sentence } from "./review-sentences"

const IN_FRENCH: Readonly<Record<DifferenceCode, string>> = {
  paid_unknown_to_ledger:
    "Un document avec une référence comme les nôtres est payé, et le registre n'a aucune opération pour lui : un autre programme l'a créé, ou la base a été restaurée d'une sauvegarde. Cherchez le payeur dans le portail marchand.",
  paid_after_end: "Le document d'un paiement terminé est payé. L'opération attend une décision.",
  paid_twice:
    "Un second document d'un même paiement est payé. Son argent attend une décision, en surplus.",
  paid_not_completed:
    "Le document est payé et son opération est encore en cours. Elle est regardée de nouveau tout de suite.",
  paid_not_recorded:
    "Payé depuis des heures, et Medusa ne l'a pas encore. Le journal dit pourquoi.",
  completed_but_reads_otherwise:
    "La passerelle a dit une fois « payé » et dit autre chose à présent. Rien n'est repris ; demandez à la passerelle.",
  recorded_not_captured:
    "Le registre l'a comme enregistré, et Medusa n'a aucun paiement encaissé pour cela.",
  recorded_not_paid: "Medusa a un paiement encaissé, et son opération n'est pas aboutie.",
  captured_without_operation:
    "Medusa a un paiement encaissé par nous, et le registre n'en sait rien.",
  amount_differs:
    "La passerelle, le registre et Medusa ont des montants différents pour un même paiement.",
  order_canceled_but_paid:
    "La commande est annulée, son paiement est encaissé, et tout n'a pas été remboursé.",
  refund_unknown:
    "De l'argent a été rendu sans remboursement envoyé par le registre : dans le portail marchand, ou dans Medusa seule.",
  returned_not_in_medusa:
    "Le registre a rendu d'un paiement enregistré plus que Medusa ne montre. Remboursez ce montant sur la commande dans Medusa : le remboursement abouti lui est attribué, et rien n'est envoyé de nouveau.",
}

export function differenceSentence(code: DifferenceCode): Sentence {
  return { en: DIFFERENCES[code], fr: IN_FRENCH[code] }
}

export const INCOMPLETE = {
  not_configured: {
    en: "The account has no usable credentials, so the gateway was not read.",
    fr: "Le compte n'a pas d'identifiants utilisables ; la passerelle n'a pas été lue.",
  },
  gateway_not_read: {
    en: "The gateway did not answer with its list of documents in time. Compare again in a minute.",
    fr: "La passerelle n'a pas donné à temps sa liste de documents. Rapprochez de nouveau dans une minute.",
  },
  not_all_answered: {
    en: "The gateway was asked about a difference and did not answer. Compare again in a minute.",
    fr: "La passerelle, interrogée sur un écart, n'a pas répondu. Rapprochez de nouveau dans une minute.",
  },
  too_many_questions: {
    en: "There were more differences than may be asked about at once. The rest are listed as they were found.",
    fr: "Il y avait plus d'écarts qu'on ne peut en vérifier à la fois. Les autres sont listés tels quels.",
  },
  time_over: {
    en: "The time was over before all differences were asked about. The rest are listed as they were found.",
    fr: "Le temps était écoulé avant que tous les écarts soient vérifiés. Les autres sont listés tels quels.",
  },
  list_too_long: {
    en: "The gateway's list of documents is longer than can be read, so each document of the ledger's own was asked about instead. Money that the ledger does not know can't be seen this way; look for it in the merchant portal.",
    fr: "La liste de documents de la passerelle est trop longue pour être lue ; chaque document du registre a été demandé à part. L'argent inconnu du registre ne se voit pas ainsi ; cherchez-le dans le portail marchand.",
  },
  rows_unreadable: {
    en: "Some rows of the ledger can't be read and were left out. The log names them.",
    fr: "Des lignes du registre sont illisibles et ont été laissées de côté. Le journal les nomme.",
  },
  stopped: {
    en: "The comparison of this account stopped with an error. The log says which.",
    fr: "Le rapprochement de ce compte s'est arrêté sur une erreur. Le journal dit laquelle.",
  },
} as const satisfies Record<string, Sentence>

/** Why a comparison is not complete. */
export type IncompleteCode = keyof typeof INCOMPLETE

/** Soon another comparison may say more. A list that is too long is so the next time, too. */
export function isWorthRepeating(because: readonly string[]): boolean {
  return because.some((code) => code !== "list_too_long")
}
