/**
 * What shoppers, carts and the payment page do. A story says nothing about faults: every script may
 * meet it.
 */
import type { FaultEntry } from "../../packages/simulator/src/faults"
import type { Outcome } from "../../packages/simulator/src/rules/timeline"
import { HOUR, MINUTE, SECOND } from "../support/an-operation"
import { DESK_STORIES } from "./desk-stories"
import { PAYOUT_STORIES } from "./payout-stories"
import { REFUND_STORIES } from "./refund-stories"
import type { Stage } from "./stage"

export type Story = {
  readonly name: string
  /** Before the faults of a script. */
  readonly faults?: Readonly<Record<string, readonly FaultEntry[]>>
  readonly outcome?: Outcome
  readonly isDocumentFirst?: boolean
  readonly isOrderFirst?: boolean
  readonly hostRefuses?: number
  readonly mayReview?: boolean
  /** All that was charged has gone back in the end. */
  readonly isGivenBack?: boolean
  /** How often Medusa refuses to write a refund, or to take one out. */
  readonly hostRefusesRefunds?: number
  /** The first refund fails after Medusa has shown it. */
  readonly isRefundFailedLate?: boolean
  /** The account gives orphans back by itself. */
  readonly isOrphanRefunded?: boolean
  /** How long the gateway lets a checkout session be executed. */
  readonly sessionLifeMs?: number
  /** Others act in the same moments: where it looks like another story, it is not the same. */
  readonly hasRivals?: boolean
  play(stage: Stage): Promise<void>
}

/** The whole way of a payment by phone; the matrix crosses these with every script. */
export const PUSH_STORY: Story = {
  name: "by phone",
  async play(stage) {
    await stage.start("phone")
    await stage.quiet()
  },
}

const PAGE_STORY: Story = {
  name: "on the page",
  async play(stage) {
    await stage.start("page")
    await stage.payOnPage()
    await stage.quiet()
  },
}

const DOCUMENT_STORY: Story = {
  name: "document first, on its page",
  isDocumentFirst: true,
  async play(stage) {
    await stage.start("page")
    await stage.payOnPage()
    await stage.quiet()
  },
}

export const OTHER_STORIES: readonly Story[] = [
  PAGE_STORY,
  DOCUMENT_STORY,
  {
    name: "document first, by phone",
    isDocumentFirst: true,
    play: PUSH_STORY.play,
  },
  {
    name: "declined, then by phone again",
    outcome: "decline",
    async play(stage) {
      await stage.start("phone")
      await stage.settled()
      await stage.start("phone")
      await stage.quiet()
    },
  },
  {
    name: "declined, then on the page",
    outcome: "decline",
    async play(stage) {
      await stage.start("phone")
      await stage.settled()
      await stage.start("page")
      await stage.payOnPage()
      await stage.quiet()
    },
  },
  {
    name: "FAILED for a moment, then completed",
    outcome: "decline_then_approve",
    async play(stage) {
      await stage.start("phone")
      await stage.failedOnce()
      await stage.pass(2 * MINUTE)
      await stage.quiet()
    },
  },
  {
    name: "a number of no operator",
    faults: { predictMmoProviderInfo: ["404"] },
    async play(stage) {
      await stage.start("phone")
      await stage.start("phone")
      await stage.quiet()
    },
  },
  {
    name: "the execution never arrived",
    faults: { executeCollection: ["reset:before"] },
    play: PUSH_STORY.play,
  },
  {
    name: "its session has run out when it is sent again",
    faults: { executeCollection: ["reset:before"] },
    // Long enough for the first sending, and over at the second 404.
    sessionLifeMs: 6 * SECOND,
    play: PUSH_STORY.play,
  },
  {
    name: "the execution is refused",
    faults: { executeCollection: ["422"] },
    async play(stage) {
      await stage.start("phone")
      await stage.start("phone")
      await stage.quiet()
    },
  },
  {
    name: "the cart is edited while the page is open",
    async play(stage) {
      await stage.start("page")
      stage.edit("24.99")
      await stage.settled()
      await stage.start("page")
      await stage.payOnPage()
      await stage.quiet()
    },
  },
  {
    name: "the cart is edited and paid anew",
    // The old page is still open when the process dies, and the shopper pays the old total there.
    mayReview: true,
    async play(stage) {
      await stage.start("page")
      stage.edit("24.99")
      await stage.start("page")
      await stage.payOnPage()
      await stage.quiet()
    },
  },
  {
    name: "the cart is edited while the phone is asked",
    mayReview: true,
    async play(stage) {
      await stage.start("phone")
      stage.edit("24.99")
      await stage.quiet()
    },
  },
  {
    name: "the cart is edited behind the payment",
    mayReview: true,
    async play(stage) {
      await stage.start("phone")
      stage.edit("24.99", false)
      await stage.quiet()
    },
  },
  {
    name: "Medusa refuses twice",
    hostRefuses: 2,
    play: PUSH_STORY.play,
  },
  {
    name: "the session is replaced meanwhile",
    async play(stage) {
      await stage.start("phone")
      stage.reload()
      await stage.quiet()
    },
  },
  {
    name: "given up, then paid on a new page",
    async play(stage) {
      await stage.start("page")
      await stage.cancel()
      await stage.start("page")
      await stage.payOnPage()
      await stage.quiet()
    },
  },
  {
    name: "ordered, and never paid",
    isOrderFirst: true,
    async play(stage) {
      await stage.place()
      await stage.quiet()
    },
  },
  {
    name: "ordered, and declined",
    isOrderFirst: true,
    outcome: "decline",
    // The watch can't close the source, so that the end of the order's time has to.
    faults: { cancelOrder: ["503", "503", "503"] },
    async play(stage) {
      await stage.place()
      await stage.start("phone")
      await stage.quiet()
    },
  },
  {
    name: "ordered, and left on the page",
    isOrderFirst: true,
    async play(stage) {
      await stage.place()
      await stage.start("page")
      await stage.quiet()
    },
  },
  {
    name: "ordered, and paid by phone",
    isOrderFirst: true,
    async play(stage) {
      await stage.place()
      await stage.start("phone")
      await stage.quiet()
    },
  },
  {
    name: "ordered, and approved when its time is over",
    isOrderFirst: true,
    async play(stage) {
      await stage.place()
      await stage.start("phone")
      await stage.pass(HOUR)
      await stage.quiet()
    },
  },
  {
    name: "two tabs at once",
    hasRivals: true,
    async play(stage) {
      await stage.start("phone")
      await stage.startTwice()
      await stage.payOnPage()
      await stage.quiet()
    },
  },
  {
    name: "the gateway was down for a moment",
    faults: { createCheckoutSource: ["503"] },
    async play(stage) {
      await stage.start("phone")
      await stage.start("phone")
      await stage.quiet()
    },
  },
  ...REFUND_STORIES,
  ...DESK_STORIES,
  ...PAYOUT_STORIES,
]
