/** Views that show what is not so, for the properties of `histories/judge-shown.ts`. */
import type { Mutant } from "./mutant-table"

/** Enough that money comes, waits for an admin and goes back in some. */
const HISTORIES = 30

function shown(name: string, file: string, find: string, replace: string): Mutant {
  return { name, patches: [{ file, find, replace }], scenarios: [], histories: HISTORIES }
}

export const SHOWN_MUTANTS: readonly Mutant[] = [
  shown(
    "a list forgets one of two filters",
    "src/review/sql/list-filter.ts",
    `    ...oneOf("state", filter.states, bind),\n`,
    "",
  ),
  shown(
    "the totals of a list leave its oldest row out",
    "src/review/list-totals.ts",
    `return all && totalsFrom(all.map(`,
    `return all && totalsFrom(all.slice(0, 1).map(`,
  ),
  shown(
    "a page begins with the last row of the page before",
    "src/review/sql/list-operations.ts",
    `order?.isAscending ? ">" : "<"}`,
    `order?.isAscending ? ">=" : "<="}`,
  ),
  shown(
    "a figure opens the rows of another moment",
    "src/admin/lib/figure-links.ts",
    `...HOME_ROWS[figure], currency, moved:`,
    `...HOME_ROWS[figure], currency, created:`,
  ),
  shown(
    "the home page keeps money that went back",
    "src/reconciliation/rules/movements.ts",
    `  refund: "refunded",`,
    `  refund: null,`,
  ),
  shown(
    "money under review needs nobody",
    "src/review/sql/attention.ts",
    `case when o.state = 'review' then 'review'`,
    `case when o.state = 'review' and o.is_duplicate then 'review'`,
  ),
  shown(
    "a payment that was given back is not paid any more",
    "src/core/recorded.ts",
    `export function wasRecorded({ type, state, recordedAt }: Operation): boolean {
  return type === "COLLECTION" && state === "completed" && recordedAt !== null`,
    `export function wasRecorded({ type, state, recordedAt, returnedAt }: Operation): boolean {
  return type === "COLLECTION" && state === "completed" && recordedAt !== null && !returnedAt`,
  ),
  shown(
    "a payment's page leaves out its last refund",
    "src/review/view.ts",
    `refunds: beside.refunds.map((refund) => refundOf(refund, beside.requests)),`,
    `refunds: beside.refunds.slice(1).map((refund) => refundOf(refund, beside.requests)),`,
  ),
]
