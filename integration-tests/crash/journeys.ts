/**
 * What shoppers, carts and the payment page do. A journey says nothing about faults: every script
 * may meet it.
 */
import type { FaultEntry } from "../../packages/simulator/src/faults"
import type { Outcome } from "../../packages/simulator/src/rules/timeline"
import { steps } from "../histories/commands"
import { HOUR, MINUTE, SECOND } from "../support/an-operation"
import { CARD_JOURNEYS } from "./card-journeys"
import { DOUBT_JOURNEYS } from "./doubt-journeys"
import { OPEN_AMOUNT_JOURNEYS } from "./open-amount-journeys"
import { REVIEW_JOURNEYS } from "./review-journeys"
import { PAYOUT_JOURNEYS } from "./payout-journeys"
import { REFUND_JOURNEYS } from "./refund-journeys"
import { RESTORE_JOURNEYS } from "./restore-journeys"
import type { Harness } from "./harness"

export type Journey = {
  readonly name: string
  /** Before the faults of a script. */
  readonly faults?: Readonly<Record<string, readonly FaultEntry[]>>
  readonly outcome?: Outcome
  readonly isDocumentFirst?: boolean
  readonly isOrderFirst?: boolean
  readonly medusaRefuses?: number
  readonly mayReview?: boolean
  /** All that was charged has gone back in the end. */
  readonly isGivenBack?: boolean
  /** How often Medusa refuses to write a refund, or to take one out. */
  readonly medusaRefusesRefunds?: number
  /** The first refund fails after Medusa has shown it. */
  readonly isRefundFailedLate?: boolean
  /** The account gives orphans back by itself. */
  readonly isOrphanRefunded?: boolean
  /** How long the gateway lets a checkout session be executed. */
  readonly sessionLifeMs?: number
  /** What a source reads while its prompt waits; left out: `PROCESSING`. */
  readonly promptedSource?: "ACTIVE"
  /** The gateway refuses an execution that it has carried out already. */
  readonly isRepeatRefused?: boolean
  /** Of the first refund; left out: it goes through. */
  readonly refundOutcome?: Outcome
  /** Medusa makes no order of the cart, by a rule that does not change. */
  readonly medusaRefusesByRule?: boolean
  /** What no order can take begins to go back within a minute. */
  readonly isAnsweredSoon?: boolean
  /** Others act in the same moments: where it looks like another journey, it is not the same. */
  readonly hasRivals?: boolean
  play(harness: Harness): Promise<void>
}

const PAID_BY_PHONE = steps<Harness>(["start", "phone"], ["quiet"])
const PAID_ON_PAGE = steps<Harness>(["start", "page"], ["payOnPage"], ["quiet"])
const TWICE_BY_PHONE = steps<Harness>(["start", "phone"], PAID_BY_PHONE)

/** The whole way of a payment by phone; the matrix crosses these with every script. */
export const PUSH_JOURNEY: Journey = { name: "by phone", play: PAID_BY_PHONE }

export const CARD_JOURNEY: Journey = {
  name: "by a card that its bank asks about",
  play: steps(["start", "card"], ["answerBank", "pass"], ["quiet"]),
}

/** A standby database has lost the sending. */
const STANDBY: readonly Journey[] = [
  {
    name: "a standby has lost the sending, and the shopper starts again",
    play: steps(["start", "phone"], ["failOver"], PAID_BY_PHONE),
  },
  {
    name: "a standby has lost the sending, and its source stays payable",
    promptedSource: "ACTIVE",
    play: steps(["start", "phone"], ["failOver"], PAID_BY_PHONE),
  },
  {
    name: "a standby has lost the sending, and nobody comes back",
    play: steps(["start", "phone"], ["failOver"], ["quiet"]),
  },
]

const SOURCES_AND_CARDS: readonly Journey[] = [
  {
    name: "the client is rotated, and its first answer is a fault",
    faults: { retrieveOrder: ["500", "500", "500"] },
    play: steps(["start", "phone"], ["rotate"], ["quiet"]),
  },
  { name: "on the page", play: PAID_ON_PAGE },
  CARD_JOURNEY,
  {
    name: "by a card that its bank does not ask about",
    play: steps(["start", "card without a question"], ["quiet"]),
  },
  {
    name: "a card refused at its bank, then by phone",
    play: steps(["start", "card"], ["answerBank", "refuse"], ["settled"], PAID_BY_PHONE),
  },
  {
    name: "a card whose bank is never answered, then the page",
    play: steps(["start", "card"], ["settled"], PAID_ON_PAGE),
  },
  { name: "document first, on its page", isDocumentFirst: true, play: PAID_ON_PAGE },
  { name: "document first, by phone", isDocumentFirst: true, play: PAID_BY_PHONE },
]

