/**
 * What shoppers do, and how often. A scenario says nothing about faults and deaths: all of them
 * meet all of these. Amounts of time are ranges, in seconds.
 */
import { steps, type Step } from "../histories/commands"
import type { Shopper } from "./shopper"

export type Scenario = {
  readonly name: string
  /** Of all payments, how many in a hundred, roughly. */
  readonly weight: number
  /** Money and records disagree honestly, or the phone never answers: an admin has to decide. */
  readonly mayReview: boolean
  play(shopper: Shopper): Promise<void>
}

/** The scenario's weight, its name, and what the shopper does. */
type Row = readonly [weight: number, name: string, ...steps: Step<Shopper>[]]

const BY_PHONE = steps<Shopper>(["start", "phone"], ["watch"])
const APPROVED = steps<Shopper>(["wallet", "approve"], BY_PHONE)
const DECLINED = steps<Shopper>(["wallet", "decline"], BY_PHONE)
const BY_CARD_ON_PAGE = steps<Shopper>(["start", "page"], ["payOnPage", "card"], ["watch"])
const BY_EITHER = ["phone", "page"] as const
const A_MINUTE = 60

const answered = (isApproved: boolean) =>
  steps<Shopper>(["start", "phone"], ["pause", 3, 20], ["answer", isApproved], ["watch"])

const placedOnAndOn = async (shopper: Shopper) => {
  for (let times = 0; times < 40; times++) {
    await shopper.place()
    await shopper.pause(0, 1)
  }
}

const SURE: readonly Row[] = [
  [22, "approved", APPROVED],
  [6, "approved, and no page is open", ["wallet", "pending_then_approve"], ["start", "phone"]],
  [4, "approved late", ["wallet", "approve", 240, 3_000], ["start", "phone"], ["watch", A_MINUTE]],
  [6, "declined", ["wallet", ["decline", "insufficient_funds"]], BY_PHONE],
  [6, "declined, then approved", ["wallet", "insufficient_funds"], BY_PHONE, APPROVED],
  [5, "wrong pin, then the right one", ["wallet", "handset"], answered(false), answered(true)],
  [3, "declined, then on the page", DECLINED, BY_CARD_ON_PAGE],
  [
    10,
    "on the page, by card",
    ["start", "page"],
    ["pause", 5, 60],
    ["payOnPage", "card"],
    ["watch"],
  ],
  [
    5,
    "on the page, by phone",
    ["wallet", "approve"],
    ["start", "page"],
    ["pause", 5, 60],
    ["payOnPage", "phone"],
    ["watch"],
  ],
  [
    2,
    "on the page, a card declined, another one",
    ["start", "page"],
    ["payOnPage", "bad card"],
    ["pause", 5, 30],
    ["payOnPage", "card"],
    ["watch"],
  ],
  [
    5,
    "by card, and the bank asks",
    ["start", "card"],
    ["pause", 3, 40],
    ["answerBank", "pass"],
    ["watch"],
  ],
  [3, "by card, and no bank asks", ["start", "card without a question"], ["watch"]],
  [
    3,
    "by card, refused at the bank, then by phone",
    ["start", "card"],
    ["pause", 3, 20],
    ["answerBank", "refuse"],
    ["watch"],
    APPROVED,
  ],
  [2, "by card, and the bank is never answered", ["start", "card"], ["watch", A_MINUTE]],
  [
    3,
    "two tabs, by card and by phone",
    ["wallet", "approve"],
    ["startTwice", ["card", "phone"]],
    ["answerBank", "pass"],
    ["watch"],
    ["startEither", ["card", "phone"]],
    ["answerBank", "pass"],
    ["watch"],
  ],
  [4, "abandoned on the page", ["start", "page"], ["watch", A_MINUTE]],
  [
    2,
    "paid on the page when the shop waits no more",
    ["start", "page"],
    ["pause", 60, 150],
    ["payOnPage", "card"],
  ],
  [3, "given up, then on a new page", ["start", "page"], ["cancel"], BY_CARD_ON_PAGE],
  [
    5,
    "completed on and on while paying",
    ["wallet", "approve"],
    ["start", "phone"],
    placedOnAndOn,
    ["watch"],
  ],
  [
    4,
    "the page reloaded while paying",
    ["wallet", "approve", 30, 30],
    ["start", "phone"],
    ["reload"],
    ["start", "phone"],
    ["pause", 1, 20],
    ["reload"],
    ["watch"],
  ],
  [
    5,
    "two tabs, by phone and on the page",
    ["wallet", "approve"],
    ["startTwice", BY_EITHER],
    ["payOnPage", "card"],
    ["watch"],
    ["startEither", BY_EITHER],
    ["payOnPage", "card"],
    ["watch"],
  ],
  [5, "ordered, then approved", ["place"], APPROVED],
  [4, "ordered, declined, then on the page", ["place"], DECLINED, BY_CARD_ON_PAGE],
  [2, "ordered, and never paid", ["place"]],
  [2, "ordered, and left on the page", ["place"], ["start", "page"]],
  [
    3,
    "approved, and given back",
    ["refundsAs", ["approve", "approve", "decline"]],
    APPROVED,
    ["refund", "19.99"],
  ],
  [
    3,
    "approved, and given back in parts by two admins at once",
    ["refundsAs", ["approve", "pending_then_approve", "decline"]],
    APPROVED,
    ["refund", "12.00", 2],
    ["refund", "7.99"],
  ],
  [
    2,
    "paid on the page, and given back by two admins at once",
    BY_CARD_ON_PAGE,
    ["refund", "19.99", 2],
  ],
  [
    4,
    "pressed twice at once, and again",
    ["wallet", "approve"],
    ["startTwice", ["phone", "phone"]],
    BY_PHONE,
  ],
]

