/** French: payment links and transfers. */
import type { linkEn } from "./link-en"

export const linkFr: typeof linkEn = {
  link: {
    title: "Lien de paiement",
    make: "Créer un lien de paiement",
    makeText:
      "Il reste {{amount}} à payer pour cette commande. Un lien permet au client de payer sur n'importe quel téléphone.",
    made: "Le lien est créé. Envoyez-le au client.",
    amount: "Pour",
    until: "Jusqu'au",
    address: "Adresse",
    copy: "Copier le lien",
    copied: "Copié. Envoyez-le au client.",
    showCode: "Afficher le code",
    hideCode: "Masquer le code",
    codeTitle: "Le lien de paiement sous forme de code à scanner",
    again: "Renvoyer",
    againDone: "L'adresse a été redemandée et copiée. Envoyez-la au client.",
    phone: "Téléphone du client",
    phoneHint: "La commande n'en a pas. International, comme +231 770 000 010.",
    being_made: "En création",
    open: "En attente du payeur",
    being_paid: "Paiement en cours",
    closing: "En fermeture",
    processing: "Payé, en cours d'enregistrement",
    paid: "Payé",
    closed: "Fermé",
    under_review: "À traiter",
    being_madeText: "Il pourra être envoyé dans un instant.",
    openText: "Toute personne qui a le lien peut payer. Il se ferme quand la commande change.",
    being_paidText: "Le client est en train de payer.",
    closingText: "La commande a changé. Personne ne devrait plus payer avec ce lien.",
    processingText: "L'argent est là. Medusa est en train de l'apprendre.",
    closedText: "Le dernier lien ne permet plus de payer.",
    overText: "Le délai du dernier lien est passé ; il ne permet plus de payer.",
    paidText: "Payé avec le lien.",
    under_reviewText: "L'argent attend une décision.",
  },
  transfers: {
    open: "Transférer",
    sendTitle: "Transférer vers un portefeuille de la plateforme",
    from: "De votre portefeuille",
    fromHint: "Son numéro. Le portail marchand l'affiche.",
    to: "À la contrepartie",
    toHint: "Son numéro. Le portail marchand l'affiche parmi vos contacts.",
    notNumber: "Il faut un nombre entier.",
    missing:
      "Montant, portefeuille et contrepartie sont nécessaires, ces deux derniers en nombres.",
    confirmText:
      "Du portefeuille {{from}} à la contrepartie {{to}}. Un envoi ne peut pas être rappelé.",
  },
}
