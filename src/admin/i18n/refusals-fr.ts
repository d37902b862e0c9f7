import { INVALID_FR } from "./invalid-fr"

/** What the store says no with, in French, by its code. English is what the store itself says. */
export const REFUSALS_FR: Readonly<Record<string, string>> = {
  invalid_phone: "Ce numéro de téléphone n'est pas valable.",
  phone_required: "Il faut un numéro de téléphone.",
  amount_not_payable: "Ce montant ne peut pas être payé.",
  currency_not_served: "Cette devise n'est pas prise en charge.",
  origin_not_allowed: "Cette adresse n'appartient pas aux origines permises.",
  invalid_request: "Une donnée saisie n'a pas la forme attendue.",
  period_too_long: "Cette période est trop longue. Choisissez moins de jours.",
  reconciliation_running:
    "Un autre rapprochement est en cours. Réessayez dans un instant ; son résultat est conservé.",
  cart_not_found: "Ce panier n'existe pas.",
  session_not_found: "Cette session de paiement n'existe pas.",
  operator_unknown: "Aucun opérateur ne connaît ce numéro.",
  operation_not_found: "Aucune opération ne porte cet identifiant.",
  receipt_not_ready: "Le reçu n'est pas encore disponible.",
  payment_in_progress: "Ce paiement est en cours. Rien n'a changé. Réessayez dans un instant.",
  already_paid: "C'est déjà payé.",
  under_review: "Cet argent attend une décision.",
  cart_changed: "Le panier a changé. Rien n'a été encaissé.",
  cart_not_ready: "Le panier n'est pas complet.",
  order_closed:
    "Cette commande est annulée, ou son délai est passé : elle ne peut plus être payée. L'argent arrivé pour elle se rembourse.",
  order_not_found: "Aucune commande ne porte cet identifiant.",
  customer_not_found: "Aucun client ne porte cet identifiant.",
  unsupported_media_type: "Seul le JSON est accepté ici.",
  order_is_draft:
    "C'est un brouillon. Convertissez-le d'abord en commande ; elle pourra être payée.",
  nothing_to_pay: "Il ne reste rien à payer pour cette commande.",
  other_payment_open:
    "Un paiement de cette commande est autorisé autrement et pas encore encaissé. Encaissez-le ou annulez-le ; un lien pourra alors être créé.",
  resend_not_possible: "Seul un lien de paiement peut être renvoyé.",
  link_closed: "Ce lien ne permet plus de payer. Créez-en un nouveau.",
  quote_changed: "Le montant a changé. Rien n'a été encaissé.",
  refund_unavailable: "Ce remboursement n'est pas possible ici. Rien n'a été envoyé.",
  refund_too_much: "Il reste moins que ce montant à rembourser. Rien n'a été envoyé.",
  refund_unclear:
    "Le client a pu payer dans une autre devise : seul un remboursement complet est possible. Rien n'a été envoyé.",
  refund_in_progress: "Un remboursement de ce paiement est en chemin. Attendez sa fin.",
  refund_completed: "La passerelle dit que ce remboursement est passé. Acceptez-le.",
  refund_not_completed: "La passerelle ne dit pas que ce remboursement est passé.",
  refund_needs_second_admin:
    "Au-dessus de la limite du compte. C'est noté : quand un autre administrateur demandera le même remboursement dans la journée, il partira. Rien n'a été envoyé.",
  account_needs_second_admin:
    "Ce compte requiert deux administrateurs, et cette modification aussi. C'est noté : quand un autre administrateur fera la même dans la journée, elle sera enregistrée. Rien n'a changé.",
  money_out_off:
    "Les versements et transferts ne sont pas autorisés pour ce compte. Un administrateur les autorise dans ses réglages. Rien n'a été envoyé.",
  money_out_above_cap: "Le plafond de ce compte pour un jour serait dépassé. Rien n'a été envoyé.",
  money_out_needs_second_admin:
    "Au-dessus de la limite du compte pour un jour. C'est noté : quand un autre administrateur demandera la même chose dans la journée, l'argent partira. Rien n'a été envoyé.",
  money_out_needs_person:
    "Ce compte n'accepte pas de versements ni de transferts par clé API. Rien n'a été envoyé.",
  refund_amount_changed:
    "La passerelle indique à présent un autre montant payé que celui qui a été confirmé. Rien n'a été envoyé. Recommencez pour voir le montant.",
  refund_retried: "Ce remboursement a déjà été refait.",
  payment_intent_unknown:
    "Un remboursement nécessite l'identifiant payment intent. Copiez-le du portail marchand et saisissez-le d'abord. Rien n'a été envoyé.",
  payment_intent_taken:
    "Cet identifiant payment intent appartient à un autre paiement. Rien n'a changé.",
  payment_intent_used:
    "Un remboursement de ce paiement est parti avec un autre identifiant. Rien n'a changé.",
  payment_intent_differs:
    "La passerelle nomme un autre identifiant pour ce paiement. Rien n'a changé.",
  secret_required:
    "Saisissez (de nouveau) le secret : un secret conservé n'est envoyé qu'à l'adresse pour laquelle il a été saisi.",
  account_not_found: "Ce compte n'existe pas, ou plus.",
  region_not_found: "Cette région n'existe pas.",
  account_read_only:
    "Ce compte vient de l'environnement : changez ses variables et les options du plugin, puis redémarrez.",
  account_in_use:
    "Des paiements de ce compte sont en cours, à examiner ou pas encore dans Medusa. Retirez-lui ses devises et réessayez quand ils seront terminés.",
  currency_taken:
    "Un autre compte prend déjà cette devise. Deux comptes ne le peuvent pas. Rien n'a été enregistré.",
  changed_meanwhile:
    "Quelqu'un a modifié ce compte entre-temps. Regardez-le de nouveau. Rien n'a été enregistré.",
  encryption_key_missing:
    "Aucune clé de chiffrement n'est définie, donc aucun secret ne peut être conservé. Créez-en une avec « openssl rand -base64 32 » et définissez MERCHANT_PAYMENTS_ENCRYPTION_KEY.",
  not_in_review: "Il n'attend aucune décision.",
  already_resolved: "La décision est déjà prise.",
  action_not_possible: "Cette action n'est pas possible.",
  not_paid: "La passerelle ne dit pas maintenant que c'est payé. Rien n'a changé.",
  amount_differs: "Le montant payé n'est pas celui qui était demandé. Rien n'a changé.",
  another_payment_live:
    "Un autre paiement du même panier ou de la même commande est en cours ou payé. Rien n'a changé.",
  not_its_order:
    "L'argent va au panier ou à la commande pour lesquels il a été payé, ou il est remboursé. Rien n'a changé.",
  cannot_be_settled: "Medusa n'a pas pu prendre l'argent. Rien n'a changé.",
  wallet_too_low: "D'après la passerelle, le portefeuille ne contient pas assez d'argent.",
  merchant_not_verified:
    "La passerelle n'a pas encore vérifié ce marchand et refuse l'opération. Rien n'a été envoyé.",
  not_verified:
    "La passerelle n'a pas encore vérifié ce marchand et refuse l'opération. Rien n'a été envoyé.",
  wrong_passcode: "Le code est faux. Rien n'a été envoyé.",
  idempotency_key_reused:
    "Cette clé appartient déjà à un autre envoi, qui a pu partir. Rien n'a été envoyé pour celui-ci.",
  gateway_refused: "La passerelle a refusé, ou dit que l'opération a échoué.",
  too_many_requests: "Trop de demandes. Réessayez plus tard.",
  gateway_unavailable: "La passerelle ne répond pas pour l'instant. Réessayez dans une minute.",
  not_configured: "Les identifiants manquent, ou la passerelle les refuse.",
  quote_unavailable: "La passerelle ne donne pas de prévision pour l'instant.",
}

/**
 * By the code; what was typed in wrong by its sentence first, since all of that has one code.
 *
 * @returns undefined where nobody has translated it
 */
export function refusalInFrench(code: string, sentence: string): string | undefined {
  const isInvalid = code === "invalid_request" && Object.hasOwn(INVALID_FR, sentence)
  if (isInvalid) return INVALID_FR[sentence]
  return Object.hasOwn(REFUSALS_FR, code) ? REFUSALS_FR[code] : undefined
}
