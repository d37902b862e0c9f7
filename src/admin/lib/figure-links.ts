/** Which rows each figure of the admin's pages adds up: the address of the list that has them. */
import type { MoneyPlace } from "../../core/money-place"
import { listAddress, RECEIVED, TAKEN_BACK } from "./filters"
import type {
  AccountReconciliation,
  PeriodTotals,
  ReconciliationResponse,
  Total,
} from "./responses"

type Rows = Readonly<Record<string, unknown>>
type Span = { readonly from: string; readonly to: string }

/** The rows of a figure of the home page. What is left has every movement, at its own moment. */
const HOME_ROWS = {
  received: { type: ["COLLECTION"], money: RECEIVED },
  fees: { type: ["COLLECTION"], money: RECEIVED },
  refunded: { type: ["REFUND"] },
  taken_back: { type: ["COLLECTION"], money: TAKEN_BACK },
  net: { type: ["COLLECTION", "REFUND"] },
  sent: { type: ["PAYOUT", "TRANSFER"] },
} as const satisfies Record<string, Rows>
export type HomeFigure = keyof typeof HOME_ROWS
export const HOME_FIGURES = Object.keys(HOME_ROWS) as readonly HomeFigure[]

export function homeLink(figure: HomeFigure, currency: string, { from, to }: Span): string {
  return listAddress({ ...HOME_ROWS[figure], currency, moved: { $gte: from, $lt: to } })
}

/** All that came in of the payments of a period. */
export function receivedLink(currency: string, { from, to }: Span): string {
  return listAddress({ money: RECEIVED, currency, created: { $gte: from, $lt: to } })
}

type Of = {
  readonly account: Pick<AccountReconciliation, "account_id">
  readonly answer: Pick<ReconciliationResponse, "from" | "to" | "compared_at"> & {
    readonly accounts: readonly unknown[]
  }
}

/** A list of the period's rows; of one account's, unless it is the only one. */
function linkIn({ account, answer }: Of, currency: string, rows: Rows): string {
  const created = { $gte: answer.from, $lt: answer.to }
  // While accounts are still to be compared, they are not in the answer.
  const isOnly = answer.accounts.length === 1 && answer.compared_at !== null
  return listAddress({
    ...rows,
    currency,
    created,
    ...(!isOnly && { account: account.account_id }),
  })
}

export const placeLink = (of: Of, currency: string, place: MoneyPlace): string =>
  linkIn(of, currency, { money: place })

/** Null: could not be read. Undefined: this side has none, or another version stored the sums. */
export type Sum = (Total & { readonly exact?: string }) | null | undefined
export type Line = {
  readonly name:
    | "received"
    | "underReview"
    | "recorded"
    | "refunded"
    | "refundsUnderWay"
    | "refundsUnderReview"
    | "refundsRecorded"
    | "elsewhere"
  readonly gateway?: Sum
  readonly ledger?: Sum
  readonly medusa?: Sum
  /** The list that finds the ledger's rows. */
  readonly to?: string
}

/** Money beyond what a list can show has an amount and no count. */
export const hasMoney = ({ count, amount }: Total) => count > 0 || Number(amount) !== 0

/** What the sides of a period add up to; each sum of the ledger with its rows. */
export function linesOf(of: Of, totals: PeriodTotals): Line[] {
  const { currency, bridge, gateway, ledger, medusa, refunds } = totals
  const hasAny = (...sums: readonly Sum[]) => sums.some((sum) => sum && hasMoney(sum))
  const toMoney = (money: string) => linkIn(of, currency, { money })
  const toRefunds = (...state: string[]) => linkIn(of, currency, { type: ["REFUND"], state })
  const lines: readonly (Line & { readonly isShown?: boolean })[] = [
    {
      name: "received",
      gateway: gateway?.paid ?? null,
      ledger: ledger.received,
      to: toMoney(RECEIVED),
    },
    {
      name: "underReview",
      ledger: ledger.under_review,
      to: toMoney("under_review"),
      isShown: hasAny(ledger.under_review) && !bridge,
    },
    {
      name: "recorded",
      ledger: ledger.recorded,
      medusa: medusa.captured,
      to: toMoney("recorded"),
    },
    {
      name: "refunded",
      gateway: refunds.gateway,
      ledger: refunds.ledger,
      to: toRefunds("submitted", "in_flight", "completed", "review"),
      isShown: hasAny(refunds.gateway, refunds.ledger),
    },
    {
      name: "refundsUnderWay",
      ledger: refunds.under_way,
      to: toRefunds("submitted", "in_flight"),
      isShown: hasAny(refunds.under_way),
    },
    {
      name: "refundsUnderReview",
      ledger: refunds.under_review,
      to: toRefunds("review"),
      isShown: hasAny(refunds.under_review),
    },
    {
      name: "refundsRecorded",
      ledger: refunds.recorded,
      medusa: refunds.medusa,
      isShown: hasAny(refunds.recorded, refunds.medusa),
    },
    { name: "elsewhere", gateway: gateway?.elsewhere, isShown: hasAny(gateway?.elsewhere) },
  ]
  return lines.filter(({ isShown }) => isShown !== false)
}
