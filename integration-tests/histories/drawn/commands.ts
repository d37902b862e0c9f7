/**
 * What can happen to one cart, as plain data, so that a counterexample can be read, and pasted into
 * a test. After each command the processes get so many turns before the next one comes.
 */
import fc from "fast-check"
import type { Means, Method } from "../commands"
import type { Outcome } from "../../../packages/simulator/src/rules/timeline"
import { FAULTS, OPERATIONS } from "./faults"
import {
  ADMINS,
  AHEAD_MOST_MS,
  KINDS,
  MONEY_OUT,
  PAYOUTS,
  type MoneyOut,
  type Worker,
} from "./kinds"
import { ruleChanges } from "./merchant-rules"

type Tab = 0 | 1

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** A `start` passes about so many exits, what it reads included. */
export const MOMENTS_MAX = 30

const tab = fc.constantFrom<Tab>(0, 1)
const few = fc.nat(3)
const worker = fc.constantFrom<Worker>("A", "B")
const totals = fc.constantFrom<string>("24.99", "9.5", "66.61775", "19.99")
const who = fc.constantFrom(...KINDS)
const moneyOut = fc.constantFrom<MoneyOut>(...MONEY_OUT)

export const parts = fc.constantFrom<string>("all", "all", "5", "6.67", "12.5")
export const admins = fc.constantFrom<1 | 2>(1, 1, 2)
export const refundOutcomes = fc.constantFrom<Outcome>("approve", "decline", "pending_then_approve")
export const ways = fc.constantFrom<Method>(
  "phone",
  "phone",
  "page",
  "page",
  "card",
  "card without a question",
)

type Drawn<Given> = { readonly weight: number; readonly given: fc.Arbitrary<Given> }

/** @param weight how often it comes, beside the others, where all are switched on */
const often = <Given extends object>(
  weight: number,
  given: { [Name in keyof Given]: fc.Arbitrary<Given[Name]> },
): Drawn<Given> => ({ weight, given: fc.record(given) as fc.Arbitrary<Given> })

