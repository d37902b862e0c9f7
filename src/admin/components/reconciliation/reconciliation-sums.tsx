/** What the money of a period adds up to, by account and currency. */
import { StatusBadge } from "@medusajs/ui"
import type { ReactNode } from "react"
import { Link } from "react-router-dom"
import { listAddress, MONEY_PLACES, RECEIVED } from "../../lib/filters"
import { hasRemainder } from "../../lib/reconciliation"
import type {
  AccountReconciliation,
  PeriodTotals,
  ReconciliationResponse,
  Total,
} from "../../lib/responses"
import { useWords } from "../../lib/words"
import { Section, WideTable } from "../parts"

type Of = {
  readonly account: AccountReconciliation
  readonly answer: ReconciliationResponse
}

const WHY = { minWidth: 180, maxWidth: 360 }

/** The account is named where there are several. */
const titleOf = (title: string, { account, answer }: Of) =>
  answer.accounts.length > 1 ? `${title} · ${account.label}` : title

/** Where the money that the gateway took has gone; each part opens its payments. */
export function Bridge(props: Of) {
  const { account } = props
  const { say, exact, number } = useWords()
  const listOf = listIn(props)
  const rowsOf = (totals: PeriodTotals) => {
    const { currency, gateway, bridge } = totals
    if (!gateway || !bridge) return []
    const row = (name: ReactNode, { amount, count }: Total) => [
      <span className="flex flex-wrap items-center gap-2 pl-4">{name}</span>,
      exact(amount, currency),
      number(count),
    ]
    const placeOf = (place: (typeof MONEY_PLACES)[number]) => {
      const name = say(`money.${place}`)
      const to = listOf(currency, { money: place })
      return bridge[place].count > 0 ? (
        <Link to={to} className="text-ui-fg-base underline">
          {name}
        </Link>
      ) : (
        name
      )
    }
    const { paid } = gateway
    const taken = [say("reconciliation.taken"), exact(paid.amount, currency), number(paid.count)]
    const places = MONEY_PLACES.filter((place) => place === "recorded" || hasMoney(bridge[place]))
    const unexplained = (
      <>
        {say("reconciliation.remainder")}
        <StatusBadge color="red" className="text-nowrap">
          {say("reconciliation.difference")}
        </StatusBadge>
      </>
    )
    return [
      taken.map((text) => <span className="txt-compact-small-plus text-ui-fg-base">{text}</span>),
      ...places.map((place) => row(placeOf(place), bridge[place])),
      ...(hasRemainder(totals) ? [row(unexplained, bridge.remainder)] : []),
    ]
  }
  const rows = account.totals.flatMap(rowsOf)
  if (rows.length === 0) return null
  const title = say("reconciliation.bridge")
  const heads = [say("reconciliation.where"), say("reconciliation.amount")]
  return (
    <Section title={titleOf(title, props)}>
      <WideTable
        label={title}
        testId="bridge"
        heads={[...heads, say("reconciliation.payments")]}
        rows={rows}
        numbersFrom={1}
      />
    </Section>
  )
}

/** Money beyond the asked amount has an amount and no count: its payment counts elsewhere. */
const hasMoney = ({ count, amount }: Total) => count > 0 || Number(amount) !== 0

/** Null: could not be read. Undefined: this side has none, or another version stored the sums. */
type Sum = (Total & { readonly exact?: string }) | null | undefined
type Line = {
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
  /** The filters of the list that finds the ledger's rows. */
  readonly rows?: Readonly<Record<string, unknown>>
}

const SENT = ["submitted", "in_flight", "completed", "review"]

