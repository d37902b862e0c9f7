/**
 * What happened to an operation, and why: a text for each event's code, with its facts. In the
 * admin the event's title stands above it, from `timeline` in the admin's dictionaries.
 */
export const EVENT = {
  // what the gateway was asked, and did not answer
  not_asked: "The gateway was not asked.",
  source_next: "Its document is checked next.",
  answer_later: "The gateway asked for a pause.",
  answer_refused: "The gateway refused to answer. Check the account's credentials.",
  no_answer: "The gateway gave no usable answer.",
  database_behind:
    "The database may lack payments of the time before it was restored. The rule waits until " +
    "they are compared with the gateway.",
  no_final_answer: "The gateway has given no final answer for days.",
  no_credentials: "There are no credentials to ask the gateway with.",
  unreadable: "Neither the payment nor its document can be read at the gateway.",
  checked_by_admin: "Checked by an admin.",

  // what the gateway knows
  not_known: "The gateway does not know it.",
  known_before: "The gateway knew it before and does not know it now.",
  never_landed: "The gateway never received it.",
  source_unknown: "The gateway does not know its document.",
  source_known_again: "The gateway knows its document again.",

  // what the gateway reports
  execution_reads: "The gateway reports {{execution}}.",
  source_reads: "Its document reads {{source}}.",
  reports_differ: "The payment reads {{execution}}, and its document {{source}}.",
  failed_once: "The gateway reports FAILED. It is checked again before that counts.",
  failed_twice: "The gateway reported FAILED twice.",
  paid: "The gateway reports it as paid, with the amount and currency asked for.",
  paid_other_amount: "The gateway reports it as paid, not with the amount and currency asked for.",
  arrived: "The gateway reports that the money arrived.",
  other_amount: "The gateway moves another amount than was asked for.",
  being_paid: "Its document is being paid.",
  money_seen: "The gateway says how much was paid.",
  receipt: "The receipt says what was paid and what it cost.",
  confirmed_again: "The gateway confirms what it said before.",
  taken_back:
    "The gateway says that the operator took the money back. It is in the sums since now.",
  contradicted: "The gateway confirmed it before and says something else now.",

  // after an end
  paid_after_end: "The money came after the payment had ended.",
  arrived_after_end: "The money went after it had been reported as ended.",
  still_ended: "Nothing has changed since it ended.",
  paid_by_unknown: "Its document is paid. Which payment paid it is not known.",
  source_of_another: "Its document is another payment's.",
  source_found: "The gateway has its document: the database had lost that.",
  second_source: "A document of which the ledger did not know.",
  second_source_left: "The payment went on with another document.",
  second_source_paid: "A second document of {{beside}} is paid.",
  second_charge: "The document of {{beside}} was paid a second time.",
  second_charge_left: "The payment went on with its prompt.",
  second_charge_paid:
    "The document of {{beside}} was paid in another way while its prompt read FAILED. The prompt was approved later, so the money came twice.",
  charged_twice:
    "Its prompt was approved after its document had been paid in another way. That other money is {{other}}.",

  payer_known: "Its prompt has brought the money that its document was seen with.",

  // the source at the gateway
  source_made: "Its document was made at the gateway.",
  source_payable: "Its document can be paid now.",
  source_differs: "Its document is not what was asked for.",
  source_taken_over: "The document of the failed payment can still be paid and is used again.",
  source_kept: "Its document reads {{source}}. The shopper may try again with it.",
  source_closing: "Its document is to be closed.",
  source_closed: "Its document can't be paid any more.",
  amount_changed: "The cart or order has another total now.",
  order_total_changed: "Medusa made the order with another total than was paid.",
  window_over: "The time to pay is over.",
  nothing_landed: "The gateway has received nothing in time.",
  payment_changed: "Another total or another way to pay was chosen.",
  shopper_canceled: "The shopper canceled.",
  admin_canceled: "An admin took the payment link back.",
  session_deleted: "Medusa has deleted the payment session.",

  // before and while the money call is sent
  shopper_starts: "A shopper starts to pay.",
  shopper_starts_again: "The shopper starts again.",
  link_made: "An admin makes a payment link.",
  link_sent_again: "An admin asked for the link once more, to send it to the payer.",
  money_out_asked: "An admin sends money.",
  page_ready: "The payment page is ready.",
  ready_to_send: "Everything is ready. It is sent next.",
  sent_again: "It is sent again under the same reference.",
  sent_with_new_session: "The gateway refused its session. It is sent again with a new one.",
  not_executable: "What is needed to send it is missing.",
  call_ended: "The call ended as {{outcome}}. The gateway is asked what became of it.",
  never_sent: "Nothing was sent.",
  draft_unknown: "The gateway does not know its reference. It is asked once more before it ends.",
  found_sent: "The gateway knows its reference: it was sent, and the database has lost that.",
  gateway_refused: "The gateway refused it.",
  gateway_unreachable: "The gateway could not be asked.",
  credentials_refused: "The gateway does not accept the account's credentials.",
  not_allowed: "The gateway does not allow this to the account. It may not be verified yet.",
  wrong_passcode: "The gateway refused the passcode.",
  wallet_too_low: "There is not enough money in the wallet.",
  recipient_refused: "The gateway does not accept the recipient's number.",
  intent_unknown: "The gateway does not know the payment intent.",
  session_unusable: "The gateway's session can't be used.",

  // Medusa, and the order
  recorded: "Medusa holds the captured payment, and the order its money.",
  rebound: "Medusa replaced the payment session.",
  medusa_refused: "Medusa refused: {{detail}}",
  session_missing: "It is paid, and its payment session is missing. Medusa may be replacing it.",
  session_gone: "The payment session is gone, and no other agrees with the money.",
  nothing_to_pay: "Neither a cart nor an order belongs to the money.",
  capture_undone: "A captured payment was left by a completion that was undone.",
  provider_disabled: "The payment provider is not enabled any more.",
  another_payment: "The payment collection already holds another payment.",
  order_paid_otherwise: "The order is paid in another way.",
  order_asks_nothing: "The order asks for no money any more, so it stays.",
  order_canceled: "The order is canceled.",
  order_placed: "The order is placed and waits for its money.",
  order_unpaid: "The order was not paid in time.",
  order_gone: "No order waits for this money.",
  order_in_review: "The money of {{operation}} needs a review.",
  order_follows: "The order follows {{operation}}.",
  order_decided: "An admin has decided about the money of {{operation}}.",
  order_closed_by: "{{operation}} closes the order.",
  order_other_provider: "The order may be paid through {{provider_id}}.",
  order_not_cancelable: "The order is not one that Medusa cancels.",

  stray_order_found:
    "Medusa made order #{{number}} for this purchase, too. Nothing links it to the cart, and " +
    "nobody pays it.",
  stray_order_canceled: "Order #{{number}}, which nobody pays, is cancelled.",
  stray_order_left: "The second order of this purchase is cancelled, paid or changed by now.",

  // refunds
  refund_by_medusa: "Medusa refunds it.",
  placed_by_policy:
    "It came after the payment had ended; the account's policy place_late_money puts it onto its " +
    "unchanged cart or order.",
  refund_by_policy: "The account's policy refund_orphans refunds it.",
  refund_policy_refused: "The account's policy refund_orphans could not refund it ({{code}}).",
  rest_returned:
    "What came above what was asked for went back. What was asked for is recorded now.",
  refund_request_closed: "The refund that was asked for is not sent.",
  refund_again: "An earlier refund did not go through. It is made once more.",
  refund_of_canceled: "The order is canceled. What is left of its money is given back.",
  refund_adopted: "Medusa asked for a refund that is on its way already. Nothing was sent again.",
  refund_answered: "Medusa was answered that the refund is on its way.",
  refund_recorded: "Medusa shows the refund, and its order the money that went back.",
  credit_line_unclear:
    "Medusa shows the refund. Its order is left open, and whether its credit line is missing " +
    "is not known. The reconciliation lists it.",
  refund_undone: "Medusa showed the refund. It was taken out in all places.",
  refund_not_shown: "Medusa shows nothing of the refund.",
  refunds_removed:
    "Medusa showed refunds that were never sent: a process died before it asked, or canceling " +
    "the order hid a refusal. They are taken out of Medusa's records; the money is still here.",
  refunds_recounted:
    "Medusa's sums of refunds did not agree with its refunds: one was refused while they were " +
    "counted, or a process died over them. They are counted again.",
  refund_transactions_removed:
    "Medusa had transactions of other amounts, or of no refund. They are taken out of the order.",

  // people
  note: "{{note}}",
  note_erased: "What was written here was erased.",
  intent_entered: "An admin entered the payment intent id.",
  intent_named: "The gateway named the payment intent, because a refund needs it.",
  data_erased: "An admin erased the shopper's data.",
  pruned: "Older events were removed after their time.",
  not_due: "Nothing is to be asked or recorded.",
} as const