/** Their money and their records disagree honestly, or the phone never answers. */
const UNSURE: readonly Row[] = [
  [3, "failed, completed later", ["wallet", "decline_then_approve"], BY_PHONE],
  [
    3,
    "failed, paid again, completed later",
    ["wallet", "decline_then_approve"],
    BY_PHONE,
    APPROVED,
  ],
  [1, "never answered", ["wallet", ["never", "pending"]], ["start", "phone"], ["watch", A_MINUTE]],
  // A shopper who has the old page open may pay the old total there.
  [
    4,
    "the cart edited while the page is open",
    ["start", "page"],
    ["pause", 2, 20],
    ["edit", "24.99"],
    BY_CARD_ON_PAGE,
  ],
  ...[true, false].map((isShown): Row => [
    1.5,
    `the cart edited behind the payment${isShown ? ", and shown" : ""}`,
    ["wallet", "approve"],
    ["start", "phone"],
    ["pause", 0, 30],
    ["edit", "24.99", isShown],
    ["watch"],
  ]),
  // The old total may be closed, and paid, before the new one is asked for.
  [
    3,
    "the cart edited and edited back while paying",
    ["wallet", "approve"],
    ["start", "phone"],
    ["pause", 0, 10],
    ["edit", "24.99"],
    ["place"],
    ["edit", "19.99"],
    ["watch"],
  ],
  [
    3,
    "ordered, and cancelled while it is paid",
    ["place"],
    ["wallet", "approve"],
    ["startEither", BY_EITHER],
    ["pause", 0, 20],
    ["cancelOrder"],
    ["payOnPage", "card"],
    ["watch"],
  ],
]

const scenariosOf = (rows: readonly Row[], mayReview: boolean): Scenario[] =>
  rows.map(([weight, name, ...all]) => ({ name, weight, mayReview, play: steps(...all) }))

const SCENARIOS = [...scenariosOf(SURE, false), ...scenariosOf(UNSURE, true)]

const ALL = SCENARIOS.reduce((sum, { weight }) => sum + weight, 0)

/** @param fraction at least 0 and below 1 */
export function scenarioAt(fraction: number): Scenario {
  let left = fraction * ALL
  const scenario = SCENARIOS.find(({ weight }) => (left -= weight) < 0) ?? SCENARIOS[0]
  if (!scenario) throw new Error("there are no scenarios")
  return scenario
}
