/** A page of operations with its filters. The address holds filters, search and page. */
import { DataTable } from "@medusajs/dashboard/components"
import {
  createDataTableColumnHelper,
  createDataTableFilterHelper,
  type DataTableFilter,
  Text,
} from "@medusajs/ui"
import { useMemo } from "react"
import { Link, useSearchParams } from "react-router-dom"
import type { OperationSummary } from "../lib/responses"
import type { Query } from "../lib/api"
import { daysAgo, PAGE_SIZE, queryFrom } from "../lib/filters"
import { useAccountNames } from "../lib/accounts"
import { useOperations } from "../lib/queries"
import { useWords, type Words } from "../lib/words"
import { Problem, State } from "./parts"

const columns = createDataTableColumnHelper<OperationSummary>()
const filters = createDataTableFilterHelper<OperationSummary>()

const STATES = [
  "drafted",
  "submitted",
  "in_flight",
  "completed",
  "failed",
  "expired",
  "review",
] as const
const TYPES = ["COLLECTION", "REFUND", "PAYOUT", "TRANSFER"] as const
const FLOWS = ["push", "hosted", "card", "link"] as const
/** A sentence, in a table whose other cells have one line. */
const REASON = { minWidth: 300, maxWidth: 440 }
const CURRENCIES = ["LRD", "RWF", "USD"]

export function OperationsTable(props: {
  readonly heading: string
  readonly subHeading: string
  readonly also?: Query
  readonly showsReason?: boolean
  /** Outgoing money belongs to no order. */
  readonly hidesOrder?: boolean
  readonly empty: { readonly heading: string; readonly description: string }
}) {
  const words = useWords()
  const { say } = words
  const [search] = useSearchParams()
  const query = useMemo(() => queryFrom(search), [search])
  const { data, isLoading, error, refetch } = useOperations(query && { ...query, ...props.also })
  const accounts = useAccountNames()
  const shown = useMemo(() => filtersIn(words, accounts), [words, accounts])
  const cells = useMemo(() => columnsIn(words, props), [words, props.showsReason, props.hidesOrder])

  const noMatch = { heading: say("list.noMatch"), description: say("list.noMatchText") }
  return (
    <>
      {error && (
        <div className="px-6 pt-4">
          <Problem error={error} again={() => void refetch()} />
        </div>
      )}
      <DataTable
        data={[...(data?.operations ?? [])]}
        columns={cells}
        filters={shown}
        rowCount={data?.count ?? 0}
        pageSize={PAGE_SIZE}
        getRowId={({ id }) => id}
        rowHref={({ id }) => `/merchant-payments/${id}`}
        heading={props.heading}
        subHeading={props.subHeading}
        isLoading={isLoading}
        emptyState={{
          // Without a response it is not known whether the list is empty.
          empty: error ? { heading: say("problem.title") } : props.empty,
          filtered: error ? { heading: say("problem.title") } : noMatch,
        }}
      />
    </>
  )
}

function filtersIn({ say, day }: Words, accounts: ReadonlyMap<string, string>): DataTableFilter[] {
  const all = [
    filters.accessor("state", {
      type: "multiselect",
      label: say("filter.state"),
      searchable: false,
      options: STATES.map((value) => ({ label: say(`state.${value}`), value })),
    }),
    filters.accessor("type", {
      type: "multiselect",
      label: say("filter.type"),
      searchable: false,
      options: TYPES.map((value) => ({ label: say(`type.${value}`), value })),
    }),
    filters.accessor("flow", {
      type: "radio",
      label: say("filter.flow"),
      options: FLOWS.map((value) => ({ label: say(`flow.${value}`), value })),
    }),
    filters.accessor("currency", {
      type: "radio",
      label: say("filter.currency"),
      options: CURRENCIES.map((value) => ({ label: value, value })),
    }),
    filters.custom({ id: "operator", ...text(say("filter.operator"), say("filter.operatorHint")) }),
    filters.custom({
      id: "created",
      type: "date",
      label: say("filter.created"),
      rangeOptionLabel: say("list.customRange"),
      rangeOptionStartLabel: say("list.from"),
      rangeOptionEndLabel: say("list.to"),
      formatDateValue: (date: Date) => day(date.toISOString()),
      options: [
        { label: say("list.today"), value: { $gte: daysAgo(0) } },
        { label: say("list.sevenDays"), value: { $gte: daysAgo(7) } },
        { label: say("list.thirtyDays"), value: { $gte: daysAgo(30) } },
      ],
    }),
    filters.custom({ id: "order", ...text(say("filter.order"), "order_…") }),
    filters.custom({ id: "reference", ...text(say("filter.reference"), "xxxxxxxx-xxxx-…") }),
    filters.custom({ id: "phone", ...text(say("filter.phone"), "123") }),
  ]
  if (accounts.size < 2) return all
  const account = filters.custom({
    id: "account",
    type: "radio",
    label: say("filter.account"),
    options: [...accounts].map(([value, label]) => ({ label, value })),
  })
  return [...all, account]
}

const text = (label: string, placeholder: string) => ({
  type: "string" as const,
  label,
  placeholder,
})

function columnsIn(
  { say, money, time, coded }: Words,
  { showsReason = false, hidesOrder = false }: { showsReason?: boolean; hidesOrder?: boolean },
) {
  const reason = columns.display({
    id: "reason",
    header: say("attention.reason"),
    cell: ({ row: { original } }) => (
      <Text size="small" className="whitespace-normal py-2" style={REASON}>
        {attentionText({ say, coded }, original)}
      </Text>
    ),
  })
  const order = columns.display({
    id: "order",
    header: say("list.order"),
    cell: ({ row: { original } }) =>
      original.order_id === null ? (
        <span className="text-ui-fg-subtle">–</span>
      ) : (
        <Link
          className="text-ui-fg-base underline"
          to={`/orders/${original.order_id}`}
          onClick={(event) => event.stopPropagation()}
        >
          {say("list.openOrder")}
        </Link>
      ),
  })
  return [
    columns.display({
      id: "created",
      header: say("list.created"),
      cell: ({ row: { original } }) => (
        <Link
          to={`/merchant-payments/${original.id}`}
          className="focus-visible:shadow-borders-focus rounded outline-none"
          onClick={(event) => event.stopPropagation()}
        >
          {time(original.created_at)}
        </Link>
      ),
    }),
    columns.display({
      id: "state",
      header: say("list.state"),
      cell: ({ row: { original } }) => <State operation={original} />,
    }),
    columns.display({
      id: "amount",
      header: say("list.amount"),
      cell: ({ row: { original } }) => (
        <span className="text-ui-fg-base tabular-nums">
          {money(original.amount, original.currency)}
        </span>
      ),
    }),
    ...(showsReason ? [reason] : []),
    columns.display({
      id: "kind",
      header: say("list.kind"),
      cell: ({ row: { original } }) => kindOf(say, original),
    }),
    ...(showsReason
      ? []
      : [
          columns.display({
            id: "operator",
            header: say("list.operator"),
            cell: ({ row: { original } }) =>
              [original.operator?.payment_method, original.phone_hint && `…${original.phone_hint}`]
                .filter(Boolean)
                .join(" ") || <span className="text-ui-fg-subtle">–</span>,
          }),
        ]),
    ...(hidesOrder ? [] : [order]),
  ]
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
