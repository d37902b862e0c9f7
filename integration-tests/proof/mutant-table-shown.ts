/** Views that show what is not so, for the properties of `histories/judges`. */
import type { Mutant } from "./mutant-table"

/** Enough that money comes, waits for an admin and goes back in some. */
const HISTORIES = 80

function shown(name: string, file: string, find: string, replace: string): Mutant {
  return { name, patches: [{ file, find, replace }], scenarios: [], histories: HISTORIES }
}

export const SHOWN_MUTANTS: readonly Mutant[] = [
  shown(
    "a list forgets one of two filters",
    "src/review/sql/list-filter.ts",
    `    ...oneOf("state", filter.states, bind),\n`,
    "",
  ),
  shown(
    "the totals of a list leave its oldest row out",
    "src/review/list-totals.ts",
    `return all && totalsFrom(all.map(`,
    `return all && totalsFrom(all.slice(0, 1).map(`,
  ),
  shown(
    "a page begins with the last row of the page before",
    "src/review/sql/list-operations.ts",
    `order?.isAscending ? ">" : "<"}`,
    `order?.isAscending ? ">=" : "<="}`,
  ),
  shown(
    "a figure opens the rows of another period",
    "src/admin/lib/figure-links.ts",
    `currency, moved: { $gte: from, $lt: to }`,
    `currency, moved: { $gte: from, $lt: from }`,
  ),
  shown(
    "the home page keeps money that went back",
    "src/core/movements.ts",
    `  refund: "refunded",`,
    `  refund: null,`,
  ),
  shown(
    "money under review needs nobody",
    "src/review/sql/attention.ts",
    `case when o.state = 'review' then 'review'`,
    `case when o.state = 'review' and o.is_duplicate then 'review'`,
  ),
  shown(
    "a payment that was given back is not paid any more",
    "src/core/recorded.ts",
    `export function wasRecorded({ type, state, recordedAt }: Operation): boolean {
  return type === "COLLECTION" && state === "completed" && recordedAt !== null`,
    `export function wasRecorded({ type, state, recordedAt, returnedAt }: Operation): boolean {
  return type === "COLLECTION" && state === "completed" && recordedAt !== null && !returnedAt`,
  ),
  shown(
    "a payment's page leaves out its last refund",
    "src/review/view.ts",
    `refunds: beside.refunds.map((refund) => refundOf(refund, beside.requests)),`,
    `refunds: beside.refunds.slice(1).map((refund) => refundOf(refund, beside.requests)),`,
  ),
  shown(
    "all views have a settled amount that is not the gateway's",
    "src/engine/execution-answer.ts",
    `{ payeeAmount: majorText(payeeAmount),`,
    `{ payeeAmount: majorText({ ...payeeAmount, minor: payeeAmount.minor + 1n }),`,
  ),
  shown(
    "all views have a cent less than the gateway took",
    "src/engine/collection.ts",
    `{ collectedMinor: taken.minor }`,
    `{ collectedMinor: taken.minor - 1n }`,
  ),
  shown(
    "a page offers an answer that is refused",
    "src/review/resolve.ts",
    `  const whyNot = whyNotResolved(operation, action)`,
    `  const whyNot = action === "accept" ? whyNotResolved(operation, action) : "already_resolved"`,
  ),
  shown(
    "the file of a list writes what was asked",
    "src/reconciliation/list-file.ts",
    `gross: amount(({ figures }) => figures.gross),`,
    `gross: amount(({ figures }) => figures.asked),`,
  ),
  shown(
    "a search leaves the cents of an amount out",
    "src/core/search-words.ts",
    "quoted(fraction ? `${units}.${fraction}` : units)",
    "quoted(units)",
  ),
  shown(
    "a search does not know the payer's whole number",
    "src/core/search-words.ts",
    `"phone" in read ? [read.phone.digits] : []`,
    `"phone" in read ? [digits] : []`,
  ),
  shown(
    "the metrics leave payments under review out",
    "src/ledger/read-gauges.ts",
    `from mp_operation where state = 'review' limit`,
    `from mp_operation where state = 'review' and type = 'REFUND' limit`,
  ),
  shown(
    "an order's box leaves out its first refund",
    "src/review/read-operations.ts",
    `refunds: refundsOf(one).map(`,
    `refunds: refundsOf(one).slice(1).map(`,
  ),
  shown(
    "all three agree while money waits for an admin",
    "src/reconciliation/rules/agreement.ts",
    `is_green: hasEqualRows && open.length === 0`,
    `is_green: hasEqualRows`,
  ),
  shown(
    "a reconciliation leaves out what the gateway gave back",
    "src/reconciliation/rules/reconciliation-totals.ts",
    `sentOf(({ isConfirmed }) => isConfirmed)`,
    `sentOf(({ isConfirmed }) => !isConfirmed)`,
  ),
  shown(
    "a place of money opens the rows of another",
    "src/admin/lib/figure-links.ts",
    `linkIn(of, currency, { money: place })`,
    `linkIn(of, currency, { money: RECEIVED })`,
  ),
  shown(
    "the file of a reconciliation writes what was asked",
    "src/reconciliation/period-file.ts",
    `gross: text(gross),`,
    `gross: text(asked),`,
  ),
  shown(
    "a receipt leaves a refund out",
    "src/papers/receipt-document.ts",
    `const refunds = facts.operations.flatMap(refundFrom)`,
    `const refunds = facts.operations.flatMap(refundFrom).slice(1)`,
  ),
  shown(
    "a list counts as recorded what Medusa does not hold",
    "src/review/rules/signed-figures.ts",
    `operation.recordedAt === null ? null : minor`,
    `gross === null ? null : minor`,
  ),
  shown(
    "a payment's page shows a refund with a cent more",
    "src/review/view.ts",
    `    progress: progressOf(operation),
    amount: majorNumber(operation.amount),`,
    `    progress: progressOf(operation),
    amount: majorNumber({ ...operation.amount, minor: operation.amount.minor + 1n }),`,
  ),
  shown(
    "nobody is told of money that went back",
    "src/notifications/rules/kinds.ts",
    `["refund_arrived", "customer_refunded"]`,
    `["customer_refunded"]`,
  ),
  {
    name: "the same is told again under another key",
    scenarios: [],
    histories: HISTORIES,
    patches: [
      {
        file: "src/notifications/send.ts",
        find: `if (outcome.state === "sent") return`,
        replace: `if (outcome.state === "sent" && claimed.tries > 1) return`,
      },
      {
        file: "src/notifications/message.ts",
        find: `    key,
    channel,
    to: reader.to,`,
        replace: `    key: key + ":" + claimed.tries,
    channel,
    to: reader.to,`,
      },
    ],
  },
  shown(
    "a customer is told of a purchase before the order has its money",
    "src/notifications/message.ts",
    `kind === "customer_paid" ? isRecorded : orderNumber !== null`,
    `kind === "customer_paid" || orderNumber !== null`,
  ),
  shown(
    "a shopper's page reads paid while the phone still rings",
    "src/checkout/rules/status.ts",
    `return needsAction(operation) ? "action_required" : "waiting_for_payer"`,
    `return operation.state === "in_flight" ? "paid" : "waiting_for_payer"`,
  ),
  shown(
    "a shopper's page asks for a cent more than the cart",
    "src/checkout/read-status.ts",
    `return readyStatus(payable, flow, amount)`,
    `return readyStatus(payable, flow, { ...amount, minor: amount.minor + 1n })`,
  ),
  shown(
    "a shopper's page says a cent more went back",
    "src/checkout/rules/status.ts",
    `return minor === 0n ? null : majorNumber({ minor, currency: amount.currency })`,
    `return majorNumber({ minor: minor + 1n, currency: amount.currency })`,
  ),
  shown(
    "a shopper's page has a link of a receipt that nobody has",
    "src/checkout/receipt-url.ts",
    "receipt/${token}`",
    "receipt/${ids.receiptToken()}`",
  ),
  shown(
    "a page that listens hears of the first change alone",
    "src/checkout/live/payment-board.ts",
    `(!isDue && collection.seen?.mark === changed.mark)`,
    `collection.seen`,
  ),
  shown(
    "drafts that were never sent count as tries that expired",
    "src/reconciliation/sql/figures-of-period.ts",
    `not is_duplicate and submitted_at is not null and`,
    `not is_duplicate and`,
  ),
  shown(
    "the metrics take a check that is planned for one that waits",
    "src/ledger/read-check-health.ts",
    `
              and o.next_check_at <= now()`,
    "",
  ),
]