/** Every command, with what is drawn for it. */
export const COMMANDS = {
  /** The tab is opened, or loaded again: it knows the cart's payment session of now. */
  load: often(1, { tab }),
  /** A way to pay is chosen, or the session is posted once more: Medusa makes a new one. */
  choose: often(3, { tab, way: ways }),
  start: often(8, { tab }),
  cancel: often(1, { tab }),
  status: often(1, { tab }),
  /** `through`: by a store route, which is guarded, or in Medusa's admin, which is not. */
  edit: often(2, {
    total: totals,
    through: fc.constantFrom<"store" | "admin">("store", "store", "admin"),
  }),
  /** The shopper places the order, paid or not. */
  place: often(2, {}),
  /** Answers a prompt that waits on the phone. */
  answer: often(4, { prompt: fc.nat(1), approves: fc.constantFrom(true, true, false) }),
  /** Answers each bank that asks a card's payer. */
  bank: often(2, { how: fc.constantFrom<"pass" | "refuse">("pass", "pass", "refuse") }),
  /** What the wallet does with the next execution, instead of asking the shopper. */
  wallet: often(2, {
    outcome: fc.constantFrom<Outcome>(
      "approve",
      "decline",
      "decline_then_approve",
      "pending_then_approve",
      "insufficient_funds",
      "never",
    ),
  }),
  /** Pays on a page whose address was handed out, however long ago. */
  pay: often(4, {
    page: few,
    with: fc.constantFrom<Means>("card", "card", "phone", "bad card"),
  }),
  /** Somebody cancels a source in the merchant's portal. */
  close: often(1, { source: few }),
  /** An admin gives some of it back, or all; two who click in the same moment ask twice. */
  refund: often(4, { part: parts, admins }),
  /** An admin copies the payments' numbers from the merchant's portal: a refund may need them. */
  "type intents": often(1, {}),
  /** Somebody gives some of a payment back in the merchant's portal; nobody of the shop hears. */
  "portal refund": often(1, { payment: few, part: parts }),
  /** Others approve the newest refund that waits for a second admin, in the same moment. */
  approve: often(2, { admins }),
  /** What becomes of the next refund at the gateway. */
  "refund ends": often(2, { outcome: refundOutcomes }),
  /** An admin has one of the refunds that failed made once more. */
  retry: often(1, { refund: few }),
  /**
   * An admin asks for one of two payouts or transfers, by its key: pressed again, it is the same
   * form, or a program that has mixed them up. Or one approves or refuses the newest that was asked
   * for, whatever became of it.
   */
  payout: often(4, {
    press: fc.constantFrom<"ask" | "approve" | "refuse">(
      "ask",
      "ask",
      "ask",
      "approve",
      "approve",
      "approve",
      "refuse",
    ),
    what: moneyOut,
    key: fc.constantFrom(...PAYOUTS),
    by: fc.constantFrom(...ADMINS),
  }),
  /** What becomes of the next payout or transfer at the gateway. */
  "payout ends": often(1, { what: moneyOut, outcome: refundOutcomes }),
  /** An admin cancels the order in Medusa, which gives back what it holds. */
  "cancel order": often(1, {}),
  /** An admin edits the order, and it asks for more, or less. */
  "edit order": often(1, { total: totals }),
  /** An admin asks for what the order still asks for, or takes the link back. */
  ask: often(2, { by: fc.constantFrom<"link" | "phone" | "no link">("link", "phone", "no link") }),
  /** An admin answers the first question that the payments' pages ask. */
  decide: often(1, {}),
  /** An admin changes a rule of the account; with another beside, who agrees where it takes two. */
  rules: often(1, { to: ruleChanges, by: fc.constantFrom(...ADMINS), isAgreed: fc.boolean() }),
  /** The newest change of the account that was asked for, whatever became of it. */
  agree: often(1, {
    press: fc.constantFrom<"approve" | "refuse">("approve", "approve", "refuse"),
    by: fc.constantFrom(...ADMINS),
  }),
  /**
   * `replace`: the gateway takes another secret from now on, and refuses the one before. An admin
   * types in which it takes, or another than that.
   */
  credentials: often(1, {
    does: fc.constantFrom<"replace" | "type" | "mistype">("replace", "replace", "type", "mistype"),
    by: fc.constantFrom(...ADMINS),
    isAgreed: fc.boolean(),
  }),
  /** The cart's region gives our providers up, or takes them again. */
  region: often(1, { has: fc.boolean() }),
  /** A workflow of the shop's changes what the cart costs, beside its payment collection. */
  promotion: often(1, { total: fc.option(totals) }),
  /** The customer gets an account, is deleted in Medusa, or an admin erases what we keep. */
  customer: often(1, {
    does: fc.constantFrom<"registers" | "is deleted" | "is erased">(
      "registers",
      "is deleted",
      "is erased",
    ),
  }),
  check: often(6, { worker }),
  /** The worker tells people what has happened. */
  tell: often(2, { worker }),
  /** The quarter-hourly look at what no check would find. */
  sweep: often(1, { worker }),
  /** The machine that runs the last release has this version from now on. */
  upgrade: often(1, {}),
  /** Whoever it is dies at its so-many-th exit from now on. */
  kill: often(3, { who, moments: fc.nat(MOMENTS_MAX) }),
  fault: often(3, { operation: fc.constantFrom(...OPERATIONS), fault: fc.constantFrom(...FAULTS) }),
  /** Medusa refuses to complete the cart so often. */
  refuse: often(1, { times: fc.integer({ min: 1, max: 9 }) }),
  pass: often(4, {
    ms: fc.constantFrom(
      2 * SECOND,
      6 * SECOND,
      20 * SECOND,
      MINUTE,
      2 * MINUTE + SECOND,
      16 * MINUTE,
      31 * MINUTE,
      HOUR,
      25 * HOUR,
    ),
  }),
  "back up": often(1, {}),
  /** The last backup is played back, or a standby takes over that lacks what came since. */
  restore: often(2, { noticedBy: fc.constantFrom<"person" | "process">("person", "process") }),
  /** Somebody sets the clock of a machine. */
  clock: often(1, { who, aheadMs: fc.integer({ min: -AHEAD_MOST_MS, max: AHEAD_MOST_MS }) }),
}

export type CommandName = keyof typeof COMMANDS

type GivenTo<Name extends CommandName> =
  (typeof COMMANDS)[Name] extends Drawn<infer Given> ? Readonly<Given> : never

/** A command by its name, with what was drawn for it. */
export type Deed<Name extends CommandName = CommandName> = {
  [One in Name]: { readonly do: One } & GivenTo<One>
}[Name]

export type Command = Deed & { readonly turns: number }

/** How commands are carried out: each part of the harness knows some. */
export type Deeds<Name extends CommandName = CommandName> = {
  readonly [One in Name]: (given: GivenTo<One>) => unknown
}
