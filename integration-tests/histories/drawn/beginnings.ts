/**
 * What a history begins with, as commands like the others, so that those which are drawn meet money
 * more often: most carts that are left to chance are never paid.
 */
import type { Command, Deed } from "./commands"
import type { Setting } from "./settings"

export const BEGINNINGS = [
  "nothing",
  "money under way",
  "a paid order",
  "a paid order that asks for more",
  "a paid order, given back in part",
] as const

export type Beginning = (typeof BEGINNINGS)[number]

/** For a gateway that answers in its time, and a worker that looks after it. */
const UNTIL_CHECKED_MS = 20_000
const MORE = "24.99"
const PART = "5"

/** Without a payment there is nothing to break. */
const START: Deed = { do: "start", tab: 0 }

export const isPaidAtFirst = ({ begins }: Pick<Setting, "begins">): boolean =>
  begins.startsWith("a paid order")

/** What comes before the commands that are drawn. */
export function beginningOf({ begins, way }: Setting): Command[] {
  switch (begins) {
    case "nothing":
      return [{ ...START, turns: 0 }]
    case "money under way":
      return toTheirEnd(START)
    case "a paid order":
      return toTheirEnd(START, ...paidBy(way))
    case "a paid order that asks for more":
      return toTheirEnd(START, ...paidBy(way), ...asksForMore)
    case "a paid order, given back in part":
      return toTheirEnd(START, ...paidBy(way), ...givenBack)
  }
}

function paidBy(way: Setting["way"]): Deed[] {
  // The gateway is asked twice: once a page is paid, and once it reads so.
  return [...answeredBy(way), ...checked, ...checked]
}

function answeredBy(way: Setting["way"]): Deed[] {
  switch (way) {
    case "phone":
      return [{ do: "answer", prompt: 0, approves: true }]
    case "page":
      return [{ do: "pay", page: 0, with: "card" }]
    case "card":
      return [{ do: "bank", how: "pass" }]
    case "card without a question":
      return []
  }
}

const checked: readonly Deed[] = [
  { do: "pass", ms: UNTIL_CHECKED_MS },
  { do: "check", worker: "A" },
]

const asksForMore: readonly Deed[] = [
  { do: "edit order", total: MORE },
  { do: "ask", by: "link" },
]

const givenBack: readonly Deed[] = [
  { do: "type intents" },
  { do: "refund", part: PART, admins: 1 },
  ...checked,
]

/** Each comes to its end before the next one begins. */
const toTheirEnd = (...deeds: readonly Deed[]): Command[] =>
  deeds.map((deed) => ({ ...deed, turns: Number.POSITIVE_INFINITY }))
