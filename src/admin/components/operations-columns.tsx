/** The columns of a list of operations; on a narrow screen two, of which one is amount and status. */
import { createDataTableColumnHelper, Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import { Link } from "react-router-dom"
import { operatorName } from "../lib/operation-state"
import type { OperationSummary } from "../lib/responses"
import type { Words } from "../lib/words"
import { State } from "./parts"

const columns = createDataTableColumnHelper<OperationSummary>()

/** A sentence, in a table whose other cells have one line. */
const REASON = { minWidth: 300, maxWidth: 440 }
const NAME = { maxWidth: 180 }
/** Beside the longest status on a phone. */
const NARROW_NAME = { maxWidth: 118, overflowWrap: "anywhere" } as const

type Cell = (operation: OperationSummary) => ReactNode

export type Shown = {
  readonly isNarrow: boolean
  readonly hasFees: boolean
  readonly showsReason?: boolean
  /** Outgoing money belongs to no order, and has no fees here. */
  readonly hidesOrder?: boolean
}

export function columnsIn(words: Words, shown: Shown) {
  const { say, money, shortTime, coded } = words
  const { isNarrow, showsReason = false, hidesOrder = false } = shown
  const column = (id: string, header: string, cell: Cell, isNumber = false) =>
    columns.accessor("id", {
      id,
      header,
      align: isNumber ? "right" : "left",
      cell: ({ row: { original } }) => cell(original),
    })
  const date: Cell = ({ id, created_at }) => (
    <Link
      to={`/merchant-payments/${id}`}
      className="focus-visible:shadow-borders-focus rounded outline-none"
      onClick={(event) => event.stopPropagation()}
    >
      {shortTime(created_at)}
    </Link>
  )
  const amount: Cell = ({ amount, currency }) => (
    <span className="text-ui-fg-base tabular-nums">{money(amount, currency)}</span>
  )
  const figure = (value: number | null, currency: string) =>
    value === null ? nothing : <span className="tabular-nums">{money(value, currency)}</span>
  const status: Cell = (operation) => <State operation={operation} />
  const created = (cell: Cell) =>
    columns.accessor("created_at", {
      id: "created",
      header: say("list.created"),
      enableSorting: true,
      sortLabel: say("list.created"),
      sortAscLabel: say("list.oldest"),
      sortDescLabel: say("list.newest"),
      cell: ({ row: { original } }) => cell(original),
    })
  const amounts = (cell: Cell) =>
    columns.accessor("amount", {
      id: "amount",
      header: say("list.amount"),
      align: "right",
      enableSorting: true,
      sortLabel: say("list.amount"),
      sortAscLabel: say("list.smallest"),
      sortDescLabel: say("list.largest"),
      cell: ({ row: { original } }) => cell(original),
    })
  if (isNarrow) {
    return [
      created((operation) => (
        <Stacked
          above={date(operation)}
          below={showsReason ? attentionText(words, operation) : whoOrWhat(words, operation)}
        />
      )),
      amounts((operation) => (
        <span className="flex flex-col items-end gap-y-1 py-2">
          {amount(operation)}
          {status(operation)}
        </span>
      )),
    ]
  }
  const customer = column(
    "customer",
    say(hidesOrder ? "payouts.name" : "list.customer"),
    ({ customer }) => (
      <span className="block truncate" style={NAME} title={customer?.email ?? undefined}>
        {customer?.name ?? customer?.email ?? nothing}
      </span>
    ),
  )
  const order = column("order", say("list.order"), ({ order_id, order_number }) =>
    order_id === null ? (
      nothing
    ) : (
      <Link
        className="text-ui-fg-base underline"
        to={`/orders/${order_id}`}
        onClick={(event) => event.stopPropagation()}
      >
        {order_number === null ? say("list.openOrder") : `#${order_number}`}
      </Link>
    ),
  )
  const reason = column("reason", say("attention.reason"), (operation) => (
    <Text size="small" className="whitespace-normal py-2" style={REASON}>
      {attentionText({ say, coded }, operation)}
    </Text>
  ))
  const method = column("method", say("list.method"), (operation) => methodText(say, operation))
  const fees = [
    column("fee", say("list.fee"), ({ figures }) => figure(figures.fee, figures.currency), true),
    column("net", say("list.net"), ({ figures }) => figure(figures.net, figures.currency), true),
  ]
  return [
    created(date),
    customer,
    ...(hidesOrder ? [] : [order]),
    amounts(amount),
    column("state", say("list.state"), status),
    ...(showsReason ? [reason] : [method]),
    ...(shown.hasFees && !showsReason && !hidesOrder ? fees : []),
  ]
}

const nothing = <span className="text-ui-fg-subtle">–</span>

function Stacked({ above, below }: { readonly above: ReactNode; readonly below: ReactNode }) {
  return (
    <span className="flex flex-col gap-y-1 whitespace-normal py-2" style={NARROW_NAME}>
      {above}
      <span className="text-ui-fg-subtle">{below}</span>
    </span>
  )
}

function whoOrWhat({ say }: Words, operation: OperationSummary): ReactNode {
  const { customer, order_number } = operation
  const who = customer?.name ?? customer?.email ?? methodText(say, operation)
  return order_number === null ? who : `${who} · #${order_number}`
}

/** The operator with the end of the number; what else it is than a payment by prompt, before it. */
function methodText(say: Words["say"], operation: OperationSummary): string {
  const { type, flow, phone_hint } = operation
  const operator = operatorName(operation)
  const kind = type === "COLLECTION" && flow === "push" && operator ? null : kindOf(say, operation)
  const wallet = [operator, phone_hint && `…${phone_hint}`].filter(Boolean).join(" ")
  return [kind, wallet].filter(Boolean).join(" · ")
}

/** A payment by its method, everything else by its type. */
export function kindOf(say: Words["say"], { type, flow }: OperationSummary): string {
  return type === "COLLECTION" ? say(`flow.${flow}`) : say(`type.${type}`)
}

/** Why the operation needs attention. */
export function attentionText(
  { say, coded }: Pick<Words, "say" | "coded">,
  { attention, reason }: Pick<OperationSummary, "attention" | "reason">,
): string {
  if (attention === "contradicted") return say("attention.contradicted")
  if (attention === "refund_failed") return say("attention.refundFailed")
  return reason === null ? "" : coded(`reason.${reason.code}`, {}, reason.en)
}
