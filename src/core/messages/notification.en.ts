/**
 * What is told to people, in English. `notification.fr.ts` has the same keys and holes. `{{name}}`
 * is a fact; a hole may be empty, and no hole ever has a whole phone number.
 */
export const NOTIFICATION_EN = {
  "money_received.title": "Money received: {{amount}}",
  "money_received.text": "{{shop}}: {{amount}} was paid{{for_order}}{{by_operator}}{{from_phone}}.",
  "decision_needed.title": "A decision is needed: {{amount}}",
  "decision_needed.text":
    "{{shop}}: money and records of {{amount}} do not agree{{for_order}}. Open Needs attention in " +
    "the admin and decide what becomes of it.",
  "request_waiting.title": "A request waits for a second admin",
  "request_waiting.text":
    "{{shop}}: an admin has requested something that another admin must approve first. Approve a " +
    "payout or transfer in Needs attention; make the same refund, or the same change of the account.",
  "refund_arrived.title": "Refund arrived: {{amount}}",
  "refund_arrived.text": "{{shop}}: the refund of {{amount}} went back{{for_order}}{{from_phone}}.",
  "refund_failed.title": "Refund failed: {{amount}}",
  "refund_failed.text":
    "{{shop}}: the refund of {{amount}} did not go through{{for_order}}. The customer has not got " +
    "it. Open Needs attention in the admin.",
  "payout_done.title": "Payout done: {{amount}}",
  "payout_done.text": "{{shop}}: {{amount}} went out of the merchant's wallet.",
  "payout_failed.title": "Payout failed: {{amount}}",
  "payout_failed.text": "{{shop}}: {{amount}} did not go out. Open Payouts in the admin.",
  "operator_trouble.title": "{{operator}} is in trouble",
  "operator_trouble.text":
    "{{shop}}: {{failed}} of the last {{ended}} payments with {{operator}} failed because the " +
    "operator did not do its part. Customers can pay in another way.",
  "operator_recovered.title": "{{operator}} is no longer in trouble",
  "operator_recovered.text": "{{shop}}: payments with {{operator}} go through again.",
  "operator_recovered.quiet":
    "{{shop}}: no payment of the last {{minutes}} minutes with {{operator}} failed. Nobody may " +
    "have tried. Customers are offered it as before.",
  "job_stopped.title": "Payments are not checked",
  "job_stopped.text":
    "{{shop}}: the job that checks payments has not run for {{minutes}} minutes. Paid orders wait " +
    "until it runs. Ask the person who runs the store: the setup check in the settings says what " +
    "to do.",
  "job_runs_again.title": "Payments are checked again",
  "job_runs_again.text": "{{shop}}: the job that checks payments runs again.",
  "account_refused.title": "The gateway refuses the account {{account}}",
  "account_refused.text":
    "{{shop}}: nobody can pay through the account {{account}}, because the gateway refuses its " +
    "client id and secret. Copy both from the merchant portal into Settings, Merchant payments in " +
    "the admin, or ask the person who runs the store.",
  "account_accepted.title": "The gateway takes the account {{account}} again",
  "account_accepted.text": "{{shop}}: payments through the account {{account}} work again.",
  "customer_paid.title": "Your payment to {{shop}}: {{amount}}",
  "customer_paid.text": "{{shop}} has received your payment of {{amount}}{{for_order}}.{{receipt}}",
  "customer_refunded.title": "Your refund from {{shop}}: {{amount}}",
  "customer_refunded.text": "{{shop}} has refunded {{amount}} to you{{for_order}}.{{receipt}}",
  "customer_taken_back.title": "Your payment of {{amount}} to {{shop}} was taken back",
  "customer_taken_back.text":
    "Your operator has taken back your payment of {{amount}} to {{shop}}{{for_order}}, so {{shop}} " +
    "no longer has it.{{receipt}}",
  "summary.title": "{{shop}}: payments of {{days}}",
  "summary.text": "{{shop}}, {{days}}. {{counts}}. {{sums}}",
  "test.title": "Test of payment notifications",
  "test.text":
    "{{shop}}: if you read this, payment notifications reach you here. No money has moved.",

  // Parts of the sentences above. Each is left out where its fact is not known.
  for_order: " for order #{{number}}",
  by_operator: ", with {{operator}}",
  from_phone: ", phone ending in {{end}}",
  receipt: " Receipt: {{url}}",
  your_shop: "Your shop",

  // A summary's counts and sums.
  "count.money_received": "Payments received: {{count}}",
  "count.decision_needed": "Decisions needed: {{count}}",
  "count.request_waiting": "Waiting for a second admin: {{count}}",
  "count.refund_arrived": "Refunds arrived: {{count}}",
  "count.refund_failed": "Refunds failed: {{count}}",
  "count.payout_done": "Payouts done: {{count}}",
  "count.payout_failed": "Payouts failed: {{count}}",
  "count.operator_trouble": "Operators in trouble: {{count}}",
  "count.operator_recovered": "Operators no longer in trouble: {{count}}",
  "count.job_stopped": "Times the job stopped: {{count}}",
  "count.job_runs_again": "Times the job ran again: {{count}}",
  "count.account_refused": "Times an account was refused: {{count}}",
  "count.account_accepted": "Times an account was taken again: {{count}}",
  "sum.currency": "{{currency}}: received {{received}}, refunded {{refunded}}, sent out {{sent}}.",
  "sum.none": "No money moved.",
} as const

export type NotificationText = keyof typeof NOTIFICATION_EN
