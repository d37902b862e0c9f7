/** The words of the accountant's sheet in French. */
import type { SheetWords } from "./sheet.en"

export const SHEET_FR: SheetWords = {
  head: {
    date: "Date",
    time: "Heure ({{zone}})",
    type: "Type",
    order: "Commande",
    operator: "Opérateur",
    state: "État",
    account: "Compte",
    currency: "Devise",
    received: "Reçu",
    fees: "Frais",
    refunded: "Remboursé",
    net: "Net",
    sent: "Envoyé",
    payer_amount: "Payé par le client",
    payer_currency: "Devise du client",
    exchange_rate: "Taux de change",
    document: "Document",
    transaction: "Transaction de l’opérateur",
    reference: "Référence",
    note: "Remarque",
  },
  kind: {
    payment: "Paiement",
    duplicate: "Paiement en double",
    fee: "Frais",
    fee_unknown: "Frais, pas encore connus",
    exchange: "Change",
    refund: "Remboursement",
    payout: "Versement",
    transfer: "Transfert",
    total: "Total",
  },
  state: {
    paid: "Payé",
    recording: "Payé, en cours d’enregistrement",
    review: "À examiner",
    returned: "Rendu",
    dismissed: "Classé",
    arrived: "Arrivé",
  },
  file: "comptable",
  unknown_fees:
    "Paiements dont les frais ne sont pas encore connus\u00A0: {{count}}, au total {{amount}}",
}
