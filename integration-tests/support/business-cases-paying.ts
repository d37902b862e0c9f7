/**
 * The business cases of somebody who pays, B01 to B12: what the cart, the gateway and the clock may
 * do meanwhile.
 */
import { isLive, isMoneyMoving, stateAfter } from "../../src/core/operation"
import { shownUrl } from "../../src/checkout/rules/status"
import { aHostedOperation, anOperation, currency, MINUTE, money } from "./an-operation"
import {
  decided,
  expiredPage,
  failed,
  failedOnce,
  hosted,
  inFlight,
  lateMoney,
  otherAmount,
  page,
  paying,
  recorded,
  row,
  settled,
  starting,
  stays,
  submitted,
  type BusinessCase,
} from "./business-case"
import { afterRead, both, declined, execution, source, unknown } from "./decide-findings"

export const CASES_OF_PAYING: readonly BusinessCase[] = [
  decided(
    "B01",
    "edited while the page is open: its source is closed",
    page,
    { ...hosted("ACTIVE"), isAmountStale: true },
    { event: undefined, action: "close_source", marks: { closing: "canceled" } },
  ),
  decided("B01", "and the cart is free only once it reads CANCELED", page, hosted("CANCELED"), {
    event: "expire",
    reason: "canceled",
  }),
  row(
    "B01",
    "an open page is no reason to refuse the edit",
    "isMoneyMoving",
    () => isMoneyMoving(page),
    false,
  ),
  decided(
    "B02",
    "edited while paying: nothing is closed under the payer's hands",
    paying,
    { ...hosted("PROCESSING"), isAmountStale: true },
    stays,
  ),
  row(
    "B02",
    "the shop's own edits are refused meanwhile",
    "isMoneyMoving",
    () => [submitted, inFlight, paying].map(isMoneyMoving),
    [true, true, true],
  ),
  settled(
    "B02",
    "money for another total is stranded",
    { isAmountEqual: false },
    "strand",
    "cart_changed",
  ),
  decided(
    "B03",
    "edit and refresh at once: what was to be closed is closed, whoever asks again",
    aHostedOperation({ closing: "canceled" }),
    hosted("ACTIVE"),
    { event: undefined, action: "close_source" },
  ),
  row("B03", "and holds its collection until then", "isLive", () => isLive(page), true),
  row("B04", "a second click meets the first", "isLive", () => [starting, page].map(isLive), [
    true,
    true,
  ]),
  row("B04", "and is given the same address", "shownUrl", () => shownUrl(page), page.hostedUrl),
  decided(
    "B05",
    "a page paid after its end is for a person",
    expiredPage,
    hosted("PAID"),
    lateMoney,
  ),
  decided(
    "B05",
    "a push completed after its end is for a person",
    anOperation({ state: "expired" }),
    both("COMPLETED", "PAID"),
    lateMoney,
  ),
  settled(
    "B05",
    "money whose session was deleted is stranded",
    { hasSession: false },
    "strand",
    "session_gone",
  ),
  decided("B06", "the first FAILED ends nothing", inFlight, declined, {
    event: undefined,
    next: { kind: "in", ms: 5_000 },
  }),
  decided(
    "B06",
    "the second frees the cart",
    failedOnce,
    { ...declined, source: source("ACTIVE") },
    {
      event: "fail",
      reason: "declined",
    },
  ),
  decided(
    "B06",
    "COMPLETED after it is for a person",
    failed,
    both("COMPLETED", "PAID"),
    lateMoney,
  ),
  decided(
    "B06",
    "also when its source was closed for another way to pay",
    failed,
    both("COMPLETED", "CANCELED"),
    {
      event: "doubt",
      reason: "source_disagrees",
    },
  ),
  decided("B07", "COMPLETED, later FAILED, stays completed", recorded, both("FAILED", "PAID"), {
    event: undefined,
    action: undefined,
    marks: { contradicted: true },
  }),
  row(
    "B07",
    "and the machine has no way out of recorded",
    "stateAfter",
    () => stateAfter("completed", "fail"),
    undefined,
  ),
  decided("B08", "a page's source is enough", page, hosted("PAID"), { event: "complete" }),
  decided("B08", "a push needs both", inFlight, execution("COMPLETED"), {
    event: undefined,
    action: "ask_source",
  }),
  decided("B08", "COMPLETED with an ACTIVE source waits", inFlight, both("COMPLETED", "ACTIVE"), {
    event: undefined,
    marks: { contradicted: true },
  }),
  decided(
    "B08",
    "and then is for a person",
    anOperation({ state: "in_flight", contradictedAt: afterRead(-15 * MINUTE) }),
    both("COMPLETED", "ACTIVE"),
    { event: "doubt", reason: "source_disagrees" },
  ),
  decided(
    "B08",
    "PAID with an unknown execution is not believed",
    inFlight,
    { execution: unknown, source: source("PAID") },
    stays,
  ),
  decided("B09", "CANCELED while the shopper is on the page", page, hosted("CANCELED"), {
    event: "expire",
    reason: "canceled",
  }),
  ...[1_998, 2_000].flatMap((minor) => [
    decided("B10", `${minor} of 1999 on the page`, page, hosted("PAID", money(minor)), otherAmount),
    decided(
      "B10",
      `${minor} of 1999 by push`,
      inFlight,
      both("COMPLETED", "PAID", money(minor)),
      otherAmount,
    ),
  ]),
  decided("B11", "the same figure in another currency", page, hosted("PAID", money(1_999, "LRD")), {
    event: "doubt",
    reason: "currency_mismatch",
  }),
  decided(
    "B11",
    "paid in another currency than the source's",
    anOperation({ payerCurrency: currency("LRD"), payerAmount: "3900.00" }),
    both("COMPLETED", "PAID"),
    { event: "complete" },
  ),
  decided(
    "B12",
    "fees on top of the total",
    anOperation({ feeBearer: "PAYER", payerAmount: "20.59" }),
    both("COMPLETED", "PAID"),
    { event: "complete" },
  ),
  decided(
    "B12",
    "a source total with the fees in it is another total",
    anOperation({ feeBearer: "PAYER" }),
    both("COMPLETED", "PAID", money(2_059)),
    otherAmount,
  ),
]
