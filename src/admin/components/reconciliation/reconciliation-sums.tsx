/** What the money of a period adds up to, by account and currency. */
import { StatusBadge } from "@medusajs/ui"
import type { ReactNode } from "react"
import { Link } from "react-router-dom"
import type { MoneyPlace } from "../../../core/money-place"
import { MONEY_PLACES } from "../../lib/filters"
import { hasMoney, linesOf, placeLink, type Sum } from "../../lib/figure-links"
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
  const rowsOf = (totals: PeriodTotals) => {
    const { currency, gateway, bridge } = totals
    if (!gateway || !bridge) return []
    const row = (name: ReactNode, { amount, count }: Total) => [
      <span className="flex flex-wrap items-center gap-2 pl-4">{name}</span>,
      exact(amount, currency),
      number(count),
    ]
    const placeOf = (place: MoneyPlace) => {
      const name = say(`money.${place}`)
      const to = placeLink(props, currency, place)
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

/** What each side adds up to; the sums of the ledger open the rows that make them. */
export function Sides(props: Of) {
  const { say } = useWords()
  const rows = props.account.totals.flatMap((totals) =>
    linesOf(props, totals).map(({ name, gateway, ledger, medusa, to }) => [
      <div className="flex flex-col whitespace-normal py-3" style={WHY}>
        <span className="txt-compact-small-plus text-ui-fg-base">
          {say(`reconciliation.${name}`)} · {totals.currency}
        </span>
        <span className="text-ui-fg-subtle text-xs">{say(`reconciliation.${name}Text`)}</span>
      </div>,
      <SumText sum={gateway} currency={totals.currency} />,
      <SumText sum={ledger} currency={totals.currency} to={to} />,
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
