/** The columns of a list of operations; on a narrow screen two: one is amount and status. */
import { createDataTableColumnHelper } from "@medusajs/ui"
import type { MouseEvent, ReactNode } from "react"
import { Link } from "react-router-dom"
import { kindOf, operatorName, signedAmount } from "../lib/operation-state"
import type { OperationSummary } from "../lib/responses"
import type { Say, Words } from "../lib/words"
import { State } from "./parts"

const columns = createDataTableColumnHelper<OperationSummary>()

const NAME = { maxWidth: 180 }
/** On a phone, leaves room for the longest status beside the name. */
const NARROW_NAME = { maxWidth: 118, overflowWrap: "anywhere" } as const
const RIGHT = { align: "right" } as const

type Cell = (operation: OperationSummary) => ReactNode

export type Shown = {
  readonly isNarrow: boolean
  readonly hasFees: boolean
  /** Leaves out order and fees: outgoing money belongs to no order, and has no fees here. */
  readonly hidesOrder: boolean
}

export function columnsIn({ say, money, shortTime }: Words, shown: Shown) {
  const { isNarrow, hasFees, hidesOrder } = shown
  const column = (id: string, header: string, cell: Cell, more: object = {}) =>
    columns.accessor("id", {
      id,
      header,
      cell: ({ row: { original } }) => cell(original),
      ...more,
    })
  const sorted = (label: string, ascending: string, descending: string) => ({
    enableSorting: true,
    sortLabel: label,
    sortAscLabel: ascending,
    sortDescLabel: descending,
  })
  const created = (cell: Cell) => {
    const header = say("list.created")
    return column("created", header, cell, sorted(header, say("list.oldest"), say("list.newest")))
  }
  const amounts = (cell: Cell) => {
    const header = say("list.amount")
    const order = sorted(header, say("list.smallest"), say("list.largest"))
    return column("amount", header, cell, { ...RIGHT, ...order })
  }
  const date: Cell = ({ id, created_at }) => (
    <Link
      to={`/merchant-payments/${id}`}
      className="focus-visible:shadow-borders-focus rounded outline-none"
      onClick={leaveRow}
    >
      {shortTime(created_at)}
    </Link>
  )
  const amount: Cell = (operation) => (
    <span className="text-ui-fg-base tabular-nums">
      {money(signedAmount(operation), operation.currency)}
    </span>
  )
  const figure = (value: number | null, currency: string) =>
    value === null ? nothing : <span className="tabular-nums">{money(value, currency)}</span>
  const status: Cell = (operation) => <State operation={operation} />
  if (isNarrow) {
    return [
      created((operation) => (
        <span className="flex flex-col gap-y-1 whitespace-normal py-2" style={NARROW_NAME}>
          {date(operation)}
          <span className="text-ui-fg-subtle">{whoOrWhat(say, operation)}</span>
        </span>
      )),
      amounts((operation) => (
        <span className="flex flex-col items-end gap-y-1 py-2">
          {amount(operation)}
          {status(operation)}
        </span>
      )),
    ]
  }
  const customer: Cell = ({ customer }) => (
    <span className="block truncate" style={NAME} title={customer?.email ?? undefined}>
      {customer?.name ?? customer?.email ?? nothing}
    </span>
  )
  const order: Cell = ({ order_id, order_number }) =>
    order_id === null ? (
      nothing
    ) : (
      <Link className="text-ui-fg-base underline" to={`/orders/${order_id}`} onClick={leaveRow}>
        {order_number === null ? say("list.openOrder") : `#${order_number}`}
      </Link>
    )
  const fees = [
    column("fee", say("list.fee"), ({ figures }) => figure(figures.fee, figures.currency), RIGHT),
    column("net", say("list.net"), ({ figures }) => figure(figures.net, figures.currency), RIGHT),
  ]
  return [
    created(date),
    column("customer", say(hidesOrder ? "payouts.name" : "list.customer"), customer),
    ...(hidesOrder ? [] : [column("order", say("list.order"), order)]),
    amounts(amount),
    column("state", say("list.state"), status),
    column("method", say("list.method"), (operation) => methodText(say, operation)),
    ...(hasFees && !hidesOrder ? fees : []),
  ]
}

/** A click on a link inside a row opens that link alone. */
const leaveRow = (event: MouseEvent) => event.stopPropagation()

const nothing = <span className="text-ui-fg-subtle">–</span>

function whoOrWhat(say: Say, operation: OperationSummary): string {
  const { customer, order_number } = operation
  const who = customer?.name ?? customer?.email ?? methodText(say, operation)
  return order_number === null ? who : `${who} · #${order_number}`
}

/** Operator and end of the number; before them the kind, unless it is a payment by prompt. */
function methodText(say: Say, operation: OperationSummary): string {
  const { type, flow, phone_hint } = operation
  const operator = operatorName(operation)
  const kind = type === "COLLECTION" && flow === "push" && operator ? null : kindOf(say, operation)
  const wallet = [operator, phone_hint && `…${phone_hint}`].filter(Boolean).join(" ")
  return [kind, wallet].filter(Boolean).join(" · ")
}