const SECOND_TRIES: readonly Journey[] = [
  {
    name: "declined, then by phone again",
    outcome: "decline",
    play: steps(["start", "phone"], ["settled"], PAID_BY_PHONE),
  },
  {
    name: "declined, then on the page",
    outcome: "decline",
    play: steps(["start", "phone"], ["settled"], PAID_ON_PAGE),
  },
  {
    name: "FAILED for a moment, then completed",
    outcome: "decline_then_approve",
    play: steps(["start", "phone"], ["failedOnce"], ["pass", 2 * MINUTE], ["quiet"]),
  },
  {
    name: "a number of no operator",
    faults: { predictMmoProviderInfo: ["404"] },
    play: TWICE_BY_PHONE,
  },
  {
    name: "the execution never arrived",
    faults: { executeCollection: ["reset:before"] },
    play: PAID_BY_PHONE,
  },
  {
    name: "its session has run out when it is sent again",
    faults: { executeCollection: ["reset:before"] },
    // Long enough for the first sending, and over at the second 404.
    sessionLifeMs: 6 * SECOND,
    play: PAID_BY_PHONE,
  },
  {
    name: "the execution is refused",
    faults: { executeCollection: ["422"] },
    play: TWICE_BY_PHONE,
  },
  {
    name: "the gateway was down for a moment",
    faults: { createCheckoutSource: ["503"] },
    play: TWICE_BY_PHONE,
  },
  { name: "Medusa refuses twice", medusaRefuses: 2, play: PAID_BY_PHONE },
]

const EDITED_CARTS: readonly Journey[] = [
  {
    name: "the cart is edited while the page is open",
    play: steps(["start", "page"], ["edit", "24.99"], ["settled"], PAID_ON_PAGE),
  },
  {
    name: "the cart is edited and paid anew",
    // The old page is still open when the process dies, and the shopper pays the old total there.
    mayReview: true,
    play: steps(["start", "page"], ["edit", "24.99"], PAID_ON_PAGE),
  },
  {
    name: "the cart is edited while the phone is asked",
    mayReview: true,
    play: steps(["start", "phone"], ["edit", "24.99"], ["quiet"]),
  },
  {
    name: "the cart is edited behind the payment",
    mayReview: true,
    play: steps(["start", "phone"], ["edit", "24.99", false], ["quiet"]),
  },
  {
    name: "the session is replaced meanwhile",
    play: steps(["start", "phone"], ["reload"], ["quiet"]),
  },
  {
    name: "given up, then paid on a new page",
    play: steps(["start", "page"], ["cancel"], PAID_ON_PAGE),
  },
  {
    name: "two tabs at once",
    hasRivals: true,
    play: steps(["start", "phone"], ["startTwice", ["phone", "page"]], ["payOnPage"], ["quiet"]),
  },
]

const ORDERED: readonly Journey[] = (
  [
    { name: "ordered, and never paid", play: steps(["place"], ["quiet"]) },
    {
      name: "ordered, and declined",
      outcome: "decline",
      // The watch can't close the source, so that the end of the order's time has to.
      faults: { cancelOrder: ["503", "503", "503"] },
      play: steps(["place"], PAID_BY_PHONE),
    },
    {
      name: "ordered, and left on the page",
      play: steps(["place"], ["start", "page"], ["quiet"]),
    },
    { name: "ordered, and paid by phone", play: steps(["place"], PAID_BY_PHONE) },
    {
      name: "ordered, and approved when its time is over",
      play: steps(["place"], ["start", "phone"], ["pass", HOUR], ["quiet"]),
    },
  ] satisfies readonly Journey[]
).map((journey: Journey) => ({ ...journey, isOrderFirst: true }))

export const OTHER_JOURNEYS: readonly Journey[] = [
  ...STANDBY,
  ...SOURCES_AND_CARDS,
  ...SECOND_TRIES,
  ...EDITED_CARTS,
  ...ORDERED,
  ...REFUND_JOURNEYS,
  ...OPEN_AMOUNT_JOURNEYS,
  ...REVIEW_JOURNEYS,
  ...PAYOUT_JOURNEYS,
  ...DOUBT_JOURNEYS,
  ...CARD_JOURNEYS,
  ...RESTORE_JOURNEYS,
]
