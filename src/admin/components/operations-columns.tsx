/**
 * The columns of a list of operations; on a narrow screen two: one is amount and status. Every
 * width has the type in words and the sign. Texts break where room is short, so that nothing is cut.
 */
import { createDataTableColumnHelper } from "@medusajs/ui"
import type { MouseEvent, ReactNode } from "react"
import { Link } from "react-router-dom"
import { flowText, operatorName, signedAmount } from "../lib/operation-state"
import type { OperationSummary } from "../lib/responses"
import type { Say, Words } from "../lib/words"
import { AdminName, State } from "./parts"

const columns = createDataTableColumnHelper<OperationSummary>()

/** A text that may break, and keeps room for its longest usual word. */
const BREAKS = { minWidth: 84, maxWidth: 200, overflowWrap: "anywhere" } as const
const NOTE = { ...BREAKS, minWidth: 120, maxWidth: 260 } as const
/** On a phone, leaves room for the longest status beside the name. */
const NARROW_NAME = { maxWidth: 118, overflowWrap: "anywhere" } as const
const RIGHT = { align: "right" } as const

type Cell = (operation: OperationSummary) => ReactNode

export type Shown = {
  readonly isNarrow: boolean
  readonly hasFees: boolean
  /** Money that goes out: whom, by whom and why, in the place of customer, order and net. */
  readonly isMoneyOut: boolean
}

export function columnsIn(words: Words, shown: Shown) {
  const { say } = words
  if (shown.isNarrow) return narrowColumns(words, shown)
  const cells = cellsIn(words)
  const { created, amounts, column } = helpersIn(say)
  const start = [
    created(cells.date),
    column("type", say("list.type"), ({ type }) => say(`type.${type}`)),
  ]
  const state = column("state", say("list.state"), cells.status)
  const method = column("method", say("list.method"), cells.method)
  const fee = column("fee", say("list.fee"), cells.fee, RIGHT)
  if (shown.isMoneyOut) {
    return [
      ...start,
      column("customer", say("payouts.name"), cells.recipient),
      amounts(cells.amount),
      fee,
      state,
      column("by", say("payouts.by"), ({ asked_by }) => breaking(<AdminName id={asked_by} />)),
      column("note", say("payouts.note"), ({ note }) =>
        breaking(note ? <bdi>{note}</bdi> : nothing, NOTE),
      ),
      method,
    ]
  }
  return [
    ...start,
    column("customer", say("list.customer"), cells.customer),
    column("order", say("list.order"), cells.order),
    amounts(cells.amount),
    state,
    method,
    ...(shown.hasFees ? [fee, column("net", say("list.net"), cells.net, RIGHT)] : []),
  ]
}

function narrowColumns(words: Words, { isMoneyOut }: Shown) {
  const { say } = words
  const { created, amounts } = helpersIn(say)
  const { date, amount, status } = cellsIn(words)
  return [
    created((operation) => (
      <span className="flex flex-col gap-y-1 whitespace-normal py-2" style={NARROW_NAME}>
        {date(operation)}
        <span className="text-ui-fg-base">{say(`type.${operation.type}`)}</span>
        <span className="text-ui-fg-subtle">{whoOrWhat(say, operation)}</span>
        {isMoneyOut && operation.note && <bdi className="text-ui-fg-subtle">{operation.note}</bdi>}
        {isMoneyOut && (
          <span className="text-ui-fg-subtle">
            <AdminName id={operation.asked_by} />
          </span>
        )}
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

function helpersIn(say: Say) {
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
  return { column, created, amounts }
}

function cellsIn({ say, money, shortTime }: Words) {
  const figure = (value: number | null, currency: string) =>
    value === null ? nothing : <span className="tabular-nums">{money(value, currency)}</span>
  return {
    date: ({ id, created_at }) => (
      <Link
        to={`/merchant-payments/${id}`}
        className="focus-visible:shadow-borders-focus block whitespace-normal rounded outline-none"
        style={BREAKS}
        onClick={leaveRow}
      >
        {shortTime(created_at)}
      </Link>
    ),
    amount: (operation) => (
      <span className="text-ui-fg-base text-nowrap tabular-nums">
        {money(signedAmount(operation), operation.currency)}
      </span>
    ),
    status: (operation) => <State operation={operation} />,
    method: (operation) => breaking(methodText(say, operation)),
    fee: ({ figures }) => figure(figures.fee, figures.currency),
    net: ({ figures }) => figure(figures.net, figures.currency),
    customer: ({ customer }) => breaking(customer?.name ?? customer?.email ?? nothing),
    recipient: (operation) => breaking(recipientText(operation) || nothing),
    order: ({ order_id, order_number }) =>
      order_id === null ? (
        nothing
      ) : (
        <Link className="text-ui-fg-base underline" to={`/orders/${order_id}`} onClick={leaveRow}>
          {order_number === null ? say("list.openOrder") : `#${order_number}`}
        </Link>
      ),
  } satisfies Record<string, Cell>
}

/** A click on a link inside a row opens that link alone. */
const leaveRow = (event: MouseEvent) => event.stopPropagation()

const nothing = <span className="text-ui-fg-subtle">–</span>

const breaking = (text: ReactNode, style: object = BREAKS) => (
  <span className="block whitespace-normal py-1" style={style}>
    {text}
  </span>
)

/** Who is paid: name and last digits. */
function recipientText({ customer, phone_hint }: OperationSummary): string {
  return [customer?.name, phone_hint && `…${phone_hint}`].filter(Boolean).join(" ")
}

function whoOrWhat(say: Say, operation: OperationSummary): string {
  const { type, customer, order_number } = operation
  if (type === "PAYOUT" || type === "TRANSFER") return recipientText(operation)
  const who = customer?.name ?? customer?.email ?? methodText(say, operation)
  return order_number === null ? who : `${who} · #${order_number}`
}

/** Operator and end of the number; before them how it was paid, unless it is by prompt. */
function methodText(say: Say, operation: OperationSummary): string {
  const { type, flow, phone_hint } = operation
  const operator = operatorName(operation)
  const isOut = type === "PAYOUT" || type === "TRANSFER"
  const how = isOut || (flow === "push" && operator) ? null : flowText(say, operation)
  const wallet = [operator, phone_hint && `…${phone_hint}`].filter(Boolean).join(" ")
  return [how, wallet].filter(Boolean).join(" · ") || "–"
}
