/**
 * What shoppers, carts and the payment page do. A journey says nothing about faults: every script
 * may meet it.
 */
import type { FaultEntry } from "../../packages/simulator/src/faults"
import type { Outcome } from "../../packages/simulator/src/rules/timeline"
import { HOUR, MINUTE, SECOND } from "../support/an-operation"
import { CARD_JOURNEYS } from "./card-journeys"
import { DOUBT_JOURNEYS } from "./doubt-journeys"
import { OPEN_AMOUNT_JOURNEYS } from "./open-amount-journeys"
import { REVIEW_JOURNEYS } from "./review-journeys"
import { PAYOUT_JOURNEYS } from "./payout-journeys"
import { REFUND_JOURNEYS } from "./refund-journeys"
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

/** The whole way of a payment by phone; the matrix crosses these with every script. */
export const PUSH_JOURNEY: Journey = {
  name: "by phone",
  async play(harness) {
    await harness.start("phone")
    await harness.quiet()
  },
}

const PAGE_JOURNEY: Journey = {
  name: "on the page",
  async play(harness) {
    await harness.start("page")
    await harness.payOnPage()
    await harness.quiet()
  },
}

export const CARD_JOURNEY: Journey = {
  name: "by a card that its bank asks about",
  async play(harness) {
    await harness.start("card")
    harness.answerBank("pass")
    await harness.quiet()
  },
}

const DOCUMENT_JOURNEY: Journey = {
  name: "document first, on its page",
  isDocumentFirst: true,
  async play(harness) {
    await harness.start("page")
    await harness.payOnPage()
    await harness.quiet()
  },
}

const STANDBY_JOURNEY: Journey = {
  name: "a standby has lost the sending, and the shopper starts again",
  async play(harness) {
    await harness.start("phone")
    await harness.failOver()
    await harness.start("phone")
    await harness.quiet()
  },
}

