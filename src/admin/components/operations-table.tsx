/** A page of operations with its filters. The URL holds filters, order and page, but no search. */
import { ArrowDownTray } from "@medusajs/icons"
import { DataTable } from "@medusajs/dashboard/components"
import { createDataTableFilterHelper, Heading, Text, type DataTableFilter } from "@medusajs/ui"
import { useEffect, useMemo, useState, type ReactNode } from "react"
import { useSearchParams } from "react-router-dom"
import type { OperationList, OperationSummary } from "../lib/responses"
import type { Query } from "../lib/api"
import {
  daysAgo,
  FLOWS,
  MONEY_PLACES,
  PAGE_SIZE,
  queryFrom,
  RECEIVED,
  TAKEN_BACK,
} from "../lib/filters"
import { useAccountNames, useShopZone } from "../lib/accounts"
import { useListFile, useOperations } from "../lib/queries"
import { useWords, type Words } from "../lib/words"
import { asOptions, CURRENCIES } from "./fields"
import { columnsIn } from "./operations-columns"
import { Totals } from "./operations-totals"
import { Button, Hint, Problem } from "./parts"
import { SearchBox, useSearch } from "./search-box"

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

const FEES = "merchant-payments.list.fees"
const NARROW = "(max-width: 767px)"

type Empty = {
  readonly heading: string
  readonly description: string
  /** A button for what the admin may do next. */
  readonly action?: ReactNode
}

export function OperationsTable(props: {
  readonly heading: string
  readonly subHeading: string
  readonly also?: Query
  /** Outgoing money belongs to no order: whom, by whom and why stand in the place of it. */
  readonly isMoneyOut?: boolean
  readonly empty: Empty
}) {
  const words = useWords()
  const { say } = words
  const { isMoneyOut = false } = props
  const [search, setSearch] = useSearchParams()
  const searching = useSearch()
  const { q } = searching
  const query = useMemo(() => ({ ...queryFrom(search), q, ...props.also }), [search, q, props.also])
  const { data, isLoading, error, refetch } = useOperations(query)
  const file = useListFile(query, useShopZone())
  const [hasFees, toggleFees] = useFeeColumns()
  const isNarrow = useIsNarrow()
  const accounts = useAccountNames()
  const operators = data?.operators
  const shown = useMemo(() => filtersIn(words, accounts, operators), [words, accounts, operators])
  const cells = useMemo(
    () => columnsIn(words, { isNarrow, hasFees, isMoneyOut }),
    [words, isNarrow, hasFees, isMoneyOut],
  )
  const clear = () => {
    searching.type("")
    setSearch({})
  }
  const noMatch = {
    heading: say("list.noMatch"),
    description: say("list.noMatchText"),
    action: <Button onClick={clear}>{say("list.clear")}</Button>,
  }
  // A filter that was refused can be taken away again.
  const unread = { custom: <Button onClick={clear}>{say("list.clear")}</Button> }
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-2 px-6 py-4">
        <div>
          <Heading level="h1">{props.heading}</Heading>
          <Hint>{props.subHeading}</Hint>
        </div>
        <div className="flex flex-wrap gap-2">
          {!isNarrow && !isMoneyOut && (
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
      <Totals query={query} />
      {error && <Problem isInset error={error} again={() => void refetch()} />}
      <SearchBox {...searching} />
      <DataTable
        // Without a response nothing is known: neither that the list is empty, nor how long it is.
        enablePagination={data !== undefined}
        data={[...(data?.operations ?? [])]}
        columns={cells}
        filters={shown}
        rowCount={data?.count ?? 0}
        pageSize={PAGE_SIZE}
        getRowId={({ id }) => id}
        rowHref={({ id }) => `/merchant-payments/${id}`}
        isLoading={isLoading}
        enableSearch={false}
        emptyState={{
          empty: data ? emptyOf(q ? noMatch : props.empty) : unread,
          filtered: data ? emptyOf(noMatch) : unread,
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

/** Whether fee and net are shown, which the browser remembers. */
function useFeeColumns(): readonly [boolean, () => void] {
  const [isShown, setShown] = useState(() => window.localStorage.getItem(FEES) !== "hidden")
  const toggle = () => {
    setShown(!isShown)
    window.localStorage.setItem(FEES, isShown ? "hidden" : "shown")
  }
  return [isShown, toggle]
}

function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => window.matchMedia(NARROW).matches)
  useEffect(() => {
    const screen = window.matchMedia(NARROW)
    const listen = () => setNarrow(screen.matches)
    screen.addEventListener("change", listen)
    return () => screen.removeEventListener("change", listen)
  }, [])
  return isNarrow
}

type Option = { readonly label: string; readonly value: string }

function filtersIn(
  { say, day }: Words,
  accounts: ReadonlyMap<string, string>,
  operators: OperationList["operators"] = [],
): DataTableFilter[] {
  const some = (id: "state" | "type", options: Option[]) =>
    filters.custom({
      id,
      type: "multiselect",
      label: say(`filter.${id}`),
      searchable: false,
      options,
    })
  const one = (id: "flow" | "operator" | "money" | "currency" | "account", options: Option[]) =>
    filters.custom({ id, type: "radio", label: say(`filter.${id}`), options })
  const days = (id: "created" | "moved") =>
    filters.custom({
      id,
      type: "date",
      label: say(`filter.${id}`),
      rangeOptionLabel: say("list.customRange"),
      rangeOptionStartLabel: say("list.from"),
      rangeOptionEndLabel: say("list.to"),
      formatDateValue: (date: Date) => day(date.toISOString()),
      options: [
        { label: say("list.today"), value: { $gte: daysAgo(0) } },
        { label: say("list.sevenDays"), value: { $gte: daysAgo(7) } },
        { label: say("list.thirtyDays"), value: { $gte: daysAgo(30) } },
      ],
    })
  const codesOf = (operator: OperationList["operators"][number]) => ({
    label: operator.label,
    value: operator.payment_methods.join(","),
  })
  const states = asOptions(STATES, (state) => say(`filterState.${state}`))
  const types = asOptions(TYPES, (type) => say(`type.${type}`))
  const flows = asOptions(FLOWS, (flow) => say(`flow.${flow}`))
  const places = asOptions([RECEIVED, ...MONEY_PLACES, TAKEN_BACK], (place) =>
    say(`filterMoney.${place}`),
  )
  const names = asOptions([...accounts.keys()], (id) => accounts.get(id) ?? id)
  const all = [
    some("state", states),
    some("type", types),
    one("flow", flows),
    one("operator", operators.map(codesOf)),
    one("money", places),
    one("currency", asOptions(CURRENCIES)),
    days("created"),
    days("moved"),
  ]
  return accounts.size < 2 ? all : [...all, one("account", names)]
}
