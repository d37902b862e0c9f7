/**
 * The business cases of money that is there, or that goes back, B13 to B30: what the shop does with
 * it.
 */
import { isRecorded } from "../../src/core/operation"
import { isQuoteChanged } from "../../src/core/quote"
import { statusOf } from "../../src/checkout/rules/status"
import {
  aHostedOperation,
  afterNoon,
  anOperation,
  aRefund,
  MINUTE,
  money,
  SECOND,
} from "./an-operation"
import {
  amountRows,
  sides,
  decided,
  differences,
  failed,
  hosted,
  inFlight,
  late,
  lateMoney,
  page,
  recorded,
  refundDecided,
  row,
  sendsTen,
  settled,
  stays,
  submitted,
  type BusinessCase,
} from "./business-case"
import { absent, afterRead, both, execution, refused, unknown } from "./decide-findings"

export const CASES_OF_PAID: readonly BusinessCase[] = [
  ...amountRows,
  row(
    "B14",
    "the old session's id answers with the operation's own state, whatever data it carries",
    "statusOf",
    () => statusOf(inFlight, "payses_old").state,
    "waiting_for_payer",
  ),
  decided("B15", "a source that somebody else paid", failed, late("this"), lateMoney),
  decided("B15", "is held once, by the try whose money it is", failed, late("another"), stays),
  settled(
    "B15",
    "a cart that another payment has paid",
    { hasForeignPayment: true },
    "strand",
    "another_payment",
  ),
  settled(
    "B16",
    "what an undone completion captured is taken into the next order",
    { isCaptured: true },
    "complete_cart",
  ),
  settled("B16", "a cart that is gone", { hasCart: false }, "strand", "session_gone"),
  settled("B16", "a cart that is there is completed", {}, "complete_cart"),
  row(
    "B17",
    "recorded money is recorded, so that cancelling it throws",
    "isRecorded",
    () => isRecorded(recorded),
    true,
  ),
  row("B18", "what is unknown stays reserved", "refundToSend", sendsTen(1_200n, ["12.00"]), {
    kind: "too_much",
    left: money(799),
  }),
  refundDecided("B18", "an unknown refund goes on", aRefund(), unknown, stays),
  row("B19", "a second refund beyond what is left", "refundToSend", sendsTen(1_000n, ["10.00"]), {
    kind: "too_much",
    left: money(999),
  }),
  row("B19", "one that fits", "refundToSend", sendsTen(999n, ["9.99"]), {
    kind: "send",
    amount: money(1_000),
  }),
  refundDecided(
    "B20",
    "a refund that lands is done",
    aRefund(),
    { kind: "seen", status: "COMPLETED" },
    {
      event: "complete",
    },
  ),
  refundDecided(
    "B21",
    "the first FAILED of a refund frees nothing",
    aRefund({ state: "in_flight" }),
    { kind: "seen", status: "FAILED" },
    { event: undefined, marks: { failed: true, absent: false } },
  ),
  refundDecided(
    "B21",
    "the second does",
    aRefund({ state: "in_flight", failedAt: afterNoon(4 * SECOND) }),
    { kind: "seen", status: "FAILED" },
    { event: "fail" },
  ),
  row(
    "B22",
    "given back by hand in Medusa's records or the portal",
    "compareBooks",
    differences({
      ...sides,
      payments: sides.payments.map((payment) => ({ ...payment, refundedAmount: "5.00" })),
    }),
    ["refund_unknown"],
  ),
  row("B22", "the books agree", "compareBooks", differences(sides), []),
  decided(
    "B23",
    "a page that the credentials can't see is for a person",
    aHostedOperation({ absentAt: afterRead(-15 * MINUTE) }),
    { source: { kind: "absent" } },
    { event: "doubt", reason: "credentials" },
  ),
  decided(
    "B23",
    "a push that they could not see for 15 minutes is for a person, once closing was tried",
    anOperation({ closing: "never_landed", contradictedAt: afterRead(-15 * MINUTE) }),
    { ...absent, source: refused },
    { event: "doubt", reason: "credentials" },
  ),
  decided(
    "B24",
    "a provider that was switched off is still asked for",
    submitted,
    execution("PROCESSING"),
    {
      event: "see",
    },
  ),
  settled(
    "B24",
    "and its money is stranded",
    { isProviderEnabled: false },
    "strand",
    "provider_disabled",
  ),
  decided(
    "B25",
    "cancelled while PROCESSING: watched to its end",
    inFlight,
    execution("PROCESSING"),
    stays,
  ),
  decided(
    "B26",
    "a shopper who never returns has paid all the same",
    aHostedOperation({ waiting: false, waitingAt: null }),
    hosted("PAID"),
    {
      event: "complete",
      next: { kind: "now" },
    },
  ),
  decided("B27", "back before the gateway knows: nothing changes", page, hosted("ACTIVE"), stays),
  row(
    "B27",
    "and the page says to wait",
    "statusOf",
    () => statusOf(page).state,
    "waiting_for_payer",
  ),
  row(
    "B28",
    "the old session id still answers, under its own name",
    "statusOf",
    () => statusOf(page, "payses_old").id,
    "payses_old",
  ),
  settled(
    "B29",
    "money of a cancelled order",
    { order: { isCanceled: true, isPaidInFull: false, isPaidOtherwise: false } },
    "strand",
    "order_canceled",
  ),
  settled(
    "B29",
    "also when it was captured on it",
    { order: { isCanceled: true, isPaidInFull: true, isPaidOtherwise: false }, isCaptured: true },
    "strand",
    "order_canceled",
  ),
  decided(
    "B30",
    "what the payer pays is stored, and decides nothing",
    anOperation({ payerAmount: "21.50" }),
    both("COMPLETED", "PAID"),
    { event: "complete" },
  ),
  row(
    "B30",
    "the gateway would charge a cent more than the shopper was told",
    "isQuoteChanged",
    () => isQuoteChanged(21.5, { payerAmount: money(2151), payeeAmount: money(1999) }),
    true,
  ),
  row(
    "B30",
    "it would charge what the shopper was told",
    "isQuoteChanged",
    () => isQuoteChanged(21.5, { payerAmount: money(2150), payeeAmount: money(1999) }),
    false,
  ),
]
