/** Where the money that the gateway took has gone, by currency; each part opens its payments. */
import { StatusBadge, Table } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { listAddress, MONEY_PLACES } from "../../lib/filters"
import { hasRemainder } from "../../lib/reconciliation"
import type {
  AccountReconciliation,
  PeriodBridge,
  PeriodTotals,
  ReconciliationResponse,
} from "../../lib/responses"
import { useWords } from "../../lib/words"
import { Section } from "../parts"

type Of = {
  readonly account: AccountReconciliation
  readonly answer: ReconciliationResponse
}

export function Bridge({ account, answer }: Of) {
  const { say } = useWords()
  const isOneOfSome = answer.accounts.length > 1
  const bridged = account.totals.filter(({ bridge }) => bridge)
  if (bridged.length === 0) return null
  const title = say("reconciliation.bridge")
  return (
    <Section title={isOneOfSome ? `${title} · ${account.label}` : title}>
      <div
        className="overflow-x-auto"
        data-testid="bridge"
        tabIndex={0}
        role="region"
        aria-label={title}
      >
        <Table>
          <Table.Header>
            <Table.Row>
              <Table.HeaderCell>{say("reconciliation.where")}</Table.HeaderCell>
              <Table.HeaderCell className="text-right">
                {say("reconciliation.amount")}
              </Table.HeaderCell>
              <Table.HeaderCell className="text-right">
                {say("reconciliation.payments")}
              </Table.HeaderCell>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {bridged.map((totals) => (
              <OfCurrency
                key={totals.currency}
                totals={totals}
                address={(money) =>
                  listAddress({
                    money,
                    currency: totals.currency,
                    created: { $gte: answer.from, $lt: answer.to },
                    ...(isOneOfSome ? { account: account.account_id } : {}),
                  })
                }
              />
            ))}
          </Table.Body>
        </Table>
      </div>
    </Section>
  )
}

function OfCurrency(props: {
  readonly totals: PeriodTotals
  readonly address: (place: string) => string
}) {
  const { say } = useWords()
  const { currency, gateway, bridge } = props.totals
  if (!gateway || !bridge) return null
  return (
    <>
      <Line name={say("reconciliation.taken")} sum={gateway.paid} currency={currency} isMain />
      {MONEY_PLACES.filter((place) => place === "recorded" || isAny(bridge[place])).map((place) => (
        <Line
          key={place}
          name={say(`money.${place}`)}
          sum={bridge[place]}
          currency={currency}
          to={props.address(place)}
        />
      ))}
      {hasRemainder(props.totals) && (
        <Line name={say("reconciliation.remainder")} sum={bridge.remainder} currency={currency}>
          <StatusBadge color="red" className="text-nowrap">
            {say("reconciliation.difference")}
          </StatusBadge>
        </Line>
      )}
    </>
  )
}

/** The difference of a payment that counts elsewhere has an amount alone. */
const isAny = ({ count, amount }: PeriodBridge["recorded"]) => count > 0 || Number(amount) !== 0

function Line(props: {
  readonly name: string
  readonly sum: { readonly count: number; readonly amount: string }
  readonly currency: string
  readonly isMain?: boolean
  readonly to?: string
  readonly children?: React.ReactNode
}) {
  const { exact, number } = useWords()
  const { name, sum, to, isMain = false } = props
  const weight = isMain ? "txt-compact-small-plus text-ui-fg-base" : "txt-compact-small"
  return (
    <Table.Row className={weight}>
      <Table.Cell>
        <span className={`flex flex-wrap items-center gap-2 ${isMain ? "" : "pl-4"}`}>
          {to && sum.count > 0 ? (
            <Link to={to} className="text-ui-fg-base underline">
              {name}
            </Link>
          ) : (
            name
          )}
          {props.children}
        </span>
      </Table.Cell>
      <Table.Cell className="text-right tabular-nums">
        {exact(sum.amount, props.currency)}
      </Table.Cell>
      <Table.Cell className="text-right tabular-nums">{number(sum.count)}</Table.Cell>
    </Table.Row>
  )
}