function linesOf({ bridge, gateway, ledger, medusa, refunds }: PeriodTotals): Line[] {
  const hasAny = (...sums: readonly Sum[]) => sums.some((sum) => sum && hasMoney(sum))
  const ofRefunds = (state: readonly string[]) => ({ type: ["REFUND"], state })
  return [
    {
      name: "received",
      gateway: gateway?.paid ?? null,
      ledger: ledger.received,
      rows: { money: RECEIVED },
    },
    ...(hasAny(ledger.under_review) && !bridge
      ? [
          {
            name: "underReview",
            ledger: ledger.under_review,
            rows: { money: "under_review" },
          } as const,
        ]
      : []),
    {
      name: "recorded",
      ledger: ledger.recorded,
      medusa: medusa.captured,
      rows: { money: "recorded" },
    },
    ...(hasAny(refunds.gateway, refunds.ledger)
      ? [
          {
            name: "refunded",
            gateway: refunds.gateway,
            ledger: refunds.ledger,
            rows: ofRefunds(SENT),
          } as const,
        ]
      : []),
    ...(hasAny(refunds.under_way)
      ? [
          {
            name: "refundsUnderWay",
            ledger: refunds.under_way,
            rows: ofRefunds(["submitted", "in_flight"]),
          } as const,
        ]
      : []),
    ...(hasAny(refunds.under_review)
      ? [
          {
            name: "refundsUnderReview",
            ledger: refunds.under_review,
            rows: ofRefunds(["review"]),
          } as const,
        ]
      : []),
    ...(hasAny(refunds.recorded, refunds.medusa)
      ? [{ name: "refundsRecorded", ledger: refunds.recorded, medusa: refunds.medusa } as const]
      : []),
    ...(hasAny(gateway?.elsewhere)
      ? [{ name: "elsewhere", gateway: gateway?.elsewhere } as const]
      : []),
  ]
}

/** What each side adds up to; the sums of the ledger open the rows that make them. */
export function Sides(props: Of) {
  const { say } = useWords()
  const listOf = listIn(props)
  const rows = props.account.totals.flatMap((totals) =>
    linesOf(totals).map(({ name, gateway, ledger, medusa, rows: filters }) => [
      <div className="flex flex-col whitespace-normal py-3" style={WHY}>
        <span className="txt-compact-small-plus text-ui-fg-base">
          {say(`reconciliation.${name}`)} · {totals.currency}
        </span>
        <span className="text-ui-fg-subtle text-xs">{say(`reconciliation.${name}Text`)}</span>
      </div>,
      <SumText sum={gateway} currency={totals.currency} />,
      <SumText
        sum={ledger}
        currency={totals.currency}
        to={filters && listOf(totals.currency, filters)}
      />,
      <SumText sum={medusa} currency={totals.currency} />,
    ]),
  )
  if (rows.length === 0) return null
  const title = say("reconciliation.sides")
  return (
    <Section title={titleOf(title, props)}>
      <WideTable
        label={title}
        testId="sides"
        heads={[
          <span className="sr-only">{say("reconciliation.amount")}</span>,
          say("reconciliation.gateway"),
          say("reconciliation.ledger"),
          say("reconciliation.medusa"),
        ]}
        rows={rows}
      />
    </Section>
  )
}

/** Makes the address of a list of the period's rows; of one account's, if there are several. */
function listIn({ account, answer }: Of) {
  const created = { $gte: answer.from, $lt: answer.to }
  const of = answer.accounts.length > 1 && { account: account.account_id }
  return (currency: string, filters: Readonly<Record<string, unknown>>) =>
    listAddress({ ...filters, currency, created, ...of })
}

function SumText(props: {
  readonly sum: Sum
  readonly currency: string
  readonly to?: string | undefined
}) {
  const { say, exact } = useWords()
  const { sum, currency, to } = props
  if (!sum) {
    const nothing = sum === null ? say("reconciliation.notRead") : "–"
    return <span className="text-ui-fg-subtle">{nothing}</span>
  }
  // Medusa does not round, so its exact sum may have other digits than the amount. Zeros at the end
  // are no difference.
  const isOther = sum.exact !== undefined && Number(sum.exact) !== Number(sum.amount)
  return (
    <div className="flex flex-col whitespace-nowrap py-3 tabular-nums">
      {to && sum.count > 0 ? (
        <Link to={to} className="text-ui-fg-base underline">
          {exact(sum.amount, currency)}
        </Link>
      ) : (
        <span className="text-ui-fg-base">{exact(sum.amount, currency)}</span>
      )}
      <span className="text-ui-fg-subtle text-xs">
        {say("reconciliation.count", { count: sum.count })}
        {isOther && ` · ${say("reconciliation.exact", { amount: sum.exact ?? "" })}`}
      </span>
    </div>
  )
}
