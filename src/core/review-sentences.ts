/**
 * Reasons in plain words, for who decides about the money: what happened, and what can be done. One
 * sentence or two for each code, in English and in French; the codes are what programs rely on.
 */
import type { EndReason, ReviewReason } from "./operation"

export type Sentence = { readonly en: string; readonly fr: string }

/** Why an operation waits for a person. */
export const REVIEW_SENTENCES: Readonly<Record<ReviewReason, Sentence>> = {
  amount_mismatch: {
    en: "The gateway took another amount than was asked for, or gave another back. Give a payment back, or settle it with the customer and dismiss it. Of a refund, look up in the merchant portal what went back, settle the rest with the customer, and accept it.",
    fr: "La passerelle a encaissé un autre montant que celui demandé, ou en a rendu un autre. Remboursez un paiement, ou réglez-le avec le client et classez-le. Pour un remboursement, vérifiez dans le portail marchand ce qui a été rendu, réglez la différence avec le client, puis acceptez-le.",
  },
  currency_mismatch: {
    en: "The gateway took another currency than was asked for. Give it back in the merchant portal, then dismiss it.",
    fr: "La passerelle a encaissé une autre devise que celle demandée. Remboursez dans le portail marchand, puis classez-le.",
  },
  source_disagrees: {
    en: "The gateway's answers contradict each other: the payment went through, but its document does not say so, or the other way round.",
    fr: "Les réponses de la passerelle se contredisent : le paiement est passé, mais son document ne le dit pas, ou l'inverse.",
  },
  no_answer: {
    en: "The gateway has given no final answer for days. Look it up in the merchant portal, check again, and decide.",
    fr: "La passerelle n'a donné aucune réponse définitive depuis des jours. Consultez le portail marchand, vérifiez de nouveau et décidez.",
  },
  credentials: {
    en: "There are no credentials with which the gateway could be asked about it. Put the account's credentials back, or look it up in the merchant portal.",
    fr: "Aucun identifiant ne permet d'interroger la passerelle à ce sujet. Remettez les identifiants du compte, ou consultez le portail marchand.",
  },
  late_payment: {
    en: "The money came after the payment had ended. Put it onto its order, or give it back.",
    fr: "L'argent est arrivé après la fin du paiement. Affectez-le à sa commande, ou remboursez-le.",
  },
  order_canceled: {
    en: "The order was cancelled before the money could be recorded. Give it back.",
    fr: "La commande a été annulée avant que l'argent puisse être enregistré. Remboursez-le.",
  },
  cart_changed: {
    en: "The cart or order has another total now than was paid. Give it back, or settle the difference with the customer and dismiss it.",
    fr: "Le total du panier ou de la commande n'est plus celui qui a été payé. Remboursez, ou réglez la différence avec le client et classez-le.",
  },
  session_gone: {
    en: "Neither a cart nor an order belongs to the money any more. Give it back.",
    fr: "Ni panier ni commande ne correspond plus à cet argent. Remboursez-le.",
  },
  provider_disabled: {
    en: "This way to pay is not enabled any more. Enable it in the region and accept the payment, or give it back.",
    fr: "Ce moyen de paiement n'est plus activé. Activez-le dans la région et acceptez le paiement, ou remboursez-le.",
  },
  another_payment: {
    en: "The cart or order is paid in another way already, so this is a second payment. Give it back.",
    fr: "Le panier ou la commande est déjà payé autrement : c'est un second paiement. Remboursez-le.",
  },
  cart_not_completed: {
    en: "The store could not make the order, for example because there is no stock. Mend that and accept the payment, or give it back.",
    fr: "La boutique n'a pas pu créer la commande, par exemple faute de stock. Corrigez cela et acceptez le paiement, ou remboursez-le.",
  },
  late_refund: {
    en: "The gateway had reported this refund as failed, and it went through all the same, or is still on its way. More may have gone back than was meant to.",
    fr: "La passerelle avait signalé l'échec de ce remboursement, qui est pourtant passé, ou reste en cours. Il a pu être remboursé plus que prévu.",
  },
  late_payout: {
    en: "The money went out after this payout or transfer had been called ended. Look whether it was sent once more since.",
    fr: "L'argent est parti alors que ce versement ou transfert était réputé terminé. Vérifiez s'il a été envoyé une seconde fois depuis.",
  },
}

/** Why an operation ended without money. */
export const END_SENTENCES: Readonly<Record<EndReason, Sentence>> = {
  declined: {
    en: "It was declined.",
    fr: "Il a été refusé.",
  },
  insufficient_funds: {
    en: "There was not enough money in the wallet.",
    fr: "Le solde du portefeuille était insuffisant.",
  },
  wrong_pin: { en: "The PIN was wrong.", fr: "Le code PIN était faux." },
  limit: {
    en: "It was above or below a limit of the wallet.",
    fr: "Le montant dépassait une limite du portefeuille, ou ne l'atteignait pas.",
  },
  operator_unavailable: {
    en: "The operator, or the gateway for this account, did not serve it.",
    fr: "L'opérateur, ou la passerelle pour ce compte, ne l'a pas pris en charge.",
  },
  canceled: { en: "It was cancelled.", fr: "Il a été annulé." },
  never_landed: { en: "The gateway never received it.", fr: "La passerelle ne l'a jamais reçu." },
  window_closed: { en: "Nobody paid in time.", fr: "Personne n'a payé à temps." },
  returned: { en: "The money was given back.", fr: "L'argent a été remboursé." },
  unknown: {
    en: "The gateway gave no reason that is recognised.",
    fr: "La passerelle n'a donné aucune raison reconnue.",
  },
}

/** The words for a reason of an operation; undefined for one that a later version wrote. */
export function sentenceOf(reason: string | null): Sentence | undefined {
  const all: Readonly<Record<string, Sentence>> = { ...END_SENTENCES, ...REVIEW_SENTENCES }
  return reason !== null && Object.hasOwn(all, reason) ? all[reason] : undefined
}
