/** What the money of a period adds up to, by account and currency. */
import { StatusBadge } from "@medusajs/ui"
import type { ReactNode } from "react"
import { Link } from "react-router-dom"
import { listAddress, MONEY_PLACES } from "../../lib/filters"
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
  const { account, answer } = props
  const { say, exact, number } = useWords()
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
      const created = { $gte: answer.from, $lt: answer.to }
      const of = answer.accounts.length > 1 && { account: account.account_id }
      const to = listAddress({ money: place, currency, created, ...of })
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

/** The difference of a payment that counts elsewhere has an amount alone. */
const hasMoney = ({ count, amount }: Total) => count > 0 || Number(amount) !== 0

/** Null: could not be read. Undefined: this side has none. */
type Sum = (Total & { readonly exact?: string }) | null | undefined
type Line = readonly [
  name: "paid" | "underReview" | "refunded" | "refundsUnderWay" | "elsewhere",
  sums: readonly [gateway: Sum, ledger: Sum, medusa: Sum],
]

const hasAny = (sums: readonly Sum[]) => sums.some((sum) => sum && sum.count > 0)

/** What each side adds up to; what the bridge shows is not repeated. */
export function Sides(props: Of) {
  const { say } = useWords()
  const rows = props.account.totals.flatMap((totals) => {
    const { currency, bridge, gateway, ledger, medusa, refunds } = totals
    const none = undefined
    const lines: readonly Line[] = [
      ["paid", [gateway?.paid ?? null, ledger.completed, medusa.captured]],
      ["underReview", [none, ledger.under_review, none]],
      ["refunded", [refunds.gateway, refunds.ledger, refunds.medusa]],
      ["refundsUnderWay", [none, refunds.under_way, none]],
      ["elsewhere", [gateway?.elsewhere, none, none]],
    ]
    const isShown = ([name, sums]: Line) =>
      name === "paid" ? !bridge : hasAny(sums) && !(bridge && name === "underReview")
    return lines.filter(isShown).map(([name, sums]) => [
      <div className="flex flex-col whitespace-normal py-3" style={WHY}>
        <span className="txt-compact-small-plus text-ui-fg-base">
          {say(`reconciliation.${name}`)}
          {name === "paid" && ` · ${currency}`}
        </span>
        <span className="text-ui-fg-subtle text-xs">{say(`reconciliation.${name}Text`)}</span>
      </div>,
      ...sums.map((sum) => <SumText sum={sum} currency={currency} />),
    ])
  })
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

function SumText(props: { readonly sum: Sum; readonly currency: string }) {
  const { say, exact } = useWords()
  const { sum, currency } = props
  if (!sum) {
    const nothing = sum === null ? say("reconciliation.notRead") : "–"
    return <span className="text-ui-fg-subtle">{nothing}</span>
  }
  // Other digits than the amount, apart from zeros at the end: Medusa does not round.
  const isOther = sum.exact !== undefined && Number(sum.exact) !== Number(sum.amount)
  return (
    <div className="flex flex-col whitespace-nowrap py-3 tabular-nums">
      <span className="text-ui-fg-base">{exact(sum.amount, currency)}</span>
      <span className="text-ui-fg-subtle text-xs">
        {say("reconciliation.count", { count: sum.count })}
        {isOther && ` · ${say("reconciliation.exact", { amount: sum.exact ?? "" })}`}
      </span>
    </div>
  )
}
