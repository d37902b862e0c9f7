/**
 * Why an operation needs a review or has ended, for the admin who decides about the money: what
 * happened, and what can be done. Also why an action is not possible now.
 */

/** The table in docs/review.md is made from these texts. */
export const REVIEW = {
  amount_mismatch:
    "The gateway took another amount than was asked for, or sent another. Of a payment, give " +
    "back what came above, or all of it, or accept what was asked for. Of a refund, payout or " +
    "transfer, look up in the merchant portal what went, settle the rest, and accept it.",
  currency_mismatch:
    "The gateway took another currency than was asked for. Refund it in the merchant portal, " +
    "then dismiss it.",
  source_disagrees:
    "The gateway's answers contradict each other: the payment went through, but its document " +
    "does not say so, or the other way round.",
  no_answer:
    "The gateway has given no final answer for days. Look it up in the merchant portal, check " +
    "again, and decide.",
  credentials:
    "There are no credentials with which the gateway could be asked about it. Put the " +
    "account's credentials back, or look it up in the merchant portal.",
  late_payment:
    "The money came after the payment had ended, and its cart or order was not as it had been, or " +
    "its account does not place it. Put it onto its order, or refund it.",
  order_canceled: "The order was canceled before the money could be recorded. Refund it.",
  cart_changed:
    "The cart or order has another total now than was paid. Refund it, or settle the " +
    "difference with the customer: accept it where its order holds it, else dismiss it.",
  session_gone: "Neither a cart nor an order belongs to the money any more. Refund it.",
  provider_disabled:
    "This way to pay is not enabled any more. Enable it in the region and accept the payment, " +
    "or refund it.",
  another_payment:
    "The cart or order is paid in another way already, so this is a duplicate payment. Refund it.",
  cart_not_completed:
    "The store could not make the order, for example because there is no stock. Mend that and " +
    "accept the payment, or refund it.",
  late_refund:
    "The gateway had reported this refund as failed, and it went through all the same, or is " +
    "still on its way. More may have gone back than was meant to. Accept it, so that it counts.",
  late_payout:
    "The money went out after this payout or transfer had been reported as ended. Look whether " +
    "it was sent once more since, and accept it, so that it counts.",
} as const

export const END = {
  declined: "It was declined.",
  insufficient_funds: "There was not enough money in the wallet.",
  wrong_pin: "The PIN was wrong.",
  limit: "It was above or below a limit of the wallet.",
  operator_unavailable: "The operator did not answer.",
  no_wallet: "The number has no wallet at the operator.",
  other_payment_waits: "Another payment was waiting on that phone.",
  not_configured: "The gateway refused the account's credentials, or does not let it do this.",
  canceled: "It was canceled.",
  never_landed: "The gateway never received it.",
  window_closed: "It was not paid in time.",
  returned: "The money was refunded.",
  unknown: "The gateway gave no reason that is recognised.",
} as const

/** Of an unknown reason, where the gateway wrote anything. */
export const UNKNOWN = {
  unknown_said: 'The gateway wrote: "{{said}}". That reason is not recognised.',
} as const

export const NOT_POSSIBLE = {
  not_in_review: "It does not wait for a decision.",
  already_resolved: "It has been decided already.",
  refund_in_progress: "Its money is on its way back.",
  records_being_corrected:
    "Medusa still shows it as refunded. That is being corrected, which takes a minute; then it " +
    "can be made once more.",
  refund_unclear:
    "It was or may have been paid in another currency, so only all of it can be refunded, at once.",
  order_closed: "Its order is cancelled.",
  another_payment_live: "Another payment of the same cart or order has paid it, or is under way.",
  cart_differs: "The cart or order asks for another amount than was paid.",
  cannot_be_settled: "Medusa can't take this money as things are.",
  out_of_stock: "Out of stock: {{items}}.",
  amount_differs: "Another amount or currency was paid than was asked for.",
  nothing_to_ask: "Nothing of it is at the gateway.",
  action_not_possible: "This can't be done with it.",
} as const
