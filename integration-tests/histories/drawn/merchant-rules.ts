/**
 * What the merchant wants of the account: the rules that a flow of these histories reads. One who
 * watches the ledger knows which rules were in force while somebody pressed, and whether each was
 * loosened by two people while two had to agree.
 */
import fc from "fast-check"
import type { AccountPolicies } from "../../../src/core/account-settings"
import type { FeeBearer, OrderPlacement } from "../../../src/core/operation"
import type { DrivenLedger } from "./ledger"

type Policies = Pick<
  AccountPolicies,
  | "place_late_money"
  | "refund_orphans"
  | "refund_currency"
  | "refund_second_admin_above"
  | "money_out_second_admin_above"
>

export type Rules = {
  /** Who bears the fees; null: as the gateway has it. Else each source begins as a document. */
  readonly feeBearer: FeeBearer | null
  readonly orderPlacement: OrderPlacement
  readonly policies: Policies
}

/** A change of some rules, as the account's route takes it. */
export type RuleChange = {
  readonly fee_bearer?: FeeBearer | null
  readonly order_placement?: OrderPlacement
  readonly policies?: Partial<Policies>
}

const feeBearers = fc.constantFrom(null, null, "PAYER", "PAYEE" as const)
const placements = fc.constantFrom("pay_first", "order_first" as const)
const policies = {
  place_late_money: fc.boolean(),
  refund_orphans: fc.boolean(),
  refund_currency: fc.constantFrom(null, "SOURCE" as const),
  refund_second_admin_above: fc.constantFrom(null, null, { "*": 10 }),
  money_out_second_admin_above: fc.constantFrom({ "*": 0 }, { "*": 0 }, null),
}

export const rules: fc.Arbitrary<Rules> = fc.record({
  feeBearer: feeBearers,
  orderPlacement: placements,
  policies: fc.record(policies),
})

const changesOf = (of: Readonly<Record<string, fc.Arbitrary<unknown>>>, under?: string) =>
  Object.entries(of).map(([name, values]) =>
    values.map((to) => (under === undefined ? { [name]: to } : { [under]: { [name]: to } })),
  )

/** One rule at a time: an admin may change more at once, and it is one change as well. */
export const ruleChanges: fc.Arbitrary<RuleChange> = fc.oneof(
  ...changesOf({ fee_bearer: feeBearers, order_placement: placements }),
  ...changesOf(policies, "policies"),
)

const POLICIES = "select policies from mp_account where deleted_at is null"

type Asked = { readonly by: string; readonly to: RuleChange }
type Approved = Asked & { readonly askedBy: string }

export class MerchantRules {
  /** As they were last seen. */
  policies: Policies
  private readonly asks: Asked[] = []
  private readonly approvals: Approved[] = []
  /** Payouts and transfers that an admin waits to be answered, and whether the answer has come. */
  private readonly waiting: { readonly name: string; isOver: boolean }[] = []

  /** @param meant is called with a payout or transfer that one admin alone could mean */
  constructor(
    { policies: first }: Rules,
    private readonly meant: (name: string) => void,
  ) {
    this.policies = first
  }

  /** An admin presses save. */
  asked(by: string, to: RuleChange): void {
    this.asks.push({ by, to })
  }

  /** Another presses approve on what `askedBy` has asked for. */
  approved(by: string, askedBy: string, to: RuleChange): void {
    this.approvals.push({ by, askedBy, to })
  }

  /** A change was saved: whoever asks meanwhile may have read it, whatever comes next. */
  saved(to: RuleChange): void {
    if (to.policies?.money_out_second_admin_above === null) this.loosen()
  }

  /** @returns to be called when the answer has come */
  moneyOutAsked(name: string): () => void {
    const one = { name, isOver: false }
    this.waiting.push(one)
    if (this.policies.money_out_second_admin_above === null) this.loosen()
    return () => void (one.isOver = true)
  }

  /** @returns each rule that was loosened by fewer people than had to agree */
  async watch({ sql }: Pick<DrivenLedger, "sql">): Promise<string[]> {
    const [row] = await sql(POLICIES)
    const before = this.policies
    const now = { ...before, ...(row?.["policies"] as Policies) }
    this.policies = now
    if (now.money_out_second_admin_above === null) this.loosen()
    const left = this.waiting.filter(({ isOver }) => !isOver)
    this.waiting.splice(0, this.waiting.length, ...left)
    const names = Object.keys(LOOSER) as (keyof Policies)[]
    return names.flatMap((name) => this.wrongly(name, before, now))
  }

  private wrongly(name: keyof Policies, before: Policies, now: Policies): string[] {
    const isIt = ({ policies: to }: RuleChange) =>
      to !== undefined && name in to && same(to[name], now[name])
    if (same(before[name], now[name])) return []
    if (!this.asks.some(({ to }) => isIt(to))) return [`I9: nobody has asked for this ${name}`]
    if (!isGuarded(before) || !LOOSER[name](now[name])) return []
    const isAgreed = this.approvals.some(({ by, askedBy, to }) => by !== askedBy && isIt(to))
    return isAgreed ? [] : [`I9: one admin alone has loosened ${name}`]
  }

  private loosen(): void {
    for (const { name } of this.waiting) this.meant(name)
  }
}

const isGuarded = (policies: Policies) =>
  policies.refund_second_admin_above !== null || policies.money_out_second_admin_above !== null

/** Whether a changed rule allows more than its other values do. */
const LOOSER: Readonly<Record<keyof Policies, (value: unknown) => boolean>> = {
  place_late_money: () => false,
  refund_orphans: (value) => value === true,
  refund_currency: (value) => value !== null,
  refund_second_admin_above: (value) => value === null,
  money_out_second_admin_above: (value) => value === null,
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
