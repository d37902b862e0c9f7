/** What is told to people, in French: the keys and holes of `notification.en.ts`. */
import type { NotificationText } from "./notification.en"

export const NOTIFICATION_FR: Readonly<Record<NotificationText, string>> = {
  "money_received.title": "Argent reçu : {{amount}}",
  "money_received.text":
    "{{shop}} : {{amount}} ont été payés{{for_order}}{{by_operator}}{{from_phone}}.",
  "decision_needed.title": "Une décision est nécessaire : {{amount}}",
  "decision_needed.text":
    "{{shop}} : l’argent et les écritures de {{amount}} ne concordent pas{{for_order}}. Ouvrez " +
    "« À traiter » dans l’administration et décidez de la suite.",
  "request_waiting.title": "Une demande attend un deuxième administrateur",
  "request_waiting.text":
    "{{shop}} : un administrateur a demandé une action qu’un autre doit d’abord approuver. " +
    "Approuvez un versement ou un transfert sous « À traiter » ; faites le même remboursement, ou " +
    "la même modification du compte.",
  "refund_arrived.title": "Remboursement arrivé : {{amount}}",
  "refund_arrived.text":
    "{{shop}} : le remboursement de {{amount}} est reparti{{for_order}}{{from_phone}}.",
  "refund_failed.title": "Remboursement échoué : {{amount}}",
  "refund_failed.text":
    "{{shop}} : le remboursement de {{amount}} n’a pas abouti{{for_order}}. Le client ne l’a pas " +
    "reçu. Ouvrez « À traiter » dans l’administration.",
  "payout_done.title": "Versement effectué : {{amount}}",
  "payout_done.text": "{{shop}} : {{amount}} sont sortis du portefeuille du marchand.",
  "payout_failed.title": "Versement échoué : {{amount}}",
  "payout_failed.text":
    "{{shop}} : {{amount}} ne sont pas partis. Ouvrez « Versements » dans l’administration.",
  "operator_trouble.title": "{{operator}} est en difficulté",
  "operator_trouble.text":
    "{{shop}} : {{failed}} des {{ended}} derniers paiements par {{operator}} ont échoué parce que " +
    "l’opérateur n’a pas fait sa part. Les clients peuvent payer autrement.",
  "operator_recovered.title": "{{operator}} n’est plus en difficulté",
  "operator_recovered.text": "{{shop}} : les paiements par {{operator}} passent à nouveau.",
  "operator_recovered.quiet":
    "{{shop}} : aucun paiement des {{minutes}} dernières minutes par {{operator}} n’a échoué. Il se " +
    "peut que personne n’ait essayé. Il est proposé aux clients comme avant.",
  "job_stopped.title": "Les paiements ne sont pas vérifiés",
  "job_stopped.text":
    "{{shop}} : la tâche qui vérifie les paiements ne tourne plus depuis {{minutes}} minutes. Les " +
    "commandes payées attendent qu’elle reprenne. Demandez à la personne qui gère la boutique : " +
    "l’état de l’installation, dans Paramètres, Paiements marchands, dit que faire.",
  "job_runs_again.title": "Les paiements sont à nouveau vérifiés",
  "job_runs_again.text": "{{shop}} : la tâche qui vérifie les paiements tourne à nouveau.",
  "account_refused.title": "La passerelle refuse le compte {{account}}",
  "account_refused.text":
    "{{shop}} : personne ne peut payer par le compte {{account}}, car la passerelle refuse son " +
    "identifiant client et son secret. Recopiez-les du portail marchand dans Paramètres, Paiements " +
    "marchands de l’administration, ou demandez à la personne qui gère la boutique.",
  "account_accepted.title": "La passerelle accepte à nouveau le compte {{account}}",
  "account_accepted.text":
    "{{shop}} : les paiements par le compte {{account}} fonctionnent à nouveau.",
  "customer_paid.title": "Votre paiement à {{shop}} : {{amount}}",
  "customer_paid.text": "{{shop}} a reçu votre paiement de {{amount}}{{for_order}}.{{receipt}}",
  "customer_refunded.title": "Votre remboursement de {{shop}} : {{amount}}",
  "customer_refunded.text": "{{shop}} vous a remboursé {{amount}}{{for_order}}.{{receipt}}",
  "customer_taken_back.title": "Votre paiement de {{amount}} à {{shop}} a été repris",
  "customer_taken_back.text":
    "Votre opérateur a repris votre paiement de {{amount}} à {{shop}}{{for_order}} : {{shop}} ne l’a " +
    "plus.{{receipt}}",
  "summary.title": "{{shop}} : paiements du {{days}}",
  "summary.text": "{{shop}}, {{days}}. {{counts}}. {{sums}}",
  "test.title": "Essai des notifications de paiement",
  "test.text":
    "{{shop}} : si vous lisez ceci, les notifications de paiement vous parviennent ici. Aucun " +
    "argent n’a bougé.",

  for_order: " pour la commande nº {{number}}",
  by_operator: ", par {{operator}}",
  from_phone: ", téléphone se terminant par {{end}}",
  receipt: " Reçu : {{url}}",
  your_shop: "Votre boutique",

  "count.money_received": "Paiements reçus : {{count}}",
  "count.decision_needed": "Décisions nécessaires : {{count}}",
  "count.request_waiting": "En attente d’un deuxième administrateur : {{count}}",
  "count.refund_arrived": "Remboursements arrivés : {{count}}",
  "count.refund_failed": "Remboursements échoués : {{count}}",
  "count.payout_done": "Versements effectués : {{count}}",
  "count.payout_failed": "Versements échoués : {{count}}",
  "count.operator_trouble": "Opérateurs en difficulté : {{count}}",
  "count.operator_recovered": "Opérateurs rétablis : {{count}}",
  "count.job_stopped": "Arrêts de la tâche : {{count}}",
  "count.job_runs_again": "Reprises de la tâche : {{count}}",
  "count.account_refused": "Refus d’un compte : {{count}}",
  "count.account_accepted": "Comptes à nouveau acceptés : {{count}}",
  "sum.currency": "{{currency}} : reçu {{received}}, remboursé {{refunded}}, versé {{sent}}.",
  "sum.none": "Aucun argent n’a bougé.",
}
