/**
 * Cards as the card processor's browser SDK passes them on: a token, never a number (contract
 * notes, section 2c). The tokens are made up and can be used for any number of predictions.
 *
 * No documented field carries a token beyond the prediction. So the gateway is played as one that
 * remembers: a merchant's next card account is that of the token it has asked about last.
 */
import type { Execution } from "../book/records"
import { CURRENCIES, type Currency } from "../money"
import type { Behaviour } from "../plans"
import type { World } from "../world"
import { NoPrompt } from "./handset"
import { completedStep, failedStep, stepAt } from "./timeline"

export type Card = {
  /** The `payment_method_id` of the prediction. */
  token: string
  brand: string
  /** ISO 3166-1 alpha-2; null when the processor does not say. */
  country: string | null
  currencies: readonly Currency[]
  /**
   * What the bank does when the card is charged: asks for 3-D Secure, or answers at once. Absent:
   * as a payer's number decides, without a handset.
   */
  bank?: "challenge" | "approve" | "decline"
}

const anywhere = { brand: "Brand 1", country: null, currencies: CURRENCIES } as const

export const CARDS: readonly Card[] = [
  { token: "card_brand1_lr", brand: "Brand 1", country: "LR", currencies: ["USD", "LRD"] },
  { token: "card_brand2_rw", brand: "Brand 2", country: "RW", currencies: ["RWF", "USD"] },
  { ...anywhere, token: "card_brand1_abroad" },
  { ...anywhere, token: "card_3ds", bank: "challenge" },
  { ...anywhere, token: "card_no_3ds", bank: "approve" },
  { ...anywhere, token: "card_declined", bank: "decline" },
]

export const cardOf = (token: string): Card | undefined =>
  CARDS.find((card) => card.token === token)

/** How long the bank waits for the shopper, by the simulator's own speed. */
const CHALLENGE_MS = 600_000
const TIMED_OUT = "Card authentication timed out"
const REFUSED = "Card authentication refused by the payer"
const DECLINED = "Card declined by the bank"

/** @returns undefined where the payer's number decides */
export function cardBehaviour(token: string | undefined): Behaviour | undefined {
  const bank = token === undefined ? undefined : cardOf(token)?.bank
  if (!bank) return undefined
  const plain = { cutsAnswer: false, overstatesTotal: false, origin: `card ${bank}` }
  switch (bank) {
    case "challenge":
      return { ...plain, outcome: "decline", afterMs: CHALLENGE_MS, message: TIMED_OUT }
    case "approve":
      return { ...plain, outcome: "approve", afterMs: 0 }
    case "decline":
      return { ...plain, outcome: "decline", afterMs: 0, message: DECLINED }
  }
}

/** What the shopper authenticates with; null for a card that asks for nothing. */
export const challengeFor = ({ random }: World, token: string | undefined) =>
  token !== undefined && cardOf(token)?.bank === "challenge"
    ? { secret: `pi_${random.hex(16)}_secret_${random.hex(16)}`, answer: "asked" as const }
    : null

export const isChallenged = (world: World, { challenge, steps }: Execution): boolean =>
  challenge?.answer === "asked" && stepAt(steps, world.time.nowMs()).status === "PROCESSING"

/** Cards that wait for their shopper, oldest first. */
export const challenged = (world: World): Execution[] =>
  [...world.book.executions.values()].filter((execution) => isChallenged(world, execution))

/** By its reference, or by what the shopper's browser was given. */
export type ChallengeKey = { reference: string } | { clientSecret: string }

export const challengeOf = ({ book }: World, key: ChallengeKey): Execution | undefined =>
  "reference" in key
    ? book.executions.get(key.reference)
    : [...book.executions.values()].find(({ challenge }) => challenge?.secret === key.clientSecret)

/** The shopper passes or refuses 3-D Secure. Throws `NoPrompt`. */
export function answerChallenge(world: World, key: ChallengeKey, isPassed: boolean): Execution {
  const execution = challengeOf(world, key)
  if (!execution?.challenge || !isChallenged(world, execution)) {
    throw new NoPrompt("No card waits for its shopper here.")
  }
  const nowMs = world.time.nowMs()
  const steps = execution.steps.filter(({ atMs }) => atMs <= nowMs)
  const step = isPassed ? completedStep(nowMs) : failedStep(nowMs, REFUSED)
  const answer = isPassed ? ("passed" as const) : ("refused" as const)
  return world.book.update(execution, {
    steps: [...steps, step],
    challenge: { ...execution.challenge, answer },
  })
}
