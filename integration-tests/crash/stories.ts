/**
 * What shoppers, carts and the payment page do, and the moments of death that each story passes. A story
 * says nothing about faults: every script may meet it.
 */
import type { FaultEntry } from "../../simulator/faults"
import type { Outcome } from "../../simulator/rules/timeline"
import { HOUR, MINUTE, SECOND } from "../support/an-operation"
import type { FailpointName } from "../../src/core/ports"
import { DESK_STORIES } from "./desk-stories"
import { PAYOUT_STORIES } from "./payout-stories"
import { REFUND_STORIES } from "./refund-stories"
import type { Stage } from "./stage"

export type Story = {
  readonly name: string
  readonly points: readonly FailpointName[]
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
  play(stage: Stage): Promise<void>
}

/** The whole way of a payment by phone; the matrix crosses these with every script. */
export const PUSH_STORY: Story = {
  name: "by phone",
  points: [
    "draft.before_commit",
    "draft.committed",
    "checkout.before_call",
    "checkout.answered",
    "checkout.committed",
    "wallet.before_call",
    "wallet.answered",
    "keys.before_calls",
    "keys.answered",
    "submit.before_commit",
    "submit.committed",
    "execute.before_call",
    "execute.answered",
    "execute.committed",
    "claim.committed",
    "look.before_call",
    "look.answered",
    "source.before_call",
    "source.answered",
    "verdict.before_commit",
    "verdict.committed",
    "settle.read",
    "host.before_call",
    "host.sessions_deleted",
    "host.answered",
    "recorded.before_commit",
    "recorded.committed",
  ],
  async play(stage) {
    await stage.start("phone")
    await stage.quiet()
  },
}

const PAGE_STORY: Story = {
  name: "on the page",
  points: [
    "draft.committed",
    "checkout.answered",
    "checkout.committed",
    "page.before_commit",
    "page.committed",
    "look.answered",
    "verdict.committed",
    "host.answered",
  ],
  async play(stage) {
    await stage.start("page")
    await stage.payOnPage()
    await stage.quiet()
  },
}

const DOCUMENT_STORY: Story = {
  name: "document first, on its page",
  isDocumentFirst: true,
  points: [
    "party.before_call",
    "party.answered",
    "counterparty.before_call",
    "counterparty.answered",
    "document.before_call",
    "document.answered",
    "document.committed",
    "lines.before_calls",
    "lines.answered",
    "publish.before_call",
    "publish.answered",
    "publish.committed",
    "link.before_call",
    "link.answered",
    "link.committed",
    "page.committed",
  ],
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
    points: ["document.committed", "publish.answered", "submit.committed", "execute.answered"],
    play: PUSH_STORY.play,
  },
  {
    name: "declined, then by phone again",
    outcome: "decline",
    points: ["takeover.committed", "submit.committed", "execute.answered"],
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
    points: ["ended.before_call", "ended.answered", "ended.committed", "page.committed"],
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
    points: ["execute.committed", "verdict.committed"],
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
    points: ["end.before_call", "end.answered", "end.before_commit", "end.committed"],
    async play(stage) {
      await stage.start("phone")
      await stage.start("phone")
      await stage.quiet()
    },
  },
  {
    name: "nothing is new for a while",
    points: ["looks.before_commit", "looks.committed"],
    play: PUSH_STORY.play,
  },
  {
    name: "the execution never arrived",
    faults: { executeCollection: ["reset:before"] },
    points: ["resend.before_commit", "resend.committed", "execute.before_call", "execute.answered"],
    play: PUSH_STORY.play,
  },
  {
    name: "its session has run out when it is sent again",
    faults: { executeCollection: ["reset:before"] },
    // Long enough for the first sending, and over at the second 404.
    sessionLifeMs: 6 * SECOND,
    points: ["session.before_call", "session.answered", "resend.committed", "execute.answered"],
    play: PUSH_STORY.play,
  },
  {
    name: "the execution is refused",
    faults: { executeCollection: ["422"] },
    points: ["refused.before_call", "refused.answered", "execute.answered"],
    async play(stage) {
      await stage.start("phone")
      await stage.start("phone")
      await stage.quiet()
    },
  },
  {
    name: "the cart is edited while the page is open",
    points: [
      "closing.before_commit",
      "closing.committed",
      "close.before_call",
      "close.answered",
      "verdict.before_commit",
      "verdict.committed",
    ],
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
    points: ["replaced.before_commit", "replaced.committed", "close.answered"],
    async play(stage) {
      await stage.start("page")
      stage.edit("24.99")
      await stage.start("page")
      await stage.payOnPage()
      await stage.quiet()
    },
  },
  {
    name: "the cart is edited behind the payment",
    mayReview: true,
    points: ["stranded.before_commit", "stranded.committed", "settle.read"],
    async play(stage) {
      await stage.start("phone")
      stage.edit("24.99", false)
      await stage.quiet()
    },
  },
  {
    name: "Medusa refuses twice",
    hostRefuses: 2,
    points: ["settle_later.before_commit", "settle_later.committed", "host.before_call"],
    play: PUSH_STORY.play,
  },
  {
    name: "the session is replaced meanwhile",
    points: ["rebind.committed", "host.before_call", "host.answered"],
    async play(stage) {
      await stage.start("phone")
      stage.reload()
      await stage.quiet()
    },
  },
  {
    name: "given up, then paid on a new page",
    points: ["cancel.before_commit", "cancel.committed", "close.before_call", "close.answered"],
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
    points: [
      "end.committed",
      "order_close.before_commit",
      "order_close.committed",
      "order_cancel.answered",
      "order_done.before_commit",
      "order_done.committed",
    ],
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
    points: [
      "order_source.before_call",
      "order_source.answered",
      "order_source.committed",
      "order_cancel.answered",
      "verdict.committed",
    ],
    async play(stage) {
      await stage.place()
      await stage.start("phone")
      await stage.quiet()
    },
  },
  {
    name: "ordered, and left on the page",
    isOrderFirst: true,
    points: ["closing.committed", "close.answered", "verdict.committed", "order_close.committed"],
    async play(stage) {
      await stage.place()
      await stage.start("page")
      await stage.quiet()
    },
  },
  {
    name: "ordered, and paid by phone",
    isOrderFirst: true,
    points: ["submit.committed", "execute.answered", "host.before_call", "host.answered"],
    async play(stage) {
      await stage.place()
      await stage.start("phone")
      await stage.quiet()
    },
  },
  {
    name: "ordered, and approved when its time is over",
    isOrderFirst: true,
    points: ["execute.answered", "host.answered"],
    async play(stage) {
      await stage.place()
      await stage.start("phone")
      await stage.pass(HOUR)
      await stage.quiet()
    },
  },
  {
    name: "two tabs at once",
    points: ["draft.before_commit", "submit.committed", "execute.answered"],
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
    points: ["continued.committed", "checkout.answered", "submit.committed"],
    async play(stage) {
      await stage.start("phone")
      await stage.start("phone")
      await stage.quiet()
    },
  },
  {
    name: "the shop is told of it",
    points: ["announce.claimed", "announce.told", "announce.marked"],
    play: PUSH_STORY.play,
  },
  {
    name: "its receipt is fetched",
    points: ["receipt.claimed", "receipt.answered", "receipt.noted", "receipt.kept"],
    async play(stage) {
      await stage.start("page")
      await stage.payOnPage()
      await stage.quiet()
    },
  },
  ...REFUND_STORIES,
  ...DESK_STORIES,
  ...PAYOUT_STORIES,
]
