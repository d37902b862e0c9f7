/** A page of operations with its filters. The address holds filters, search, order and page. */
import { ArrowDownTray } from "@medusajs/icons"
import { DataTable } from "@medusajs/dashboard/components"
import { createDataTableFilterHelper, Heading, Text, type DataTableFilter } from "@medusajs/ui"
import { useMemo, type ReactNode } from "react"
import { useSearchParams } from "react-router-dom"
import type { OperationList, OperationSummary } from "../lib/responses"
import type { Query } from "../lib/api"
import { daysAgo, MONEY_PLACES, PAGE_SIZE, queryFrom } from "../lib/filters"
import { useAccountNames } from "../lib/accounts"
import { useFeeColumns, useIsNarrow } from "../lib/list-choices"
import { useListFile, useOperations } from "../lib/queries"
import { useWords, type Words } from "../lib/words"
import { asOptions, CURRENCIES } from "./fields"
import { columnsIn } from "./operations-columns"
import { Totals } from "./operations-totals"
import { Button, Hint, Problem } from "./parts"

export { attentionText, kindOf } from "./operations-columns"

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

type Empty = {
  readonly heading: string
  readonly description: string
  /** What to do next. */
  readonly action?: ReactNode
}

export function OperationsTable(props: {
  readonly heading: string
  readonly subHeading: string
  readonly also?: Query
  readonly showsReason?: boolean
  /** Outgoing money belongs to no order. */
  readonly hidesOrder?: boolean
  readonly empty: Empty
}) {
  const words = useWords()
  const { say } = words
  const { showsReason = false, hidesOrder = false } = props
  const [search, setSearch] = useSearchParams()
  const query = useMemo(() => ({ ...queryFrom(search), ...props.also }), [search, props.also])
  const { data, isLoading, error, refetch } = useOperations(query)
  const file = useListFile(query)
  const [hasFees, toggleFees] = useFeeColumns()
  const isNarrow = useIsNarrow()
  const accounts = useAccountNames()
  const operators = data?.operators
  const shown = useMemo(() => filtersIn(words, accounts, operators), [words, accounts, operators])
  const cells = useMemo(
    () => columnsIn(words, { isNarrow, hasFees, showsReason, hidesOrder }),
    [words, isNarrow, hasFees, showsReason, hidesOrder],
  )
  const noMatch = {
    heading: say("list.noMatch"),
    description: say("list.noMatchText"),
    action: <Button onClick={() => setSearch({})}>{say("list.clear")}</Button>,
  }
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-2 px-6 py-4">
        <div>
          <Heading level="h1">{props.heading}</Heading>
          <Hint>{props.subHeading}</Hint>
        </div>
        <div className="flex flex-wrap gap-2">
          {!isNarrow && !showsReason && !hidesOrder && (
            <Button variant="transparent" onClick={toggleFees}>
              {say(hasFees ? "list.hideFees" : "list.showFees")}
            </Button>
          )}
          <Button isLoading={file.isPending} disabled={!data?.count} onClick={() => file.mutate()}>
            <ArrowDownTray /> {say("list.export")}
          </Button>
        </div>
      </div>
      <Problem isInset error={file.error} />
      {!showsReason && <Totals query={query} />}
      {error && <Problem isInset error={error} again={() => void refetch()} />}
      <DataTable
        data={[...(data?.operations ?? [])]}
        columns={cells}
        filters={shown}
        rowCount={data?.count ?? 0}
        pageSize={PAGE_SIZE}
        getRowId={({ id }) => id}
        rowHref={({ id }) => `/merchant-payments/${id}`}
        isLoading={isLoading}
        emptyState={{
          // Without a response it is not known whether the list is empty.
          empty: error ? { heading: say("problem.title") } : emptyOf(props.empty),
          filtered: error ? { heading: say("problem.title") } : emptyOf(noMatch),
        }}
      />
    </>
  )
}

function emptyOf({ heading, description, action }: Empty): { custom: ReactNode } {
  return {
    custom: (
      <div className="flex max-w-lg flex-col items-center gap-3 text-center" data-testid="empty">
        <Text weight="plus">{heading}</Text>
        <Hint>{description}</Hint>
        {action}
      </div>
    ),
  }
}

function filtersIn(
  { say, day }: Words,
  accounts: ReadonlyMap<string, string>,
  operators: OperationList["operators"] = [],
): DataTableFilter[] {
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
    filters.custom({
      id: "operator",
      type: "radio",
      label: say("filter.operator"),
      options: operators.map(({ label, payment_methods: codes }) => ({
        label,
        value: codes.join(","),
      })),
    }),
    filters.custom({
      id: "money",
      type: "radio",
      label: say("filter.money"),
      options: MONEY_PLACES.map((value) => ({ label: say(`money.${value}`), value })),
    }),
    filters.accessor("currency", {
      type: "radio",
      label: say("filter.currency"),
      options: asOptions(CURRENCIES),
    }),
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
