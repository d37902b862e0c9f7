/** French: fees and payouts. */
import type { moreEn } from "./more-en"

export const moreFr: typeof moreEn = {
  fees: {
    title: "Ce que cela coûte",
    subtitle:
      "Selon la passerelle, aujourd'hui. Le coût réel d'un paiement figure avec le paiement.",
    tiers: "Frais de plateforme",
    tier: "Plan",
    usual: "Habituel",
    gateway: "Frais de passerelle",
    method: "Moyen de paiement",
    what: "Pour",
    percentage: "Du montant",
    fixed: "Chaque fois",
    fx: "Sur le change",
    none: "La passerelle n'en indique aucun.",
    readAt: "Lu {{when}}",
    calculator: "Calculateur",
    calculatorText: "Ce qu'un paiement de ce montant coûterait, et à qui.",
    amount: "Montant",
    currency: "Devise",
    payerCurrency: "Devise du payeur",
    samePayerCurrency: "La même",
    bearer: "Qui paie les frais",
    asAccount: "Selon le compte",
    calculate: "Calculer",
    payerPays: "Le payeur paie",
    youGet: "Vous recevez",
    platformFee: "Frais de plateforme",
    gatewayFee: "Frais de passerelle",
    fxFee: "Frais de change",
    typeAmount: "Saisissez un montant supérieur à zéro.",
  },
  payouts: {
    title: "Versements",
    subtitle:
      "L'argent envoyé vers un portefeuille mobile, suivi jusqu'au bout. Seul « Arrivé » est payé.",
    send: "Envoyer de l'argent",
    sendTitle: "Envoyer de l'argent vers un portefeuille",
    empty: "Aucun versement pour l'instant",
    emptyText: "Ce qui est envoyé vers un portefeuille apparaît ici.",
    amount: "Montant",
    currency: "Devise",
    name: "Destinataire",
    phone: "Téléphone",
    phoneHint:
      "International, comme +231 770 000 010. Seuls les trois derniers chiffres sont gardés.",
    note: "Note",
    noteHint:
      "Pour vous ; gardée avec le versement, les numéros de téléphone réduits à leurs trois derniers chiffres.",
    passcode: "Code",
    passcodeHint: "Celui du portail marchand. Transmis à la passerelle et gardé nulle part.",
    passcodePhone: "Téléphone auquel le code appartient",
    passcodePhoneHint:
      "Chiffres avec l'indicatif du pays et sans plus ; seulement si la passerelle le demande.",
    confirmTitle: "Envoyer {{amount}} ?",
    confirmText: "À {{name}}, {{phone}}. Un envoi ne peut pas être rappelé.",
    sendNow: "Envoyer",
    sent: "Envoyé. La page le suit jusqu'au bout.",
    unclear: "On ne sait pas encore s'il est parti. La page le suit ; ne l'envoyez pas à nouveau.",
    ended: "Celui-ci est terminé et n'a pas été payé. Rouvrez le formulaire pour un nouveau.",
    missing: "Montant, destinataire, téléphone et code sont nécessaires.",
    keyKept:
      "On ne sait pas si l'envoi a eu lieu. Renvoyer le formulaire interroge le même versement ; il n'est jamais envoyé deux fois.",
  },
}
