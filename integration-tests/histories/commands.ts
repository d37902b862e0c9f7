/**
 * The list of commands in which every engine writes its histories, as data: a journey of the crash
 * proof and a scenario of the soak are steps, each with the name of a command and its arguments.
 */
import type { Simulator } from "../../packages/simulator/src"
import { CARD, HOSTED, PUSH } from "../support/flows-harness"

/** What a payer presses in the shop, and what the shop's page sends with it. */
export const METHODS = {
  phone: { providerId: PUSH, with: {} },
  page: { providerId: HOSTED, with: {} },
  card: { providerId: CARD, with: { cardToken: "card_3ds" } },
  "card without a question": { providerId: CARD, with: { cardToken: "card_no_3ds" } },
} as const

export type Method = keyof typeof METHODS

export const PROVIDERS = [PUSH, HOSTED, CARD]

export type Means = "card" | "bad card" | "phone"

/** What people do, by whichever engine. Each engine adds what only its harness can do. */
export type Commands = {
  start(method: Method): unknown
  /** Two tabs press in the same moment. */
  startTwice(methods: readonly Method[]): unknown
  cancel(): unknown
  /** The page is loaded: Medusa makes new sessions. */
  reload(): unknown
  /** The cart is edited; with `isShown` its sessions are made anew, too. */
  edit(total: string, isShown?: boolean): unknown
  /** The shopper places the order before it is paid. */
  place(): unknown
  /** The page may have been opened long ago. */
  payOnPage(means?: Means): unknown
  answerBank(how: "pass" | "refuse"): unknown
  /** An admin gives money back in Medusa, or several do so in the same moment. */
  refund(amount: string, admins?: number): unknown
  cancelOrder(): unknown
}

type NameOf<Actor> = {
  [Name in keyof Actor]: Actor[Name] extends (...given: never[]) => unknown ? Name : never
}[keyof Actor]

/** A command by its name, or what no command can say. */
export type Step<Actor> =
  | ((actor: Actor) => unknown)
  | {
      [Name in NameOf<Actor>]: readonly [
        Name,
        ...Parameters<Extract<Actor[Name], (...given: never[]) => unknown>>,
      ]
    }[NameOf<Actor>]

/** One step after the other. */
export function steps<Actor>(...all: readonly Step<Actor>[]): (actor: Actor) => Promise<void> {
  return async (actor) => {
    for (const step of all) {
      if (typeof step === "function") await step(actor)
      else {
        const [name, ...given] = step
        await Reflect.apply(actor[name] as (...given: unknown[]) => unknown, actor, given)
      }
    }
  }
}

/** A page that is closed refuses, and charges nothing. */
export function payPage(simulator: Simulator, sourceId: number, means: Means, phone: string): void {
  simulator.hosted.pay(
    sourceId,
    means === "phone"
      ? { method: "mobile_money", phone }
      : { method: "card", outcome: means === "card" ? "approve" : "decline" },
  )
}

/** Each bank that asks is answered, in the payer's browser: the shop takes no part in it. */
export function answerBanks({ card }: Simulator, answer: "pass" | "refuse"): void {
  for (const { reference } of card.pending()) card[answer]({ reference })
}
