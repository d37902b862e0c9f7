/** Differences, and why a comparison is incomplete. docs/reconciliation.md has them as a table. */
export const DIFFERENCE = {
  paid_unknown_to_ledger:
    "A document with this store's mark is paid, and no payment is known here for it: the database " +
    "was restored from a backup. Find the payer in the merchant portal.",
  paid_elsewhere:
    "A paid document that this store did not make: another shop or program on the same gateway " +
    "account did. No rule touches it, and it is in no sum.",
  paid_after_end: "The document of a payment that had ended is paid. The payment needs a review.",
  paid_twice:
    "A second document of one payment is paid. Its money needs a review, as a duplicate payment.",
  paid_not_completed:
    "The document is paid, and the payment is still under way here. It is checked again at once.",
  paid_not_recorded: "Paid for hours, and Medusa does not hold it yet. The log says why.",
  completed_but_reads_otherwise:
    "The gateway confirmed the payment once and says something else now. Nothing is taken " +
    "back; ask the gateway.",
  paid_not_listed:
    "Money came in by our records, and the gateway does not list its document as paid: the sums of " +
    "the period differ by it. Look the payment up in the merchant portal.",
  recorded_not_captured:
    "It is recorded in Medusa by our records, and Medusa holds no captured payment for it.",
  recorded_not_paid: "Medusa holds a captured payment, and by our records it is not completed.",
  captured_without_operation:
    "Medusa holds a captured payment of ours, and our records know nothing of it.",
  amount_differs: "The gateway, our records and Medusa hold different amounts of one payment.",
  order_canceled_but_paid:
    "The order is canceled, its payment is captured, and not all of it was refunded.",
  refund_unknown:
    "Money was refunded without a refund from here: in the merchant portal, or in Medusa alone.",
  returned_not_in_medusa:
    "More of a recorded payment was refunded than Medusa shows. Refund that amount on the order " +
    "in Medusa: it takes the refund that went through for its own, and nothing is sent again.",
  credit_line_unclear:
    "Whether a credit line of the order is missing, or left over from a refund that failed, is " +
    "not known, and the order is left open by it. Check its refunds and credit lines, then add " +
    "the open amount, below 0 where the customer is owed it, as a credit line through Medusa's API.",
} as const

export const INCOMPLETE = {
  not_configured: "The account has no usable credentials, so the gateway was not read.",
  gateway_not_read:
    "The gateway did not answer with its list of documents in time. Compare again in a minute.",
  not_all_answered:
    "The gateway was asked about a difference and did not answer. Compare again in a minute.",
  too_many_questions:
    "There were more differences than may be asked about at once. The rest are listed as they " +
    "were found.",
  list_too_long:
    "The gateway's list of documents is longer than can be read, so each document known here was " +
    "asked about instead. Money that is not known here can't be seen this way; look for it in " +
    "the merchant portal.",
  list_cut:
    "The gateway's list of documents broke off before its end. What came of it was compared, and " +
    "nothing is concluded about documents that did not come. Compare again in a minute.",
  list_repeats:
    "The gateway's list names a document more than once, so it may lack others. The document " +
    "counts once. Compare again in a minute.",
  list_incomplete:
    "The gateway's list of documents lacks some that it has, so each document known here that it " +
    "lacks was asked about instead. Money that is not known here may be missing; look for it in " +
    "the merchant portal.",
  rows_unreadable:
    "Some payments of our records can't be read and were left out. The log names them.",
  stopped: "The comparison of this account stopped with an error. The log says which.",
} as const