export const OTHER_JOURNEYS: readonly Journey[] = [
  STANDBY_JOURNEY,
  {
    ...STANDBY_JOURNEY,
    name: "a standby has lost the sending, and its source stays payable",
    promptedSource: "ACTIVE",
  },
  {
    name: "a standby has lost the sending, and nobody comes back",
    async play(harness) {
      await harness.start("phone")
      await harness.failOver()
      await harness.quiet()
    },
  },
  {
    name: "the client is rotated, and its first answer is a fault",
    faults: { retrieveOrder: ["500", "500", "500"] },
    async play(harness) {
      await harness.start("phone")
      await harness.rotate()
      await harness.quiet()
    },
  },
  PAGE_JOURNEY,
  CARD_JOURNEY,
  {
    name: "by a card that its bank does not ask about",
    async play(harness) {
      await harness.start("card without a question")
      await harness.quiet()
    },
  },
  {
    name: "a card refused at its bank, then by phone",
    async play(harness) {
      await harness.start("card")
      harness.answerBank("refuse")
      await harness.settled()
      await harness.start("phone")
      await harness.quiet()
    },
  },
  {
    name: "a card whose bank is never answered, then the page",
    async play(harness) {
      await harness.start("card")
      await harness.settled()
      await harness.start("page")
      await harness.payOnPage()
      await harness.quiet()
    },
  },
  DOCUMENT_JOURNEY,
  {
    name: "document first, by phone",
    isDocumentFirst: true,
    play: PUSH_JOURNEY.play,
  },
  {
    name: "declined, then by phone again",
    outcome: "decline",
    async play(harness) {
      await harness.start("phone")
      await harness.settled()
      await harness.start("phone")
      await harness.quiet()
    },
  },
  {
    name: "declined, then on the page",
    outcome: "decline",
    async play(harness) {
      await harness.start("phone")
      await harness.settled()
      await harness.start("page")
      await harness.payOnPage()
      await harness.quiet()
    },
  },
  {
    name: "FAILED for a moment, then completed",
    outcome: "decline_then_approve",
    async play(harness) {
      await harness.start("phone")
      await harness.failedOnce()
      await harness.pass(2 * MINUTE)
      await harness.quiet()
    },
  },
  {
    name: "a number of no operator",
    faults: { predictMmoProviderInfo: ["404"] },
    async play(harness) {
      await harness.start("phone")
      await harness.start("phone")
      await harness.quiet()
    },
  },
  {
    name: "the execution never arrived",
    faults: { executeCollection: ["reset:before"] },
    play: PUSH_JOURNEY.play,
  },
  {
    name: "its session has run out when it is sent again",
    faults: { executeCollection: ["reset:before"] },
    // Long enough for the first sending, and over at the second 404.
    sessionLifeMs: 6 * SECOND,
    play: PUSH_JOURNEY.play,
  },
  {
    name: "the execution is refused",
    faults: { executeCollection: ["422"] },
    async play(harness) {
      await harness.start("phone")
      await harness.start("phone")
      await harness.quiet()
    },
  },
  {
    name: "the cart is edited while the page is open",
    async play(harness) {
      await harness.start("page")
      harness.edit("24.99")
      await harness.settled()
      await harness.start("page")
      await harness.payOnPage()
      await harness.quiet()
    },
  },
  {
    name: "the cart is edited and paid anew",
    // The old page is still open when the process dies, and the shopper pays the old total there.
    mayReview: true,
    async play(harness) {
      await harness.start("page")
      harness.edit("24.99")
      await harness.start("page")
      await harness.payOnPage()
      await harness.quiet()
    },
  },
  {
    name: "the cart is edited while the phone is asked",
    mayReview: true,
    async play(harness) {
      await harness.start("phone")
      harness.edit("24.99")
      await harness.quiet()
    },
  },
  {
    name: "the cart is edited behind the payment",
    mayReview: true,
    async play(harness) {
      await harness.start("phone")
      harness.edit("24.99", false)
      await harness.quiet()
    },
  },
  {
    name: "Medusa refuses twice",
    medusaRefuses: 2,
    play: PUSH_JOURNEY.play,
  },
  {
    name: "the session is replaced meanwhile",
    async play(harness) {
      await harness.start("phone")
      harness.reload()
      await harness.quiet()
    },
  },
  {
    name: "given up, then paid on a new page",
    async play(harness) {
      await harness.start("page")
      await harness.cancel()
      await harness.start("page")
      await harness.payOnPage()
      await harness.quiet()
    },
  },
  {
    name: "ordered, and never paid",
    isOrderFirst: true,
    async play(harness) {
      await harness.place()
      await harness.quiet()
    },
  },
  {
    name: "ordered, and declined",
    isOrderFirst: true,
    outcome: "decline",
    // The watch can't close the source, so that the end of the order's time has to.
    faults: { cancelOrder: ["503", "503", "503"] },
    async play(harness) {
      await harness.place()
      await harness.start("phone")
      await harness.quiet()
    },
  },
  {
    name: "ordered, and left on the page",
    isOrderFirst: true,
    async play(harness) {
      await harness.place()
      await harness.start("page")
      await harness.quiet()
    },
  },
  {
    name: "ordered, and paid by phone",
    isOrderFirst: true,
    async play(harness) {
      await harness.place()
      await harness.start("phone")
      await harness.quiet()
    },
  },
  {
    name: "ordered, and approved when its time is over",
    isOrderFirst: true,
    async play(harness) {
      await harness.place()
      await harness.start("phone")
      await harness.pass(HOUR)
      await harness.quiet()
    },
  },
  {
    name: "two tabs at once",
    hasRivals: true,
    async play(harness) {
      await harness.start("phone")
      await harness.startTwice()
      await harness.payOnPage()
      await harness.quiet()
    },
  },
  {
    name: "the gateway was down for a moment",
    faults: { createCheckoutSource: ["503"] },
    async play(harness) {
      await harness.start("phone")
      await harness.start("phone")
      await harness.quiet()
    },
  },
  ...REFUND_JOURNEYS,
  ...OPEN_AMOUNT_JOURNEYS,
  ...REVIEW_JOURNEYS,
  ...PAYOUT_JOURNEYS,
  ...DOUBT_JOURNEYS,
  ...CARD_JOURNEYS,
]
