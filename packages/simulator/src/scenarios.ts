/**
 * What a phone number does, by its last two digits, on the shop's own page and on the hosted page.
 * This table is the whole behaviour: the rules read it, and the index page shows it.
 */
import type { Outcome } from "./rules/timeline"

export type Scenario = {
  /** The last two digits of the phone number. */
  endsWith: string
  outcome: Outcome
  /** Delay of the payer's answer in milliseconds, before the speed is applied. */
  afterMs: number
  /** The execution is carried out, but its answer is cut in the middle of the body. */
  cutsAnswer: boolean
  /** 1.00 more than asked is taken, and the paid source's `total_amount` reads so. */
  overstatesTotal: boolean
  /** What happens, in words for people. */
  description: string
}

const ANSWER_MS = 3_000
const SLOW_ANSWER_MS = 240_000

const scenario = (
  endsWith: string,
  outcome: Outcome,
  afterMs: number,
  description: string,
  special: Partial<Pick<Scenario, "cutsAnswer" | "overstatesTotal">> = {},
): Scenario => ({
  endsWith,
  outcome,
  afterMs,
  cutsAnswer: false,
  overstatesTotal: false,
  description,
  ...special,
})

export const SCENARIOS: readonly Scenario[] = [
  scenario("00", "approve", ANSWER_MS, "approved after 3 seconds"),
  scenario("01", "decline", ANSWER_MS, "declined after 3 seconds"),
  scenario("02", "insufficient_funds", ANSWER_MS, "not enough money, after 3 seconds"),
  scenario("03", "handset", 0, "waits for the handset page"),
  scenario("04", "approve", SLOW_ANSWER_MS, "approved after 4 minutes"),
  scenario("05", "never", 0, "never ends; the handset page is ignored too"),
  scenario("06", "approve", ANSWER_MS, "approved after 3 seconds, but the answer is cut", {
    cutsAnswer: true,
  }),
  scenario("07", "decline_then_approve", ANSWER_MS, "failed after 3 s, completed 60 s later"),
  scenario("08", "pending", 0, "stays PENDING"),
  scenario("09", "approve", ANSWER_MS, "approved after 3 s; 1.00 more than asked for is taken", {
    overstatesTotal: true,
  }),
]

/** The scenario of every number that is not in the table. */
export const OTHER_NUMBERS: Scenario = scenario("", "handset", 0, "waits for the handset page")

/** The scenario of a phone number (digits). */
export const scenarioOf = (phone: string): Scenario =>
  SCENARIOS.find(({ endsWith }) => phone.endsWith(endsWith)) ?? OTHER_NUMBERS

/** The same for refunds, payouts and transfers, by the phone number that the money goes to. */
export const MONEY_OUT_SCENARIOS: readonly Scenario[] = [
  scenario("91", "decline", ANSWER_MS, "fails after 3 seconds"),
  scenario("92", "insufficient_funds", ANSWER_MS, "fails for want of funds, after 3 seconds"),
  scenario("94", "approve", SLOW_ANSWER_MS, "arrives after 4 minutes"),
  scenario("95", "never", 0, "never ends"),
  scenario("96", "approve", ANSWER_MS, "arrives after 3 seconds, but the answer is cut", {
    cutsAnswer: true,
  }),
  scenario("97", "decline_then_approve", ANSWER_MS, "failed after 3 s, arrived 60 s later"),
  scenario("98", "pending", 0, "stays PENDING"),
]

/** The scenario of outgoing money to every other number, and to a card. */
export const OTHER_MONEY_OUT: Scenario = scenario(
  "",
  "approve",
  ANSWER_MS,
  "arrives after 3 seconds",
)

/** The scenario of outgoing money, by its phone number (digits); null if it has none. */
export const moneyOutScenarioOf = (phone: string | null): Scenario =>
  MONEY_OUT_SCENARIOS.find(({ endsWith }) => phone?.endsWith(endsWith)) ?? OTHER_MONEY_OUT
