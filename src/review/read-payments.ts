/** Payments for the shop's own code, from the same reader as the admin's list. */
import type { FlowDeps } from "../engine/deps"
import { MERCHANT_PAYMENT_FIELDS } from "../core/merchant-payment"
import type { MerchantPayment } from "../core/schemas/merchant-payment"
import { LIMITS } from "../core/limits"
import { readSummaries, type BesidePorts } from "./read-operations"
import type { OperationFilter } from "./sql/list-filter"
import { countListed, type Place } from "./sql/list-operations"
import { NEWEST_FIRST, type Order } from "./sql/list-page"

type PaymentPorts = BesidePorts & Pick<FlowDeps, "database">

export type PaymentFilter = Omit<OperationFilter, "types" | "words" | "phoneHint">

export type PaymentPaging = {
  /** Null: all of them. */
  readonly limit: number | null
  readonly offset: number
  readonly order?: Order | undefined
}

const ofPayments = (filter: PaymentFilter): OperationFilter => ({
  ...filter,
  types: ["COLLECTION"],
})

export async function readPayments(
  deps: PaymentPorts,
  asked: PaymentFilter,
  { limit, offset, order = NEWEST_FIRST }: PaymentPaging,
): Promise<MerchantPayment[]> {
  const filter = ofPayments(asked)
  const payments: MerchantPayment[] = []
  let after: Place | undefined
  for (;;) {
    const wanted = Math.min((limit ?? Infinity) - payments.length, LIMITS.queryPageMax)
    // A list by amount has no places, so its pages go on by number.
    const begin = after ? 0 : offset + payments.length
    const page = await readSummaries(deps, filter, { limit: wanted, offset: begin, after, order })
    payments.push(...page.summaries.map(paymentOf))
    if (!page.isMore || payments.length === limit) return payments
    after = order.by === "created" ? page.last : undefined
  }
}

/** Counts all of them: a shop's code pages by this number. */
export const countPayments = ({ database }: PaymentPorts, filter: PaymentFilter): Promise<number> =>
  countListed(database, ofPayments(filter), Number.MAX_SAFE_INTEGER)

function paymentOf(summary: MerchantPayment): MerchantPayment {
  const fields = MERCHANT_PAYMENT_FIELDS.map((field) => [field, summary[field]] as const)
  return Object.fromEntries(fields) as MerchantPayment
}
